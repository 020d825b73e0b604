/**
 * Version 2 of the protocol for a client of version 1: a peer that translates both ways. It keeps the order of the
 * wire.
 *
 * Version 2 is a draft. It is used only for agents that are known to support it, by `AcpClient.make(transport,
 * handlers, { dialect })`.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type { Dialect } from "./Dialect.ts"
import { type CallFailure, type ConnectionClosed, type Notification, type Request, RpcError } from "./JsonRpc.ts"
import * as JsonRpcPeer from "./JsonRpcPeer.ts"
import type { Transport } from "./Transport.ts"
import * as Permissions from "./internal/v2/Permissions.ts"
import * as Requests from "./internal/v2/Requests.ts"
import * as SessionUpdates from "./internal/v2/SessionUpdates.ts"
import * as Turns from "./internal/v2/Turns.ts"

/** Ends a turn for the sender of its prompt. `line`: the number of the message that ended it. */
type Settle = (exit: Exit.Exit<unknown, CallFailure>, line: number | undefined) => Effect.Effect<void>

/** Requests that version 2 has removed: its agents have files and terminals of their own. */
const gone = /^(?:fs|terminal)\//

const ending: ReadonlySet<string> = new Set(["session/close", "session/delete", "session/archive"])

const sessionIdOf = (params: unknown): string =>
  Predicate.isObject(params) && typeof params["sessionId"] === "string" ? params["sessionId"] : ""

const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlersOf: (peer: JsonRpcPeer.JsonRpcPeer) => JsonRpcPeer.Handlers<R>,
  options?: JsonRpcPeer.Options
): Effect.fn.Return<JsonRpcPeer.JsonRpcPeer, never, R | Scope.Scope> {
  const services = yield* Effect.context<R>()
  const turns = Turns.make()
  const sessions = new Map<string, SessionUpdates.SessionUpdates>()
  const waiting = new Map<string, Settle>()

  const session = (sessionId: string): SessionUpdates.SessionUpdates => {
    const known = sessions.get(sessionId)
    if (known !== undefined) return known
    const made = SessionUpdates.make(() => turns.isCancelling(sessionId))
    sessions.set(sessionId, made)
    return made
  }

  const settle = (sessionId: string, outcome: Turns.Outcome | undefined, line: number | undefined) =>
    (outcome && waiting.get(sessionId)?.(outcome, line)) ?? Effect.void

  const failAll = (error: ConnectionClosed) =>
    Effect.suspend(() =>
      Effect.forEach([...waiting.values()], (each) => each(Exit.fail(error), undefined), { discard: true })
    )

  // ---------------------------------------------------------------- out

  const speaking = (raw: JsonRpcPeer.JsonRpcPeer): JsonRpcPeer.JsonRpcPeer => {
    const prompt: JsonRpcPeer.JsonRpcPeer["call"] = (method, params, given = {}) =>
      Effect.suspend(() => {
        const sessionId = sessionIdOf(params)
        const done = Deferred.makeUnsafe<unknown, CallFailure>()
        const forget = () => {
          if (waiting.get(sessionId) !== end) return
          waiting.delete(sessionId)
          turns.refused(sessionId)
        }
        const end: Settle = (exit, line) =>
          Effect.ensuring(
            Effect.suspend(() => {
              forget()
              return given.onResponse?.(exit, line) ?? Effect.void
            }),
            Deferred.done(done, exit)
          )
        waiting.set(sessionId, end)
        turns.begin(sessionId)
        const onResponse: Settle = (exit, line) =>
          Exit.isFailure(exit) ? end(exit, line) : settle(sessionId, turns.accepted(sessionId, exit.value), line)
        return raw.call(method, params, { ...given, onResponse }).pipe(
          // A closed connection refuses calls without a response.
          Effect.tapError(() => Effect.sync(forget)),
          Effect.andThen(Deferred.await(done))
        )
      })

    const call: JsonRpcPeer.JsonRpcPeer["call"] = (method, params, given = {}) => {
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

    /** Applies the effects of a response. */
    const behind = (method: string, params: unknown, result: unknown, line: number | undefined) => {
      if (ending.has(method)) {
        const sessionId = sessionIdOf(params)
        sessions.delete(sessionId)
        return settle(sessionId, turns.closed(sessionId), line)
      }
      const availableCommands = Requests.translation(method)?.commands?.(result) ?? []
      if (availableCommands.length === 0 || line === undefined) return Effect.void
      const sessionId = sessionIdOf(result) || sessionIdOf(params)
      const update = { sessionUpdate: "available_commands_update", availableCommands }
      const notification = { method: "session/update", params: { sessionId, update }, line }
      return Effect.provide(handlers.onNotifications([notification]), services)
    }

    return {
      call,
      notify: (method, params) =>
        Effect.suspend(() => {
          if (method === "session/cancel") turns.cancelling(sessionIdOf(params))
          return raw.notify(method, params)
        }),
      close: raw.close,
      closed: Effect.tap(raw.closed, failAll)
    }
  }

  // ---------------------------------------------------------------- in

  const onRequest = (request: Request) => {
    if (gone.test(request.method)) return Effect.fail(RpcError.methodNotFound(request.method))
    if (request.method !== "session/request_permission") return handlers.onRequest(request)
    const toolCall = (sessionId: string, patch: Parameters<SessionUpdates.SessionUpdates["toolCall"]>[0]) =>
      session(sessionId).toolCall(patch)
    return handlers.onRequest({ ...request, params: Permissions.toV1(request.params, toolCall, request.line) })
  }

  const onNotifications = (batch: ReadonlyArray<Notification>): Effect.Effect<void, never, R> => {
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
        session(sessionId).endTurn()
        flush()
        steps.push(settle(sessionId, outcome, line))
        continue
      }
      if (isOfPerson(update)) turns.shown(sessionId, update["messageId"])
      const translated = session(sessionId).translate(update)
      if (translated === undefined) passing.push(notification)
      else for (const each of translated) passing.push({ method, params: { sessionId, update: each }, line })
    }
    flush()
    const [first] = steps
    return steps.length === 1 && first !== undefined ? first : Effect.all(steps, { discard: true })
  }

  // Runs after the peer has ended, so that waiting calls fail with its reason.
  yield* Effect.addFinalizer(() => Effect.suspend(() => Effect.flatMap(peer.closed, failAll)))
  let handlers: JsonRpcPeer.Handlers<R>
  const peer = yield* JsonRpcPeer.make(
    transport,
    (raw) => {
      handlers = handlersOf(speaking(raw))
      return { ...handlers, onRequest, onNotifications }
    },
    options
  )
  yield* Effect.forkScoped(Effect.flatMap(peer.closed, failAll))
  return speaking(peer)
})

const isOfPerson = ({ sessionUpdate }: { readonly [member: PropertyKey]: unknown }): boolean =>
  sessionUpdate === "user_message" || sessionUpdate === "user_message_chunk"

export const dialect: Dialect = { version: 2, make }
