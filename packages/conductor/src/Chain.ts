/**
 * A running chain: a star of connections with the conductor in its middle. Each message goes on to the neighbour of its sender.
 *
 * Ids and cancellation belong to one connection each. All is passed on synchronously, so that order stays: no response overtakes what its
 * sender wrote before.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ProxyDialect } from "@signalbox/acp/ProxyDialect"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ChainEnd from "./ChainEnd.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import type { Component } from "./Component.ts"
import * as Flood from "./Flood.ts"
import * as Handshake from "./Handshake.ts"
import * as Misplaced from "./Misplaced.ts"
import type { Observer } from "./Observer.ts"
import * as Position from "./Position.ts"
import * as Seat from "./Seat.ts"
import * as SenderError from "./SenderError.ts"
import * as Star from "./Star.ts"

export interface Options {
  /** The connection to the client. In proxy mode it leads to the successor of the chain, too. */
  readonly outer: RawConnection.RawConnection
  /** Nearest to the client first. */
  readonly proxies: ReadonlyArray<Component>
  /** Absent in proxy mode. */
  readonly agent: Component | undefined
  /** Spellings that were learned before, by the name of the component. What is learned is added. */
  readonly dialects: Map<string, ProxyDialect>
  readonly observer?: Observer | undefined
  readonly onIssue?: ((component: string, issue: RawConnection.Issue) => void) | undefined
}

type Request = Pick<RawMessage.RawRequest, "id" | "method" | "params">

export interface Chain {
  /** Passes a request on that `from` has sent. Returns how to cancel it. */
  readonly request: (
    from: number,
    direction: Position.Direction,
    request: Request,
    respond: RawConnection.Respond
  ) => Handshake.Cancel
  /** Passes a notification on that `from` has sent. */
  readonly notify: (from: number, direction: Position.Direction, said: RawMessage.Said) => void
  /** Hands over at once, in memory, what was passed on. */
  readonly flush: () => void
  /** The position behind the last proxy: the agent, or the successor of the chain. */
  readonly end: number
  /** Completes when every component has room for more. */
  readonly room: Effect.Effect<void>
  /** The component that is to answer its initialization next, and whether it is a proxy; undefined if none is. */
  readonly initializing: Handshake.Handshake["waitsFor"]
  /** Who refused its initialization first; undefined if nobody did. */
  readonly refusal: Handshake.Handshake["refusal"]
  /** Why the chain has failed; undefined if it has not. */
  readonly failure: () => ChainFailure | undefined
  /** Completes when the chain has failed. */
  readonly failed: Effect.Effect<ChainFailure>
  /** Ends all components, and completes when they have ended. That is no failure. */
  readonly stop: Effect.Effect<void>
}

const notConnected = RawMessage.failed(RpcError.internal("The chain is not connected yet"))

/** Answers through an observer. */
const observed =
  (observer: Observer, from: number, to: number, id: string, respond: RawConnection.Respond): RawConnection.Respond =>
  (answer) => {
    observer.response(from, to, id, answer)
    respond(answer)
  }

/** Passes messages on between the connections of a star. */
const routes = (
  star: Star.Star,
  handshake: Handshake.Handshake,
  end: ChainEnd.ChainEnd,
  observer: Observer | undefined
): Pick<Chain, "notify" | "request"> => {
  /** Answers as the one did who was asked. */
  const settleWith =
    (to: number, respond: RawConnection.Respond) =>
    (settled: RawConnection.Settled): void => {
      if (!("closed" in settled)) return respond(settled)
      if (star.seat(to) === undefined) end.answerAlone(respond)
      else end.answerLost(respond)
    }

  /** Ends the chain if somebody outside of it writes more than is read. Components are looked at behind each batch. */
  const isFlood = (from: number, params: string | undefined): boolean => {
    if (star.seat(from) !== undefined || !Flood.isAt(star.waiting() + (params?.length ?? 0))) return false
    const most = Math.max(...star.seats.map(({ connection }) => connection.waiting()))
    const reader = star.seats.find(({ connection }) => connection.waiting() === most)?.component.name ?? "the chain"
    end.fail(Flood.from(from === Position.client ? "The client" : "The successor of the chain", reader))
    return true
  }

  const request: Chain["request"] = (from, direction, { id, method, params }, answer) => {
    const to = Position.next(from, direction)
    observer?.request(from, to, id, { method, params })
    const respond = observer === undefined ? answer : observed(observer, to, from, id, answer)
    if (Misplaced.is(method)) return respond(Misplaced.answer(method, star.seat(from)?.component.name))
    const place = star.place(to, direction)
    if (place === undefined) return respond(notConnected)
    if (isFlood(from, params)) return end.answerLost(respond)
    const settle = settleWith(to, respond)
    return direction === "down" && method === "initialize"
      ? handshake.initialize(from, params, settle)
      : place.connection.request({ side: place.side, method, params }, settle).cancel
  }

  const notify: Chain["notify"] = (from, direction, { method, params }) => {
    // A cancellation names an id of one connection. Nowhere else does it mean anything.
    if (Misplaced.is(method) || method === "$/cancel_request") return
    const to = Position.next(from, direction)
    const place = star.place(to, direction)
    if (place === undefined || isFlood(from, params)) return
    observer?.notification(from, to, { method, params })
    place.connection.notify({ side: place.side, method, params })
  }

  return { notify, request }
}

/** An envelope marks what a proxy says to its successor. */
const directionOf = (side: RawMessage.Side): Position.Direction => (side === "agent" ? "down" : "up")

/** A component in its chain, while it is connected. */
interface Connected {
  readonly position: number
  readonly name: string
  /** What its successor is called in errors. */
  readonly successor: string
  readonly own: RawConnection.RawConnection
}

/** What becomes of the messages of a component. */
const handlersOf = (
  { name, own, position, successor }: Connected,
  star: Star.Star,
  { notify, request }: Pick<Chain, "notify" | "request">,
  ended: (reason: ChainFailure) => Effect.Effect<void>,
  onIssue: ((issue: RawConnection.Issue) => void) | undefined
): RawConnection.Handlers => {
  const isLast = position === star.end
  return {
    onRequest: (asked, respond) => {
      if (isLast && asked.side === "agent") return respond(Misplaced.answer("proxy/successor", name))
      return request(position, directionOf(asked.side), asked, respond)
    },
    onNotification: (said) => {
      if (!(isLast && said.side === "agent")) notify(position, directionOf(said.side), said)
    },
    // Readers wait toward the client only: were they to wait in both directions, two full ones would block each other.
    afterBatch: Effect.suspend(() => {
      star.place(position - 1, "up")?.connection.flush()
      const below = star.place(position + 1, "down")?.connection
      below?.flush()
      if (Flood.isAt(below?.waiting() ?? 0)) return ended(Flood.by(name, successor))
      return Flood.isAt(own.waiting()) ? ended(Flood.unread(name)) : star.roomBefore(position)
    }),
    onIssue,
    refusal: SenderError.to(name)
  }
}

/** Starts every component, connects them, and passes messages on until the scope closes. Nobody is initialized yet. */
export const start = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Chain, ChainFailure, Scope.Scope> {
  const { agent, dialects, observer, onIssue, outer, proxies } = options
  const components = agent === undefined ? proxies : [...proxies, agent]
  const star = Star.make(outer, proxies.length, agent === undefined ? "proxy" : "agent")
  const end = ChainEnd.make()
  const handshake = Handshake.make({ star, components, dialects, fail: end.fail })
  const passing = routes(star, handshake, end, observer)
  /** Nothing more is read from whoever floods. */
  const ended = (reason: ChainFailure) =>
    Effect.andThen(
      Effect.sync(() => end.fail(reason)),
      Effect.never
    )

  const all = yield* Effect.forEach(
    components,
    (component) => Effect.map(component.start, (started) => ({ component, started })),
    { concurrency: "unbounded" }
  )
  for (const [position, { component, started }] of all.entries()) {
    const issueOf = onIssue && ((issue: RawConnection.Issue) => onIssue(component.name, issue))
    const successor = components[position + 1]?.name ?? "the successor of the chain"
    const handlers = (own: RawConnection.RawConnection) =>
      handlersOf({ position, name: component.name, successor, own }, star, passing, ended, issueOf)
    const connection = yield* RawConnection.make(started.link, handlers)
    const seat = { component, started, connection }
    star.add(seat)
    yield* Effect.forkScoped(Effect.map(Seat.lost(seat), end.fail))
  }

  return {
    ...passing,
    flush: () => {
      for (const { connection } of star.seats) connection.flush()
    },
    end: star.end,
    failure: end.failure,
    failed: end.failed,
    initializing: handshake.waitsFor,
    refusal: handshake.refusal,
    room: star.room,
    stop: Effect.suspend(() => {
      end.stopping()
      return Effect.forEach(star.seats, Seat.stop, { discard: true, concurrency: "unbounded" })
    })
  }
})
