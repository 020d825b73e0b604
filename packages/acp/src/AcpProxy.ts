/**
 * The proxy's end of an ACP connection: it stands between a client and an agent, in a chain that a conductor keeps together.
 *
 * What nobody intercepts goes on as it came, both ways: unknown methods and members, `null`, and numbers of 64 bits. Order stays: no
 * response overtakes a notification that was sent before it. Cancellation is translated from hop to hop. All three spellings of the proxy
 * protocol are understood, and every version of ACP.
 *
 * Source: ACP, RFD "proxy chains"; `proxy/initialize` and `proxy/successor` in the schema.
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as Acp from "./AcpSchema.ts"
import * as ExactJson from "./ExactJson.ts"
import * as Interception from "./internal/raw/Interception.ts"
import type { MessageLink } from "./internal/raw/MessageLink.ts"
import * as OwnSessions from "./internal/raw/OwnSessions.ts"
import * as ProxyStart from "./internal/raw/ProxyStart.ts"
import * as RawConnection from "./internal/raw/RawConnection.ts"
import * as RawMessage from "./internal/raw/RawMessage.ts"
import * as Outgoing from "./internal/rpc/Outgoing.ts"
import { type ConnectionClosed, ErrorCode, RpcError } from "./JsonRpc.ts"

export type { Forward, NotificationInterceptor, RequestInterceptor } from "./internal/raw/Interception.ts"
export type { OwnSession, SessionListener } from "./internal/raw/OwnSessions.ts"

/** What requests hold, by method. */
type RequestTypes<Table> = {
  readonly [Method in keyof Table]: Table[Method] extends {
    readonly params: Schema.Codec<infer Params, unknown>
    readonly result: Schema.Codec<infer Result, unknown>
  }
    ? { readonly params: Params; readonly result: Result }
    : never
}

/** What notifications hold, by method. */
type NotificationTypes<Table> = {
  readonly [Method in keyof Table]: Table[Method] extends Schema.Codec<infer Params, unknown> ? Params : never
}

interface AnyRequest {
  readonly params: unknown
  readonly result: unknown
}

/** Interceptors of requests, by method. Those of extensions, which begin with an underscore, get any JSON. */
type RequestInterceptors<Types extends { readonly [Method in keyof Types]: AnyRequest }, R> = {
  readonly [Method in keyof Types]?:
    | Interception.RequestInterceptor<Types[Method]["params"], Types[Method]["result"], R>
    | undefined
} & { readonly [extension: `_${string}`]: Interception.RequestInterceptor<unknown, unknown, R> | undefined }

/** Interceptors of notifications, by method. Those of extensions, which begin with an underscore, get any JSON. */
type NotificationInterceptors<Types, R> = {
  readonly [Method in keyof Types]?: Interception.NotificationInterceptor<Types[Method], R> | undefined
} & { readonly [extension: `_${string}`]: Interception.NotificationInterceptor<unknown, R> | undefined }

type ToAgent = RequestTypes<typeof Acp.agentRequests>
type ToClient = RequestTypes<typeof Acp.clientRequests>

/**
 * The messages that a proxy looks at or changes: a table by method for each kind. What is in none of them is passed on as it came.
 *
 * Values have the types of version 1. On a connection of a later version, interceptors get what can be read as version 1 in full.
 * Everything else is passed on as it came. A proxy that must see everything asks for version 1 in `initialize`.
 */
export interface Interceptors<R = never> {
  /**
   * Requests of the client, `initialize` among them. Its answer is what `forward` returned, changed or not, with the `protocolVersion` that
   * is there. Any other success becomes an error.
   */
  readonly clientRequests?: RequestInterceptors<ToAgent, R> | undefined
  /** Requests of the client as any JSON, in every version. What is here takes the place of an entry in `clientRequests`. */
  readonly clientRequestsAsJson?:
    | { readonly [method: string]: Interception.RequestInterceptor<unknown, unknown, R> }
    | undefined
  readonly clientNotifications?:
    | NotificationInterceptors<NotificationTypes<typeof Acp.agentNotifications>, R>
    | undefined
  /**
   * Notifications of the client as any JSON, in every version. What is here takes the place of an entry in `clientNotifications`. Numbers
   * that JavaScript can't hold stay as they are written: see `ExactJson`.
   */
  readonly clientNotificationsAsJson?:
    | { readonly [method: string]: Interception.NotificationInterceptor<unknown, R> }
    | undefined
  readonly agentRequests?: RequestInterceptors<ToClient, R> | undefined
  readonly agentNotifications?:
    | NotificationInterceptors<NotificationTypes<typeof Acp.clientNotifications>, R>
    | undefined
  readonly onIssue?: ((issue: RawConnection.Issue) => void) | undefined
}

/** One side of a proxy, for messages of the proxy's own. */
export interface Neighbour {
  /** Sends a request, and returns its result as parsed JSON. */
  readonly request: (method: string, params: unknown) => Effect.Effect<unknown, RpcError>
  /** Sends a request as well. Numbers of its result that JavaScript can't hold stay as they are written: see `ExactJson`. */
  readonly requestExactly: (method: string, params: unknown) => Effect.Effect<unknown, RpcError>
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
}

/** Both sides of a proxy: `client` is its predecessor in the chain, `agent` its successor. Each may be another proxy. */
export interface Neighbours {
  readonly client: Neighbour
  readonly agent: Neighbour
  /** Sessions that the proxy opens in the agent for itself. The client learns nothing of them. */
  readonly ownSessions: Pick<OwnSessions.OwnSessions, "open" | "has">
}

export interface AcpProxy extends Neighbours {
  /** Completes with the reason when the connection to the conductor is over. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

type RunRequest<R> = ReturnType<typeof Interception.request<unknown, unknown, R>>
type RunNotification<R> = ReturnType<typeof Interception.notification<unknown, R>>

const isExtension = (method: string): method is `_${string}` => method.startsWith("_")

const anyRequest = { params: Schema.Unknown, result: Schema.Unknown }

const requestRunners = <Types extends { readonly [Method in keyof Types]: AnyRequest }, R>(
  schemas: {
    readonly [Method in keyof Types]: {
      readonly params: Schema.Codec<Types[Method]["params"], unknown>
      readonly result: Schema.Codec<Types[Method]["result"], unknown>
    }
  },
  interceptors: RequestInterceptors<Types, R> = {},
  isForeign: Interception.IsForeign
): Map<string, RunRequest<R>> => {
  const runners = new Map<string, RunRequest<R>>()
  for (const method of Struct.keys(schemas)) {
    const interceptor = interceptors[method]
    if (interceptor !== undefined) runners.set(method, Interception.request(schemas[method], interceptor, isForeign))
  }
  for (const method of Object.keys(interceptors).filter(isExtension)) {
    const interceptor = interceptors[method]
    if (interceptor !== undefined) runners.set(method, Interception.request(anyRequest, interceptor, isForeign))
  }
  return runners
}

const notificationRunners = <Types, R>(
  schemas: { readonly [Method in keyof Types]: Schema.Codec<Types[Method], unknown> },
  interceptors: NotificationInterceptors<Types, R> = {},
  isForeign: Interception.IsForeign
): Map<string, RunNotification<R>> => {
  const runners = new Map<string, RunNotification<R>>()
  for (const method of Struct.keys(schemas)) {
    const interceptor = interceptors[method]
    if (interceptor !== undefined)
      runners.set(method, Interception.notification(schemas[method], interceptor, isForeign))
  }
  for (const method of Object.keys(interceptors).filter(isExtension)) {
    const interceptor = interceptors[method]
    if (interceptor !== undefined)
      runners.set(method, Interception.notification(Schema.Unknown, interceptor, isForeign))
  }
  return runners
}

const neighbour = (connection: RawConnection.RawConnection, side: RawMessage.Side): Neighbour => ({
  request: (method, params) =>
    Interception.call((text, settle) => connection.request({ side, method, params: text }, settle), params),
  requestExactly: (method, params) =>
    Interception.call(
      (text, settle) => connection.request({ side, method, params: text }, settle),
      params,
      ExactJson.parse
    ),
  notify: (method, params) => Effect.sync(() => connection.notify({ side, method, params: JSON.stringify(params) }))
})

const neighboursOf = (connection: RawConnection.RawConnection, ownSessions: OwnSessions.OwnSessions): Neighbours => ({
  client: neighbour(connection, "client"),
  agent: neighbour(connection, "agent"),
  ownSessions
})

const answerOf = (settled: RawConnection.Settled): RawMessage.RawAnswer =>
  "closed" in settled ? RawMessage.failed(RpcError.internal(settled.closed.message)) : settled

const notInitialized = (method: string): RawMessage.RawAnswer =>
  RawMessage.failed({
    code: ErrorCode.InvalidRequest,
    message: `A conductor initializes a proxy with proxy/initialize, and does so first; this is ${method}`
  })

const opposite = (side: RawMessage.Side): RawMessage.Side => (side === "client" ? "agent" : "client")

/**
 * Runs a proxy over a link: `MessageLink.overBytes` for the standard streams of a program, or one end of `MessageLink.pair`.
 *
 * @param interceptorsOf gets the neighbours, and returns what is intercepted
 */
export const make = Effect.fnUntraced(function* <R>(
  link: MessageLink,
  interceptorsOf: (neighbours: Neighbours) => Interceptors<R> = () => ({})
): Effect.fn.Return<AcpProxy, never, R | Scope.Scope> {
  const context = yield* Effect.context<R>()
  const fibers = yield* FiberSet.make<unknown, RpcError>()
  const run = yield* FiberSet.runtime(fibers)<R>()
  let isStarted = false
  /** The version of ACP: what the client asks for, and then what its successor has answered. */
  let version = 1
  const isForeign = () => version > 1
  let neighbours: Neighbours | undefined

  const connection = yield* RawConnection.make(link, (conductor) => {
    const ownSessions = OwnSessions.make({
      send: (method, params, settle) => conductor.request({ side: "agent", method, params }, settle),
      run: (effect, running) => {
        const fiber = run(effect)
        const interrupt = () => fiber.interruptUnsafe()
        running.add(interrupt)
        fiber.addObserver(() => running.delete(interrupt))
        return interrupt
      }
    })
    neighbours = neighboursOf(conductor, ownSessions)
    const { onIssue, ...on } = interceptorsOf(neighbours)
    const requests = {
      client: requestRunners<ToAgent, R>(Acp.agentRequests, on.clientRequests, isForeign),
      agent: requestRunners<ToClient, R>(Acp.clientRequests, on.agentRequests, isForeign)
    }
    for (const [method, interceptor] of Object.entries(on.clientRequestsAsJson ?? {}))
      requests.client.set(method, Interception.request(anyRequest, interceptor, isForeign))
    const notifications = {
      client: notificationRunners(Acp.agentNotifications, on.clientNotifications, isForeign),
      agent: notificationRunners(Acp.clientNotifications, on.agentNotifications, isForeign)
    }

    for (const [method, interceptor] of Object.entries(on.clientNotificationsAsJson ?? {}))
      notifications.client.set(
        method,
        Interception.notification(Schema.Unknown, interceptor, isForeign, ExactJson.parse)
      )

    const sendTo =
      (side: RawMessage.Side, method: string): Interception.Send =>
      (params, settle) => {
        const began = side === "agent" ? ownSessions.ofClient(method, params) : undefined
        return conductor.request({ side, method, params }, (settled) => {
          began?.(settled)
          settle(settled)
        })
      }

    /** Passes a request on by `send`, through its interceptor if there is one. Returns how to cancel it. */
    const passOn = (
      { method, params, side }: RawMessage.Said,
      respond: RawConnection.Respond,
      send: Interception.Send = sendTo(opposite(side), method)
    ): (() => void) => {
      const intercept = requests[side].get(method)
      if (intercept === undefined) return send(params, (settled) => respond(answerOf(settled))).cancel
      const intercepted = intercept(params, send)
      const fiber = run(intercepted.run)
      fiber.addObserver((exit) => {
        const message = Interception.defectOf(exit)
        if (message !== undefined) onIssue?.({ _tag: "HandlerDefect", method, message })
        respond(intercepted.answerOf(exit))
      })
      return () => {
        if (!intercepted.cancel()) fiber.interruptUnsafe()
      }
    }

    /** Initializes the proxy, in the dialect of its conductor. */
    const start = (
      { answered, dialect, params }: ProxyStart.ProxyStart,
      respond: RawConnection.Respond
    ): (() => void) => {
      isStarted = true
      conductor.setDialect(dialect)
      version = ProxyStart.versionIn(params) ?? version
      let successor: RawMessage.RawAnswer | undefined
      const send: Interception.Send = (text, settle) =>
        sendTo("agent", "initialize")(text, (settled) => {
          successor = answerOf(settled)
          if ("result" in successor) version = ProxyStart.versionIn(successor.result) ?? version
          settle(settled)
        })
      const answer = (given: RawMessage.RawAnswer) => {
        const checked = ProxyStart.checked(given, successor)
        if (checked !== given && "error" in checked)
          onIssue?.({ _tag: "HandlerDefect", method: "initialize", message: checked.error })
        respond(answered(checked))
      }
      return passOn({ side: "client", method: "initialize", params }, answer, send)
    }

    const passOnNotification = ({ method, params, side }: RawMessage.Said): Effect.Effect<void> | void => {
      const send = (text: string | undefined) => conductor.notify({ side: opposite(side), method, params: text })
      const intercept = notifications[side].get(method)
      if (intercept === undefined) return send(params)
      return Effect.provideContext(intercept(params, send), context).pipe(
        // What interrupts itself is caught, too: reading has to go on.
        Effect.catchCause((cause) =>
          Effect.sync(() => onIssue?.({ _tag: "HandlerDefect", method, message: Outgoing.messageOf(cause) }))
        )
      )
    }

    const onRequest: RawConnection.Handlers["onRequest"] = (request, respond) => {
      const initialization = ProxyStart.of(request)
      if (initialization !== undefined) return start(initialization, respond)
      const isInitialize = request.side === "client" && request.method === "initialize"
      if (!isStarted || isInitialize) return respond(notInitialized(request.method))
      const onward = () => passOn(request, respond)
      return (request.side === "agent" ? ownSessions.request(request, respond, onward) : undefined) ?? onward()
    }

    return {
      onIssue,
      onRequest,
      onNotification: (said) => {
        if (!isStarted) return
        if (
          said.side === "agent" &&
          ownSessions.notification(said, () => void run(passOnNotification(said) ?? Effect.void))
        )
          return
        return passOnNotification(said)
      },
      afterBatch: Effect.suspend(() => {
        conductor.flush()
        return conductor.room
      })
    }
  })

  if (neighbours === undefined) return yield* Effect.die("A connection asks for its handlers at once")
  return { ...neighbours, closed: connection.closed }
})
