/** The scripted agent under the generic adapter, and what people see of what it does. */
import type { ItemView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type AgentOptions, agentHarness, type Harness, thread } from "./AgentHarness.ts"

export const scriptedMain = fileURLToPath(
  new URL("../../../../packages/stand-in-agents/src/scripted/main.ts", import.meta.url)
)

/**
 * Starts a scripted agent. Prompts are lists of steps; `setup` is its behaviour outside of them. `SCRIPTED_AGENT_LOG`
 * in `env` stores what it receives.
 */
export const scripted = (setup: object = {}, options: AgentOptions = {}) =>
  agentHarness(process.execPath, [scriptedMain], {
    ...options,
    env: { SCRIPTED_AGENT: JSON.stringify(setup), ...options.env }
  })

export const play = (agent: Harness, turnId: string, ...steps: ReadonlyArray<object>) =>
  agent.turn(turnId, JSON.stringify(steps))

/** Steps: one update of a tool call, known to the agent or not. */
export const call = (toolCallId: string, more: object = {}) => ({
  update: { sessionUpdate: "tool_call", toolCallId, title: toolCallId, ...more }
})
export const change = (toolCallId: string, more: object = {}) => ({
  update: { sessionUpdate: "tool_call_update", toolCallId, ...more }
})

/** The messages that the agent received, one a line. */
export const told = (log: string): ReadonlyArray<{ readonly method?: string; readonly [name: string]: unknown }> =>
  readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).message)

/** The transcript as people see it, an entry a line. Prompts are left out: they are ours. */
export const seen = (agent: Harness): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(Effect.orDie(agent.adapter.readThread(thread)), ({ items }) =>
    items.filter((item) => item.type !== "prompt" || item.replayed === true).map(words)
  )

const words = (item: ItemView): string => `${item.replayed ? "earlier: " : ""}${item.late ? "late: " : ""}${own(item)}`

const own = (item: ItemView): string => {
  switch (item.type) {
    case "prompt":
      return `prompt: ${item.prompt.map((part) => (part.type === "text" ? part.text : part.type)).join()}`
    case "message":
      return `says: ${item.text}${item.cut ? " [cut off]" : ""}${item.triedAgain ? " [tried again]" : ""}`
    case "thought":
      return `thinks: ${item.text}`
    case "tool":
      return `tool ${item.tool.title}: ${item.tool.status}`
    case "request": {
      const { outcome, request } = item
      const answer = outcome.type === "answered" && outcome.response.type === "option" ? outcome.response.optionId : ""
      return `${request.type} ${outcome.type} ${answer}`.trim()
    }
    case "warning":
      return `warning: ${item.message}${item.detail === undefined ? "" : ` (${item.detail})`}`
    case "problem":
      return `problem: ${item.problem.title}`
    case "session":
      return `session ${item.change}`
    case "unknown":
      return `unknown ${item.kind ?? ""}: ${item.reason}`
    case "file":
      return `file ${item.path}`
    case "compaction":
      return `compaction ${item.state}${item.summary === undefined ? "" : `: ${item.summary}`}`
    case "subagent":
      return `subagent ${item.name}: ${item.state}`
  }
}
