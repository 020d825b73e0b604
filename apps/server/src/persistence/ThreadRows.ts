/** What stands in the rows of the database, understood again. A row that does not say what it should is damage like any other. */
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

/** For the database at `path`, which errors name. Each throws a `StorageError` on damage. */
export const make = (path: string) => {
  const column = <A>(row: Row, name: string, decode: (json: unknown) => A): A => {
    try {
      return decode(JSON.parse(String(row[name])))
    } catch (error) {
      throw new StorageError({ reason: "corrupt", path, detail: `a row can't be understood: ${String(error)}` })
    }
  }
  return {
    event: (row: Row): LoggedEvent => ({
      sequence: Sequence.make(Number(row.sequence)),
      event: column(row, "payload", decodeEvent)
    }),
    item: (row: Row): PlacedItem => ({ position: Number(row.position), item: column(row, "payload", decodeItem) }),
    turn: (row: Row): PlacedTurn => ({
      position: Number(row.position),
      turn: column(row, "payload", decodeTurn),
      ...(row.first_item !== null && { firstItem: Number(row.first_item) })
    }),
    head: (row: Row): ThreadHead => column(row, "payload", decodeHead),
    providerOptions: (row: Row): ProviderOptions => column(row, "provider_options", decodeOptions),
    problem: (row: Row): Problem => column(row, "problem", decodeProblem)
  }
}

export type ThreadRows = ReturnType<typeof make>
