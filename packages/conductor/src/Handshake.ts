/** Initializes one component after the other, as each proxy asks for its successor. It holds all of them to the rules. */
import * as ProxyDialect from "@signalbox/acp/ProxyDialect"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as ChainVersions from "./ChainVersions.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import type { Component } from "./Component.ts"
import * as ProxyInitialization from "./ProxyInitialization.ts"
import type { Seat } from "./Seat.ts"
import type { Star } from "./Star.ts"

/** Cancels a request on the hop where it is; nothing if it is answered already. */
export type Cancel = (() => void) | void

export interface Options {
  readonly star: Star
  /** The proxies, and the agent if there is one. */
  readonly components: ReadonlyArray<Component>
  /** Spellings that were learned before, by the name of the component. What is learned is added. */
  readonly dialects: Map<string, ProxyDialect.ProxyDialect>
  readonly fail: (reason: ChainFailure) => void
}

/** An initialization that was answered with an error. */
export interface Refusal {
  /** The component's name; undefined if it was the successor of the chain. */
  readonly component: string | undefined
  /** The error, as JSON text. */
  readonly error: string
}

/** Gets the answer of whoever was initialized, or that the connection to it is over. */
type Settle = (settled: RawConnection.Settled) => void

export interface Handshake {
  /** Passes `initialize` on that `from` has sent, in the words that its successor has to be initialized with. */
  readonly initialize: (from: number, params: string | undefined, settle: Settle) => Cancel
  /** The component that is to answer next, and whether it is a proxy; undefined if none is. */
  readonly waitsFor: () => { readonly name: string; readonly isProxy: boolean } | undefined
  /** The refusal that came first: proxies before it pass it on, or make another one of it. Undefined if nobody has refused. */
  readonly refusal: () => Refusal | undefined
}

export const make = ({ components, dialects, fail, star }: Options): Handshake => {
  const versions = ChainVersions.make()
  const asked = new Set<number>()
  /** The positions that have initialized their successor. */
  const forwarded = new Set<number>()
  const nameOf = (position: number) => components[position]?.name
  let refusal: Refusal | undefined

  const refuse = (reason: ChainFailure, settle: Settle): void => {
    fail(reason)
    settle(RawMessage.failed(reason.rpcError))
  }

  /** Checks what the component at a position has answered. */
  const onAnswer = (to: number, outcome: ProxyInitialization.Outcome, settle: Settle): void => {
    asked.delete(to)
    if ("failure" in outcome) return refuse(outcome.failure, settle)
    if ("error" in outcome) refusal ??= { component: nameOf(to), error: outcome.error }
    if (!("result" in outcome)) return settle(outcome)
    refusal = undefined
    const wrong = to < star.end ? versions.check(to, nameOf(to), outcome.result) : undefined
    if (wrong !== undefined) return refuse(wrong, settle)
    versions.answered(to, outcome.result)
    settle(outcome)
  }

  const initializeProxy = (
    to: number,
    { component, connection }: Seat,
    params: string | undefined,
    settle: (outcome: ProxyInitialization.Outcome) => void
  ): Cancel => {
    const { name, proxyDialect } = component
    const known = proxyDialect ?? dialects.get(name)
    const tried = known === undefined ? ProxyDialect.all : [known]
    const hasForwarded = () => forwarded.has(to)
    return ProxyInitialization.start(name, connection, tried, params, hasForwarded, (outcome, dialect) => {
      if (dialect !== undefined) dialects.set(name, dialect)
      settle(outcome)
    }).cancel
  }

  return {
    initialize: (from, params, settle) => {
      const wrong = versions.ask(from, nameOf(from), params)
      if (wrong !== undefined) return refuse(wrong, settle)
      forwarded.add(from)
      const to = from + 1
      const onSettled = (outcome: ProxyInitialization.Outcome) => onAnswer(to, outcome, settle)
      asked.add(to)
      const seat = star.seat(to)
      if (to < star.end && seat !== undefined) return initializeProxy(to, seat, params, onSettled)
      const place = star.place(to, "down")
      return place?.connection.request({ side: place.side, method: "initialize", params }, onSettled).cancel
    },
    waitsFor: () => {
      const position = Math.max(...asked)
      const name = nameOf(position)
      return name === undefined ? undefined : { name, isProxy: position < star.end }
    },
    refusal: () => refusal
  }
}
