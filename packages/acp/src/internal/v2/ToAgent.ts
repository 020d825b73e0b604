/** The peer of a client that speaks version 1: what the client says goes out in version 2. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Notification, RpcError } from "../rpc/JsonRpc.ts"
import type { JsonRpcPeer } from "../rpc/JsonRpcPeer.ts"
import * as Requests from "./Requests.ts"
import { sessionIdOf } from "./SessionId.ts"
import type { Sessions } from "./Sessions.ts"

/** Methods that end a session on the agent's side. */
const ending: ReadonlySet<string> = new Set(["session/close", "session/delete", "session/archive"])

/**
 * @param raw exchanges messages of version 2
 * @param onUpdate receives updates of version 1 that version 2 has in responses, in the order of the wire
 */
export const make = (
  raw: JsonRpcPeer,
  { prompts, turns, updates }: Sessions,
  onUpdate: (update: Notification) => Effect.Effect<void>
): JsonRpcPeer => {
  const prompt = prompts.sentBy(raw.call)

  /** Applies the effects of a response. */
  const behind = (method: string, params: unknown, result: unknown, line: number | undefined) => {
    if (ending.has(method)) {
      const sessionId = sessionIdOf(params)
      updates.forget(sessionId)
      return prompts.settle(sessionId, turns.closed(sessionId), line)
    }
    const availableCommands = Requests.translation(method)?.commands?.(result) ?? []
    if (availableCommands.length === 0 || line === undefined) return Effect.void
    const sessionId = sessionIdOf(result) || sessionIdOf(params)
    const update = { sessionUpdate: "available_commands_update", availableCommands }
    return onUpdate({ method: "session/update", params: { sessionId, update }, line })
  }

  const call: JsonRpcPeer["call"] = (method, params, given = {}) => {
    if (method === "session/prompt") return prompt(method, params, given)
    const translation = Requests.translation(method)
    if (translation === undefined) return Effect.fail(RpcError.methodNotFound(method))
    let translated: unknown
    return Effect.map(
      raw.call(translation.method, translation.params(params), {
        ...given,
        onResponse: (exit, line) => {
          if (Exit.isFailure(exit)) return given.onResponse?.(exit, line) ?? Effect.void
          translated = translation.result(exit.value)
          const answered = given.onResponse?.(Exit.succeed(translated), line) ?? Effect.void
          return Effect.andThen(answered, behind(method, params, exit.value, line))
        }
      }),
      () => translated
    )
  }

  return {
    call,
    notify: (method, params) =>
      Effect.suspend(() => {
        if (method === "session/cancel") turns.cancelling(sessionIdOf(params))
        return raw.notify(method, params)
      }),
    close: raw.close,
    closed: Effect.tap(raw.closed, prompts.failAll)
  }
}
