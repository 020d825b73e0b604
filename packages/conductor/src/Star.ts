/** The connections of a chain: one for each component, and the one to the client. */
import type * as RawConnection from "@signalbox/acp/RawConnection"
import type { Side } from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Position from "./Position.ts"
import type { Seat } from "./Seat.ts"

/** The next hop of a message: a connection, and the side on which its other end hears it. */
export interface Place {
  readonly connection: RawConnection.RawConnection
  readonly side: Side
}

export interface Star {
  /** The component at a position; undefined at the ends that the client's connection leads to, and before it is connected. */
  readonly seat: (position: number) => Seat | undefined
  readonly seats: ReadonlyArray<Seat>
  /** Connects one component more, behind the last one. */
  readonly add: (seat: Seat) => void
  /** The place that a message reaches at a position, from this direction; undefined before it is connected. */
  readonly place: (to: number, direction: Position.Direction) => Place | undefined
  /** The position behind the last proxy. */
  readonly end: number
  /** Characters that wait for all components together, about. */
  readonly waiting: () => number
  /** Completes when every component has room for more. */
  readonly room: Effect.Effect<void>
  /** Completes when the client and every component that stands before a position have room: what comes next is read then. */
  readonly roomBefore: (position: number) => Effect.Effect<void>
}

/**
 * @param outer the connection to the client; in proxy mode it leads to the successor of the chain, too
 * @param proxies how many there are
 */
export const make = (outer: RawConnection.RawConnection, proxies: number, mode: "agent" | "proxy"): Star => {
  const seats: Array<Seat> = []
  const places: { readonly [Direction in Position.Direction]: Array<Place> } = { down: [], up: [] }
  const client: Place = { connection: outer, side: "client" }
  const successor: Place = { connection: outer, side: "agent" }
  return {
    seat: (position) => seats[position],
    seats,
    add: (seat) => {
      const { connection } = seat
      // An envelope marks for a proxy what comes from its successor. An agent knows no envelope.
      const isProxy = seats.push(seat) <= proxies
      places.down.push({ connection, side: "client" })
      places.up.push({ connection, side: isProxy ? "agent" : "client" })
    },
    place: (to, direction) => {
      if (to === Position.client) return client
      if (to === proxies && mode === "proxy") return successor
      return places[direction][to]
    },
    end: proxies,
    waiting: () => seats.reduce((sum, { connection }) => sum + connection.waiting(), 0),
    room: Effect.suspend(() => roomOf(seats.map(({ connection }) => connection))),
    roomBefore: (position) =>
      Effect.suspend(() => roomOf([outer, ...seats.slice(0, position).map(({ connection }) => connection)]))
  }
}

const roomOf = (connections: ReadonlyArray<RawConnection.RawConnection>): Effect.Effect<void> =>
  Effect.forEach(connections, ({ room }) => room, { discard: true })
