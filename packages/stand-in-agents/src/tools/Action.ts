/** What a step of a script does, beyond what is said: a call of a tool on the page, and its outcome in words. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { McpServer, ToolKind } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as ToolClient from "../mcp/ToolClient.ts"
import type { Step } from "./Script.ts"

export type Action = Exclude<Step, { readonly say: string } | { readonly stop: string }>

/** What an action has to do with. */
export interface Surroundings {
  readonly client: AcpAgent
  readonly sessionId: string
  readonly cwd: string
  readonly mcpServers: ReadonlyArray<McpServer>
  /** Whether the agent takes servers over ACP. */
  readonly takesAcp: boolean
}

/** How a person sees an action. */
export const shown = (action: Action): { readonly title: string; readonly kind: ToolKind } => {
  if ("list" in action) return { title: `List the tools of ${action.list}`, kind: "other" }
  if ("call" in action) return { title: `${action.server}: ${action.call}`, kind: "other" }
  if ("write" in action) return { title: `Write ${action.write}`, kind: "edit" }
  if ("read" in action) return { title: `Read ${action.read}`, kind: "read" }
  if ("ask" in action) return { title: action.ask, kind: action.kind }
  if ("waitForFile" in action) return { title: `Wait for ${action.waitForFile}`, kind: "other" }
  return { title: "Wait", kind: "other" }
}

/** Asks for permission, and says what the answer was. */
const asked = (
  { ask, kind, with: rawInput }: Extract<Action, { readonly ask: string }>,
  client: AcpAgent,
  sessionId: string
) =>
  Effect.map(
    client.requestPermission({
      sessionId,
      toolCall: { toolCallId: randomUUID(), title: ask, kind, ...(rawInput !== undefined && { rawInput }) },
      options: [
        { optionId: "always", name: "Always", kind: "allow_always" },
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" }
      ]
    }),
    ({ outcome }) => `${ask}: ${outcome.outcome === "selected" ? outcome.optionId : outcome.outcome}`
  )

/** Does it, and says what came of it. */
export const carryOut = Effect.fnUntraced(function* (
  action: Action,
  { client, cwd, mcpServers, sessionId, takesAcp }: Surroundings
) {
  if ("write" in action) {
    yield* client.writeTextFile({ sessionId, path: resolve(cwd, action.write), content: action.text })
    return `wrote ${action.write}`
  }
  if ("read" in action) {
    const { content } = yield* client.readTextFile({ sessionId, path: resolve(cwd, action.read) })
    return content
  }
  if ("ask" in action) return yield* asked(action, client, sessionId)
  if ("wait" in action) return yield* Effect.never
  if ("waitForFile" in action) {
    while (!existsSync(resolve(cwd, action.waitForFile))) yield* Effect.sleep("20 millis")
    return "It is there."
  }
  const server = "list" in action ? action.list : action.server
  const tools = yield* ToolClient.connect(mcpServers, server, takesAcp ? client.mcpMessage : undefined)
  if ("list" in action) return (yield* tools.listTools).map(({ name }) => name).join(", ")
  const { content, isError } = yield* tools.callTool(action.call, action.with ?? {})
  if (isError) return yield* new ToolClient.ToolFailure({ message: JSON.stringify(content) })
  return JSON.stringify(content)
}, Effect.scoped)
