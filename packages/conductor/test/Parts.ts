/** Components in this process, and a client by hand, to build chains from. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import type { RawNotification, RawRequest } from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Component from "../src/Component.ts"
import * as Conductor from "../src/Conductor.ts"

/** A proxy that only passes on, but for these interceptors. */
export const proxy = (name: string, interceptors: AcpProxy.Interceptors = {}): Component.Component =>
  Component.inProcess(name, (link) =>
    Effect.flatMap(
      AcpProxy.make(link, () => interceptors),
      ({ closed }) => closed
    )
  )

/** Puts an arrow before each text of the agent. */
export const arrow = (name: string): Component.Component =>
  proxy(name, {
    agentNotifications: {
      "session/update": ({ sessionId, update }, forward) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? forward({
              sessionId,
              update: { ...update, content: { ...update.content, text: `>${update.content.text}` } }
            })
          : forward()
    }
  })

/** A component by hand: what a raw connection is to do with requests and notifications. */
export const byHand = (
  name: string,
  handlers: (connection: RawConnection.RawConnection) => RawConnection.Handlers
): Component.Component =>
  Component.inProcess(name, (link) => Effect.flatMap(RawConnection.make(link, handlers), ({ closed }) => closed))

/** Makes a component that answers no request. `reached` completes at the first one. */
export const silent = (name: string) =>
  Effect.map(Deferred.make<void>(), (reached) => ({
    component: byHand(name, () => ({
      onRequest: () => void Deferred.doneUnsafe(reached, Effect.void),
      onNotification: () => {}
    })),
    reached: Deferred.await(reached)
  }))

/** Text of an agent, as parameters of `session/update`. */
export const update = (text: string): string =>
  `{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${JSON.stringify(text)}}}}`

/** An agent that answers each prompt with what was asked, `count` times. It answers every other request with its method. */
export const echo = (name = "agent"): Component.Component =>
  byHand(name, ({ notify }) => ({
    onRequest: ({ method, params }, respond) => {
      if (method === "initialize") return respond({ result: '{"protocolVersion":1}' })
      if (method === "session/prompt") {
        notify({ side: "client", method: "session/update", params: update("hello") })
        return respond({ result: '{"stopReason":"end_turn"}' })
      }
      respond({ result: JSON.stringify({ method, params: params ?? null }) })
    },
    onNotification: () => {}
  }))

/** A client of a conductor. */
export interface Client {
  /** Sends a request, and completes with its answer. */
  readonly request: (method: string, params?: string) => Effect.Effect<RawConnection.Settled>
  readonly connection: RawConnection.RawConnection
  /** What the chain asks and says, in order. Requests are answered with `null`. */
  readonly heard: Queue.Queue<RawRequest | RawNotification>
  /** The conductor's own end. */
  readonly ended: Effect.Effect<Effect.Success<ReturnType<typeof Conductor.run>>>
}

/** Starts a conductor in agent mode, and connects to it. */
export const connect = <R>(options: Omit<Conductor.Options<R>, "mode">) => connectAs({ mode: "agent", ...options })

/** Starts a conductor, and connects to it. */
const connectAs = Effect.fnUntraced(function* <R>(options: Conductor.Options<R>) {
  const [near, far] = MessageLink.pair()
  const fiber = yield* Effect.forkScoped(Conductor.run(far, options))
  const heard = yield* Queue.unbounded<RawRequest | RawNotification>()
  const connection = yield* RawConnection.make(near, () => ({
    onRequest: (request, respond) => {
      Queue.offerUnsafe(heard, request)
      respond({ result: "null" })
    },
    onNotification: (notification) => void Queue.offerUnsafe(heard, notification)
  }))
  const request = Effect.fnUntraced(function* (method: string, params?: string) {
    const answered = yield* Deferred.make<RawConnection.Settled>()
    connection.request({ side: "client", method, params }, (settled) =>
      Deferred.doneUnsafe(answered, Effect.succeed(settled))
    )
    return yield* Deferred.await(answered)
  })
  const client: Client = { request, connection, heard, ended: Fiber.join(fiber) }
  return client
})

/** A chain of these in one component: a conductor in proxy mode. */
export const nested = (name: string, ...proxies: ReadonlyArray<Component.Component>): Component.Component =>
  Component.inProcess(name, (link) =>
    Conductor.run(link, { mode: "proxy", assemble: () => Effect.succeed({ proxies }) })
  )

/** A chain of these, without a choice. */
export const chain = (agent: Component.Component, ...proxies: ReadonlyArray<Component.Component>) => ({
  assemble: () => Effect.succeed({ agent, proxies })
})

export const initialize = (client: Client) => client.request("initialize", '{"protocolVersion":1}')

/** What an error says, of an answer that is one. */
export const errorOf = (
  settled: RawConnection.Settled
): { code: number; message: string; data?: { [name: string]: unknown } } =>
  JSON.parse("error" in settled ? settled.error : "null")
