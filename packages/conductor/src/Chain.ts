/**
 * A running chain: a star of connections with the conductor in its middle. Each message goes on to the neighbour of its sender.
 *
 * Ids and cancellation belong to one connection each. All is passed on synchronously, so that order stays: no response overtakes what its
 * sender wrote before.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as ProxyDialect from "@signalbox/acp/ProxyDialect"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as ChainVersions from "./ChainVersions.ts"
import { ChainFailure } from "./ChainFailure.ts"
import type { Component } from "./Component.ts"
import * as Misplaced from "./Misplaced.ts"
import type { Observer } from "./Observer.ts"
import * as Position from "./Position.ts"
import * as ProxyInitialization from "./ProxyInitialization.ts"
import * as Seat from "./Seat.ts"

export interface Options {
  /** The connection to the client. In proxy mode it leads to the successor of the chain, too. */
  readonly outer: RawConnection.RawConnection
  /** Nearest to the client first. */
  readonly proxies: ReadonlyArray<Component>
  /** Absent in proxy mode. */
  readonly agent: Component | undefined
  /** Spellings that were learned before, by the name of the component. What is learned is added. */
  readonly dialects: Map<string, ProxyDialect.ProxyDialect>
  readonly observer?: Observer | undefined
  readonly onIssue?: ((component: string, issue: RawConnection.Issue) => void) | undefined
}

/** A request that came, and how it is answered. */
interface Arrived {
  readonly request: Pick<RawMessage.RawRequest, "id" | "method" | "params">
  readonly respond: RawConnection.Respond
}

/** Cancels a request on the hop where it is; nothing if it is answered already. */
type Cancel = (() => void) | void

export interface Chain {
  /** Passes a request on that `from` has sent. Returns how to cancel it. */
  readonly request: (
    from: number,
    direction: Position.Direction,
    request: Arrived["request"],
    respond: RawConnection.Respond
  ) => Cancel
  /** Passes a notification on that `from` has sent. */
  readonly notify: (from: number, direction: Position.Direction, said: RawMessage.Said) => void
  /** The position behind the last proxy: the agent, or the successor of the chain. */
  readonly end: number
  /** Completes when every component has room for more. */
  readonly room: Effect.Effect<void>
  /** The component that is to answer its initialization next, and whether it is a proxy; undefined if none is. */
  readonly initializing: () => { readonly name: string; readonly isProxy: boolean } | undefined
  /** Why the chain has failed; undefined if it has not. */
  readonly failure: () => ChainFailure | undefined
  /** Completes when the chain has failed. */
  readonly failed: Effect.Effect<ChainFailure>
  /** Ends all components, and completes when they have ended. That is no failure. */
  readonly stop: Effect.Effect<void>
}

const notConnected = RawMessage.failed(RpcError.internal("The chain is not connected yet"))

/** Starts every component, connects them, and passes messages on until the scope closes. Nobody is initialized yet. */
export const start = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Chain, ChainFailure, Scope.Scope> {
  const { agent, dialects, observer, outer, proxies } = options
  const components = agent === undefined ? proxies : [...proxies, agent]
  const end = proxies.length
  const failed = yield* Deferred.make<ChainFailure>()
  const held = new Set<RawConnection.Respond>()
  const initializing = new Set<number>()
  const versions = ChainVersions.make()
  const seats: Array<Seat.Seat> = []
  let failure: ChainFailure | undefined
  let isStopping = false

  const fail = (reason: ChainFailure): void => {
    if (failure !== undefined || isStopping) return
    failure = reason
    for (const respond of held) respond(RawMessage.failed(reason.rpcError))
    held.clear()
    Deferred.doneUnsafe(failed, Exit.succeed(reason))
  }

  /** The connection to a position, and the side on which it hears what comes from this direction. */
  const placeOf = (to: number, direction: Position.Direction) => {
    if (to === Position.client) return { connection: outer, side: "client" as const }
    if (to === end && agent === undefined) return { connection: outer, side: "agent" as const }
    const seat = seats[to]
    if (seat === undefined) return undefined
    const isProxy = to < end
    return {
      connection: seat.connection,
      side: isProxy && direction === "up" ? ("agent" as const) : ("client" as const)
    }
  }

  /** Answers as the one did who was asked. Where that one is gone, the reason is waited for. */
  const settleWith =
    (to: number, respond: RawConnection.Respond) =>
    (settled: RawConnection.Settled): void => {
      if (!("closed" in settled)) return respond(settled)
      if (failure !== undefined) return respond(RawMessage.failed(failure.rpcError))
      if (to === Position.client || seats[to] === undefined)
        return respond(RawMessage.failed(RpcError.internal("The client has closed its connection")))
      held.add(respond)
    }

  const send = (to: number, direction: Position.Direction, { request, respond }: Arrived): Cancel => {
    const place = placeOf(to, direction)
    if (place === undefined) return respond(notConnected)
    const { method, params } = request
    return place.connection.request({ side: place.side, method, params }, settleWith(to, respond)).cancel
  }

  /** Passes `initialize` on to the next component, in the words that it has to be initialized with. */
  const initialize = (from: number, arrived: Arrived): Cancel => {
    const to = from + 1
    const { params } = arrived.request
    const sender = components[from]?.name
    const wrongRequest = versions.ask(from, sender, params)
    if (wrongRequest !== undefined) return refuse(wrongRequest, arrived.respond)
    initializing.add(to)
    const settle = (outcome: ProxyInitialization.Outcome): void => {
      initializing.delete(to)
      if ("failure" in outcome) return refuse(outcome.failure, arrived.respond)
      const wrongAnswer =
        "result" in outcome && to < end ? versions.check(to, components[to]?.name, outcome.result) : undefined
      if (wrongAnswer !== undefined) return refuse(wrongAnswer, arrived.respond)
      if ("result" in outcome) versions.answered(to, outcome.result)
      settleWith(to, arrived.respond)(outcome)
    }
    const seat = to < end ? seats[to] : undefined
    if (seat === undefined) {
      const place = placeOf(to, "down")
      if (place === undefined) return arrived.respond(notConnected)
      return place.connection.request({ side: place.side, method: "initialize", params }, settle).cancel
    }
    const { name, proxyDialect } = seat.component
    const known = proxyDialect ?? dialects.get(name)
    const tried = known === undefined ? ProxyDialect.all : [known]
    return ProxyInitialization.start(name, seat.connection, tried, params, (outcome, dialect) => {
      if (dialect !== undefined) dialects.set(name, dialect)
      settle(outcome)
    }).cancel
  }

  const refuse = (reason: ChainFailure, respond: RawConnection.Respond): void => {
    fail(reason)
    respond(RawMessage.failed(reason.rpcError))
  }

  const request: Chain["request"] = (from, direction, asked, answer) => {
    const to = Position.next(from, direction)
    observer?.request(from, to, asked.id, asked)
    const respond: RawConnection.Respond =
      observer === undefined
        ? answer
        : (answered) => {
            observer.response(to, from, asked.id, answered)
            answer(answered)
          }
    if (Misplaced.is(asked.method)) return respond(Misplaced.answer(asked.method))
    const arrived = { request: asked, respond }
    return direction === "down" && asked.method === "initialize"
      ? initialize(from, arrived)
      : send(to, direction, arrived)
  }

  const notify: Chain["notify"] = (from, direction, { method, params }) => {
    // A cancellation names an id of one connection. Nowhere else does it mean anything.
    if (Misplaced.is(method) || method === "$/cancel_request") return
    const to = Position.next(from, direction)
    const place = placeOf(to, direction)
    if (place === undefined) return
    observer?.notification(from, to, { method, params })
    place.connection.notify({ side: place.side, method, params })
  }

  /** What the component at a position says. On a proxy's connection the envelope marks what goes down. */
  const handlersOf = (position: number, name: string) => (): RawConnection.Handlers => {
    const directionOf = (side: RawMessage.Side): Position.Direction => (side === "agent" ? "down" : "up")
    const isLast = position === end
    return {
      onRequest: (asked, respond) => {
        if (isLast && asked.side === "agent") return respond(Misplaced.answer("proxy/successor"))
        return request(position, directionOf(asked.side), asked, respond)
      },
      onNotification: (said) => {
        if (!(isLast && said.side === "agent")) notify(position, directionOf(said.side), said)
      },
      // Readers wait toward the client only: were they to wait in both directions, two full ones would block each other.
      afterBatch: Effect.suspend(() => placeOf(position - 1, "up")?.connection.room ?? Effect.void),
      onIssue: options.onIssue && ((issue) => options.onIssue?.(name, issue))
    }
  }

  const started = yield* Effect.forEach(components, ({ start }) => start, { concurrency: "unbounded" })
  for (const [position, component] of components.entries()) {
    const begun = started[position]
    if (begun === undefined) continue
    const connection = yield* RawConnection.make(begun.link, handlersOf(position, component.name))
    const seat = { component, started: begun, connection }
    seats.push(seat)
    yield* Effect.forkScoped(Effect.map(Seat.lost(seat), fail))
  }

  return {
    request,
    notify,
    end,
    failure: () => failure,
    failed: Deferred.await(failed),
    initializing: () => {
      const position = Math.max(...initializing)
      const component = components[position]
      return component && { name: component.name, isProxy: position < end }
    },
    room: Effect.forEach(seats, ({ connection }) => connection.room, { discard: true }),
    stop: Effect.suspend(() => {
      isStopping = true
      return Effect.forEach(seats, Seat.stop, { discard: true, concurrency: "unbounded" })
    })
  }
})
