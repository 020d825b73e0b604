/** The chats of the reference agent: it has nothing to say but what it is for, and which suggestions it makes. */
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { Chats } from "@signalbox/acp/NesAgent"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Options } from "./Options.ts"
import { type Scope, scopeNamed } from "./Settings.ts"

const introduction =
  "I suggest the next edit while you write in an editor, and do nothing else. " +
  "Say `all`, `edits` or `line` to choose what I suggest."

const textOf = (prompt: ReadonlyArray<ContentBlock>) =>
  prompt.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join(" ")

/** Handlers for chats. `setScope`: sets what all sessions of suggestions make. */
export const chats = (
  client: AcpAgent.AcpAgent,
  { misbehaviours }: Options,
  setScope: (scope: Scope) => Effect.Effect<void>
): Chats<never> => {
  const sessions = new Set<string>()
  return {
    initialize: () =>
      Effect.succeed({
        protocolVersion: 1,
        agentInfo: { name: "signalbox-nes", title: "Signalbox suggestions", version: "0.1.0" },
        authMethods: misbehaviours.has("sign-in")
          ? [{ id: "reference", name: "Sign in", description: "Takes everybody" }]
          : []
      }),
    authenticate: () => Effect.succeed({}),
    newSession: () =>
      Effect.sync(() => {
        const sessionId = randomUUID()
        sessions.add(sessionId)
        return { sessionId }
      }),
    prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
      if (!sessions.has(sessionId)) return yield* RpcError.invalidParams(`There is no session ${sessionId}`)
      const scope = scopeNamed(textOf(prompt).trim().toLowerCase())
      if (scope !== undefined) yield* setScope(scope)
      const text = scope === undefined ? introduction : `From now on I suggest: ${scope}.`
      yield* Effect.ignore(
        client.sendUpdate(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
      )
      return { stopReason: "end_turn" as const }
    })
  }
}
