/** Handlers for what an agent says in version 2: they call those of a client that is written for version 1. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { type Notification, RpcError } from "../rpc/JsonRpc.ts"
import type { Handlers } from "../rpc/JsonRpcPeer.ts"
import * as Permissions from "./Permissions.ts"
import { sessionIdOf } from "./SessionId.ts"
import type { Sessions } from "./Sessions.ts"
import type { SessionUpdates } from "./SessionUpdates.ts"

/** Requests that version 2 has removed: its agents have files and terminals of their own. */
const gone = /^(?:fs|terminal)\//

/** @param handlers those of the client, for messages of version 1 */
export const make = <R>(handlers: Handlers<R>, { prompts, turns, updates }: Sessions): Handlers<R> => {
  const toolCall = (sessionId: string, patch: Parameters<SessionUpdates["toolCall"]>[0]) =>
    updates.get(sessionId).toolCall(patch)

  const onRequest: Handlers<R>["onRequest"] = (request) => {
    if (gone.test(request.method)) return Effect.fail(RpcError.methodNotFound(request.method))
    if (request.method !== "session/request_permission") return handlers.onRequest(request)
    return handlers.onRequest({ ...request, params: Permissions.toV1(request.params, toolCall, request.line) })
  }

  const onNotifications: Handlers<R>["onNotifications"] = (batch) => {
    const steps: Array<Effect.Effect<void, never, R>> = []
    let passing: Array<Notification> = []
    const flush = () => {
      if (passing.length === 0) return
      const run = passing
      passing = []
      steps.push(Effect.suspend(() => handlers.onNotifications(run)))
    }
    for (const notification of batch) {
      const { line, method, params } = notification
      const update = method === "session/update" && Predicate.isObject(params) ? params["update"] : undefined
      if (!Predicate.isObject(update)) {
        passing.push(notification)
        continue
      }
      const sessionId = sessionIdOf(params)
      if (update["sessionUpdate"] === "state_update") {
        const outcome = turns.state(sessionId, update)
        if (outcome === undefined) continue
        updates.get(sessionId).endTurn()
        flush()
        steps.push(prompts.settle(sessionId, outcome, line))
        continue
      }
      if (isOfPerson(update)) turns.shown(sessionId, update["messageId"])
      const translated = updates.get(sessionId).translate(update)
      if (translated === undefined) passing.push(notification)
      else for (const each of translated) passing.push({ method, params: { sessionId, update: each }, line })
    }
    flush()
    const [first] = steps
    return steps.length === 1 && first !== undefined ? first : Effect.all(steps, { discard: true })
  }

  return { ...handlers, onRequest, onNotifications }
}

const isOfPerson = ({ sessionUpdate }: { readonly [member: PropertyKey]: unknown }): boolean =>
  sessionUpdate === "user_message" || sessionUpdate === "user_message_chunk"
