/** Decodes rows of the database. A row that can't be decoded counts as damage. */
import { Sequence } from "@signalbox/contracts/Ids"
import { Problem } from "@signalbox/contracts/Problem"
import { ProviderOptions } from "@signalbox/contracts/Provider"
import { type LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { ItemView, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as Schema from "effect/Schema"
import { StorageError } from "./StorageError.ts"
import type { PlacedItem, PlacedTurn } from "./ThreadStore.ts"

export type Row = Readonly<Record<string, unknown>>

const decodeEvent = Schema.decodeUnknownSync(ThreadEvent)
const decodeItem = Schema.decodeUnknownSync(ItemView)
const decodeTurn = Schema.decodeUnknownSync(TurnView)
const decodeHead = Schema.decodeUnknownSync(ThreadHead)
const decodeOptions = Schema.decodeUnknownSync(ProviderOptions)
const decodeProblem = Schema.decodeUnknownSync(Problem)

/**
 * Makes readers of rows. Each throws a `StorageError` for the row's thread if the row is damaged. `path`: the database,
 * for the error.
 */
export const make = (path: string) => {
  const column = <A>(what: string, row: Row, name: string, decode: (json: unknown) => A): A => {
    try {
      return decode(JSON.parse(String(row[name])))
    } catch (error) {
      const detail = `${what} can't be understood: ${String(error)}`
      throw new StorageError({ reason: "corrupt-thread", path, detail })
    }
  }
  return {
    event: (row: Row): LoggedEvent => ({
      sequence: Sequence.make(Number(row.sequence)),
      event: column(`its event ${Number(row.sequence)}`, row, "payload", decodeEvent)
    }),
    item: (row: Row): PlacedItem => ({
      position: Number(row.position),
      item: column(`its entry ${Number(row.position)}`, row, "payload", decodeItem)
    }),
    turn: (row: Row): PlacedTurn => ({
      position: Number(row.position),
      turn: column(`its turn ${Number(row.position)}`, row, "payload", decodeTurn),
      ...(row.first_item !== null && { firstItem: Number(row.first_item) })
    }),
    head: (row: Row): ThreadHead => column("its state", row, "payload", decodeHead),
    providerOptions: (row: Row): ProviderOptions =>
      column("the options of its agent", row, "provider_options", decodeOptions),
    problem: (row: Row): Problem => column("the answer to one of its commands", row, "problem", decodeProblem)
  }
}
