/** Tapes that somebody else wrote, and what comes of them. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Printer from "../../src/cli/terminal/Printer.ts"
import * as ReplayText from "../../src/cli/tape/ReplayText.ts"
import * as Terminal from "../../src/cli/terminal/Terminal.ts"
import * as Replay from "../../src/compose/Replay.ts"
import * as Reel from "../../src/replay/Reel.ts"
import type { Ending } from "../../src/replay/Replay.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"

const sessionId = "s"

/** A line of a tape: a message from the agent, a message to it, or its stderr. */
export type Line =
  | { readonly in: unknown }
  | { readonly out: unknown }
  | { readonly err: string }
  | { readonly raw: string }

export const update = (body: object): Line => ({
  in: { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: body } }
})
export const says = (text: string): Line =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
export const call = (body: object): Line => update({ sessionUpdate: "tool_call", ...body })
export const change = (body: object): Line => update({ sessionUpdate: "tool_call_update", ...body })
export const asks = (toolCall: object, options: ReadonlyArray<object>): Line => ({
  in: { jsonrpc: "2.0", id: "asked", method: "session/request_permission", params: { sessionId, toolCall, options } }
})
export const answered = (result: object): Line => ({ out: { jsonrpc: "2.0", id: "asked", ...result } })
export const chose = (optionId: string): Line => answered({ result: { outcome: { outcome: "selected", optionId } } })

/** A tape of one turn, in which `lines` happen. `words`: what it calls agent and prompt. */
export const tapeOf = (lines: ReadonlyArray<Line>, words = "Forger"): string => {
  const answer = (id: number, result: object): Line => ({ in: { jsonrpc: "2.0", id, result } })
  const request = (id: number, method: string, params: object): Line => ({
    out: { jsonrpc: "2.0", id, method, params }
  })
  const whole: ReadonlyArray<Line> = [
    request(0, "initialize", {}),
    answer(0, { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: words, version: words } }),
    request(1, "session/new", { cwd: "/project", mcpServers: [] }),
    answer(1, { sessionId }),
    request(2, "session/prompt", { sessionId, prompt: [{ type: "text", text: words }] }),
    ...lines,
    answer(2, { stopReason: "end_turn" })
  ]
  const note = (line: object) => JSON.stringify({ at: 0, dir: "note", line })
  const start = {
    event: "start",
    argv: [words],
    cwd: "/project",
    envNames: [],
    threadId: words,
    provider: { id: "forger", kind: "acp", name: words, simulated: true },
    agentVersion: words,
    format: 1
  }
  return [note(start), ...whole.map(textOf), note({ event: "exit", exitCode: 0, ended: "stopped" }), ""].join("\n")
}

const textOf = (line: Line): string => {
  if ("raw" in line) return line.raw
  const [entry = ["", ""]] = Object.entries(line)
  return JSON.stringify({ at: 0, dir: entry[0], line: entry[1] })
}

/** Plays it, as `signalbox replay` does; `text` and `json` are what that prints. */
export const played = Effect.fnUntraced(function* (tape: string) {
  const folder = yield* temporaryFolder
  const path = join(folder, "tape.ndjson")
  writeFileSync(path, tape)
  const events: Array<ProviderRuntimeEvent> = []
  const endings: Array<Ending> = []
  const screens = { text: "", json: "" }
  const terminalOf = (name: "text" | "json") => {
    const sink = { isTTY: true, columns: 80, write: (text: string) => void (screens[name] += text) }
    return Terminal.over(sink, sink, true)
  }
  const text = ReplayText.make(terminalOf("text"), Printer.text(terminalOf("text")))
  const json = Printer.json(terminalOf("json"))
  const reel = yield* Effect.promise(() => Reel.load([[path]], folder))
  yield* Replay.replay(reel, {
    folder,
    onBegin: text.begin,
    tell: (told) => {
      events.push(...told)
      text.print(told)
      json(told)
    },
    onEnd: (_, ending) => endings.push(ending)
  }).pipe(Effect.provide(NodeServices.layer))
  return { path, events, endings, reel, ...screens }
})

export type Played = Effect.Success<ReturnType<typeof played>>
