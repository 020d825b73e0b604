/**
 * Changes that a classic client hears of: of lists, and of resources that it has subscribed to. One `subscriptions/listen` of MCP 2026-07-28
 * stands in for them, and only while somebody hears it: it counts among the requests that the server answers at once.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { McpNotification } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Translation from "./Translation.ts"

export interface Subscriptions {
  /** Notes what the server says that it can do. */
  readonly offered: (capabilities: McpOverAcp.JsonObject) => void
  /** The client is ready to hear. */
  readonly ready: () => void
  /** Listens while the scope is open. Where several listen at once, the others wait for the first one's end. */
  readonly hearing: Effect.Effect<void, never, Scope.Scope>
  /** Answers `resources/subscribe`, as soon as the server has agreed. */
  readonly subscribe: (params: McpOverAcp.JsonObject) => Effect.Effect<McpOverAcp.Outcome>
  /** Answers `resources/unsubscribe`. */
  readonly unsubscribe: (params: McpOverAcp.JsonObject) => Effect.Effect<McpOverAcp.Outcome>
}

/** Sends a request, and gives what the server says about it to `hear`. */
type Call = (
  method: string,
  params: McpOverAcp.JsonObject,
  hear: (notification: McpNotification) => void
) => Effect.Effect<McpOverAcp.Outcome>

/** The notifications that pass, each with the member of the filter that asks for it. */
const listMembers: ReadonlyMap<string, string> = new Map([
  ["notifications/tools/list_changed", "toolsListChanged"],
  ["notifications/prompts/list_changed", "promptsListChanged"],
  ["notifications/resources/list_changed", "resourcesListChanged"]
])

const updated = "notifications/resources/updated"

/** Resources that one session may subscribe to. */
const mostResources = 1000

const done: McpOverAcp.Outcome = { result: {} }

/** Without the name of the request over ACP, which the client does not know. */
const withoutId = ({ method, params = {} }: McpNotification): McpNotification => {
  const { [McpOverAcp.MetaKey.subscriptionId]: _, ...meta } = McpOverAcp.objectOf(params["_meta"])
  const { _meta, ...rest } = params
  return { method, params: Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta } }
}

/** @param say takes what the client shall hear */
export const make = (call: Call, say: (notification: McpNotification) => void): Subscriptions => {
  const ready = Latch.makeUnsafe(false)
  const onlyOne = Semaphore.makeUnsafe(1)
  const changing = Semaphore.makeUnsafe(1)
  /** The resources that the server has agreed to. */
  let resources: ReadonlySet<string> = new Set()
  let lists: { readonly [member: string]: true } = {}
  let hasResources = false
  /** The scope of who hears, and the request that is under way for it. */
  let scope: Scope.Scope | undefined
  let current: Fiber.Fiber<void> | undefined

  const hear = (agreed: Deferred.Deferred<McpOverAcp.Outcome>) => (notification: McpNotification) => {
    if (notification.method === "notifications/subscriptions/acknowledged")
      Deferred.doneUnsafe(agreed, Effect.succeed(done))
    else if (listMembers.has(notification.method) || notification.method === updated) say(withoutId(notification))
  }

  /**
   * Listens for lists and these resources. The request before ends when the server has agreed, so that nothing is missed. Where the server
   * does not agree, that one goes on. While nobody hears, the server is asked all the same, and the request ends with its answer.
   */
  const listenTo = Effect.fnUntraced(function* (wanted: ReadonlySet<string>) {
    const before = current
    const notifications = { ...lists, ...(wanted.size > 0 && { resourceSubscriptions: [...wanted] }) }
    let started: Fiber.Fiber<void> | undefined
    if (Object.keys(notifications).length > 0) {
      const agreed = yield* Deferred.make<McpOverAcp.Outcome>()
      const listening = call("subscriptions/listen", { notifications }, hear(agreed)).pipe(
        Effect.flatMap((ended) => Deferred.succeed(agreed, ended)),
        Effect.asVoid,
        // Nobody hears any more.
        Effect.ensuring(Deferred.succeed(agreed, done))
      )
      const isHeard = scope !== undefined
      const asked = yield* scope === undefined ? Effect.forkChild(listening) : Effect.forkIn(listening, scope)
      // Whoever waits may cancel: then nothing changes.
      const outcome = yield* Effect.onInterrupt(Deferred.await(agreed), () => Fiber.interrupt(asked))
      if ("error" in outcome) return outcome
      if (isHeard) started = asked
      else yield* Fiber.interrupt(asked)
    }
    current = started
    resources = wanted
    if (before !== undefined) yield* Fiber.interrupt(before)
    return done
  })

  const oneByOne = (change: () => Effect.Effect<McpOverAcp.Outcome>) => changing.withPermit(Effect.suspend(change))

  const uriIn = (params: McpOverAcp.JsonObject): string | undefined =>
    typeof params["uri"] === "string" ? params["uri"] : undefined

  return {
    offered: (capabilities) => {
      const can = (kind: string) => McpOverAcp.objectOf(capabilities[kind])
      lists = Object.fromEntries(
        [...listMembers].flatMap(([method, member]) => {
          const [, kind = ""] = method.split("/")
          return can(kind)["listChanged"] === true ? [[member, true as const]] : []
        })
      )
      hasResources = can("resources")["subscribe"] === true
    },
    ready: () => ready.openUnsafe(),
    hearing: Effect.gen(function* () {
      const own = yield* Effect.scope
      yield* onlyOne
        .withPermit(
          Effect.gen(function* () {
            scope = own
            yield* ready.await
            yield* oneByOne(() => listenTo(resources))
            return yield* Effect.never
          }).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                scope = undefined
                current = undefined
              })
            )
          )
        )
        .pipe(Effect.forkIn(own))
    }),
    subscribe: (params) =>
      oneByOne(() => {
        const uri = uriIn(params)
        if (!hasResources) return Effect.succeed(Translation.failed(RpcError.methodNotFound("resources/subscribe")))
        if (uri === undefined)
          return Effect.succeed(Translation.failed(RpcError.invalidParams("params.uri is missing")))
        if (resources.has(uri)) return Effect.succeed(done)
        if (resources.size >= mostResources)
          return Effect.succeed(
            Translation.failed({
              code: McpOverAcp.ErrorCode.LimitReached,
              message: `The session has subscribed to ${mostResources} resources already`
            })
          )
        return listenTo(new Set([...resources, uri]))
      }),
    unsubscribe: (params) =>
      oneByOne(() => {
        const left = new Set(resources)
        const uri = uriIn(params)
        return uri !== undefined && left.delete(uri) ? listenTo(left) : Effect.succeed(done)
      })
  }
}
