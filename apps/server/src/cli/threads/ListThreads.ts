/** `signalbox threads list`. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { durationText } from "../terminal/Amount.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { oneLine } from "../../base/Plain.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ThreadRows from "./ThreadRows.ts"
import * as StateFolder from "../server/StateFolder.ts"

export interface ListFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
}

export const listThreads = Effect.fn("ListThreads")(function* ({ json, stateDir }: ListFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(stateDir))
  const rows = [...(yield* ThreadRows.read(server)).values()].sort(newestFirst)
  if (rows.length === 0 && !json) return Terminal.err("There are no threads.")
  const lines = json ? rows.map((row) => jsonText(row)) : threadTable(rows, yield* Clock.currentTimeMillis)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
}, Effect.scoped)

const newestFirst = (one: ThreadSummary, other: ThreadSummary): number => other.updatedAt - one.updatedAt

/**
 * The threads as a table. `shortId` shortens an id. A caller that lists only some threads gives one that is unique
 * among all.
 */
export const threadTable = (
  rows: ReadonlyArray<ThreadSummary>,
  now: number,
  shortId = ThreadRows.shortIds(rows.map(({ threadId }) => threadId))
): ReadonlyArray<string> => {
  const columns: ReadonlyArray<Column<ThreadSummary>> = [
    { heading: "ID", cell: ({ threadId }) => shortId(threadId) },
    { heading: "STATUS", cell: statusText },
    { heading: "AGENT", cell: ({ provider }) => oneLine(provider.name, 20) },
    { heading: "UNCHANGED", cell: ({ updatedAt }) => durationText(now - updatedAt), right: true },
    { heading: "TITLE", cell: ({ title }) => oneLine(title) }
  ]
  return table(columns, rows)
}

const statusText = ({ draft, held, status, unreadable }: ThreadSummary): string => {
  if (unreadable !== undefined) return "unreadable"
  return `${status ?? "new"}${held ? ", held" : ""}${draft ? ", draft" : ""}`
}
