/** `signalbox tape list`. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { TapeFiles } from "../../tape/TapeFolder.ts"
import * as TapeReader from "../../tape/TapeReader.ts"
import { bytesText, durationText } from "../terminal/Amount.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { oneLine } from "../../base/Plain.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as TapeChoice from "./TapeChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ListFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
}

/** A tape as it is listed, and the content of a line of `--json`. */
export interface TapeRow {
  /** The id of the thread. A very long id is replaced by its name in the files. */
  readonly thread: string
  readonly session: string
  /** Undefined if the beginning of the tape can't be read. */
  readonly agent: string | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number | undefined
  readonly changedAt: number
  readonly bytes: number
  /** Paths, in order. */
  readonly parts: ReadonlyArray<string>
}

export const listTapes = Effect.fn("ListTapes")(function* ({ json, stateDir }: ListFlags) {
  const tapes = yield* TapeChoice.kept(yield* StateFolder.of(stateDir))
  if (tapes.length === 0 && !json) return Terminal.err("There are no tapes.")
  const rows = yield* Effect.forEach(tapes, rowOf, { concurrency: 8 })
  const lines = json ? rows.map((row) => jsonText(row)) : tapeTable(rows, yield* Clock.currentTimeMillis)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
})

const rowOf = ({ bytes, changedAt, parts, session, thread }: TapeFiles): Effect.Effect<TapeRow> =>
  Effect.promise(async () => {
    const first = await beginning(parts)
    const start = first?.type === "note" && first.note?.event === "start" ? first.note : undefined
    return {
      thread: start?.threadId ?? thread,
      session,
      agent: start?.provider?.name,
      startedAt: first?.at,
      changedAt,
      bytes,
      parts
    }
  })

/**
 * The first line of a tape. Undefined if it can't be read or is removed meanwhile; then the list shows only what its
 * files say.
 */
const beginning = async (parts: ReadonlyArray<string>): Promise<TapeReader.TapeLine | undefined> => {
  try {
    for await (const line of TapeReader.read(parts.slice(0, 1))) return line.type === "fault" ? undefined : line
  } catch {
    return undefined
  }
  return undefined
}

const shown = 8

export const tapeTable = (rows: ReadonlyArray<TapeRow>, now: number): ReadonlyArray<string> => {
  const columns: ReadonlyArray<Column<TapeRow>> = [
    { heading: "SESSION", cell: ({ session }) => session.slice(0, shown) },
    { heading: "CHANGED", cell: ({ changedAt }) => `${durationText(now - changedAt)} ago`, right: true },
    { heading: "LENGTH", cell: lengthText, right: true },
    { heading: "SIZE", cell: ({ bytes }) => bytesText(bytes), right: true },
    { heading: "PARTS", cell: ({ parts }) => String(parts.length), right: true },
    { heading: "AGENT", cell: ({ agent }) => oneLine(agent ?? "?", 20) },
    { heading: "THREAD", cell: ({ thread }) => oneLine(thread, 40) }
  ]
  return table(columns, rows)
}

const lengthText = ({ changedAt, startedAt }: TapeRow): string =>
  startedAt === undefined ? "?" : durationText(changedAt - startedAt)
