/** What a step of a script does, beyond what is said: a call of a tool on the page, and its outcome in words. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { McpServer, ToolKind } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as ToolClient from "../mcp/ToolClient.ts"
import type { Step } from "./Script.ts"

export type Action = Exclude<Step, { readonly say: string }>

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
  return { title: `Write ${action.write}`, kind: "edit" }
}

/** Does it, and says what came of it. */
export const carryOut = Effect.fnUntraced(function* (
  action: Action,
  { client, cwd, mcpServers, sessionId, takesAcp }: Surroundings
) {
  if ("write" in action) {
    yield* client.writeTextFile({ sessionId, path: join(cwd, action.write), content: action.text })
    return `wrote ${action.write}`
  }
  const server = "list" in action ? action.list : action.server
  const tools = yield* ToolClient.connect(mcpServers, server, takesAcp ? client.mcpMessage : undefined)
  if ("list" in action) return (yield* tools.listTools).map(({ name }) => name).join(", ")
  const { content, isError } = yield* tools.callTool(action.call, action.with ?? {})
  if (isError) return yield* new ToolClient.ToolFailure({ message: JSON.stringify(content) })
  return JSON.stringify(content)
}, Effect.scoped)
