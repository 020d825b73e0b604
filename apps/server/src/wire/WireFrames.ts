/** A tape as the frames that a page gets: the latest rows first, then what comes. */
import type { WireFrame, WireRow } from "@signalbox/contracts/Wire"
import * as Stream from "effect/Stream"
import type * as TapeFollow from "../tape/TapeFollow.ts"
import * as WireRows from "./WireRows.ts"

/** Rows in one frame. */
const mostInFrame = 500

/** @param most how many rows are sent of what the tape has already */
export const frames = <E>(tape: Stream.Stream<TapeFollow.Batch, E>, most: number): Stream.Stream<WireFrame, E> =>
  Stream.suspend(() => {
    const rows = WireRows.make()
    const latest = latestRows(most)
    let isCurrent = false
    let faults: Array<WireFrame> = []
    let named: ReadonlyArray<string> | undefined

    const headed = (news: ReadonlyArray<WireFrame>): ReadonlyArray<WireFrame> => {
      const before = faults
      faults = []
      if (named === rows.places()) return [...before, ...news]
      named = rows.places()
      return [{ type: "places", places: named }, ...before, ...news]
    }

    const take = (batch: TapeFollow.Batch): ReadonlyArray<WireFrame> => {
      for (const line of batch)
        if (line.type === "fault") {
          faults.push({ type: "fault", line: line.place.line, reason: line.reason })
          rows.miss()
        } else rows.take(line)
      const news = rows.changed()
      if (isCurrent) return headed(parted(news, 0))
      latest.add(news)
      if (batch.length > 0) return []
      isCurrent = true
      return headed([...parted(latest.take(), latest.left()), { type: "current" }])
    }
    return Stream.concat(Stream.flattenIterable(Stream.map(tape, take)), Stream.succeed<WireFrame>({ type: "gone" }))
  })

const parted = (rows: ReadonlyArray<WireRow>, left: number): ReadonlyArray<WireFrame> =>
  Array.from({ length: Math.ceil(rows.length / mostInFrame) }, (_, part) => ({
    type: "rows",
    rows: rows.slice(part * mostInFrame, (part + 1) * mostInFrame),
    ...(part === 0 && left > 0 && { left })
  }))

/** Keeps the latest rows. What changes in an earlier one is not kept. */
const latestRows = (most: number) => {
  const kept = new Map<number, WireRow>()
  let left = 0
  let before = 0
  return {
    add: (rows: ReadonlyArray<WireRow>) => {
      for (const row of rows) if (row.line > before) kept.set(row.line, row)
      for (const [line] of kept) {
        if (kept.size <= most) break
        kept.delete(line)
        before = line
        left += 1
      }
    },
    left: () => left,
    take: () => {
      const rows = [...kept.values()]
      kept.clear()
      return rows
    }
  }
}
