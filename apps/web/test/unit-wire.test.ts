/** What a page keeps of a wire, and which rows of it people see. */
import { assert, describe, it } from "vitest"
import type { WireFrame, WireRow } from "@signalbox/contracts/Wire"
import type { WireNews } from "../src/connection/wire.ts"
import { countOf, everything, nothing, shownOf, withNews } from "../src/wire/wireState.ts"
import { countWords, markOf, nameOf, summaryOf, wayOf } from "../src/wire/wireWords.ts"

const row = (line: number, members: Partial<WireRow> = {}): WireRow => ({
  line,
  lines: [],
  at: line,
  from: 0,
  to: 1,
  kind: "notification",
  method: "session/update",
  summary: "",
  ...members
})
const rows = (...all: ReadonlyArray<WireRow>): WireFrame => ({ type: "rows", rows: all })
const linesOf = ({ rows: all }: { readonly rows: ReadonlyArray<WireRow> }) => all.map(({ line }) => line)

/** More rows than any test has. */
const most = 100

describe("the wire on a page", () => {
  it("keeps rows in the order of their lines, and takes a row that has changed in its place", () => {
    const state = withNews(nothing, [rows(row(1), row(2)), rows(row(4), row(2, { to: 3 }), row(3))], most)
    assert.deepStrictEqual(linesOf(state), [1, 2, 3, 4])
    assert.strictEqual(state.rows[1]?.to, 3)
  })

  it("leaves the oldest out beyond its bound, says how many, and takes no news of them", () => {
    const before = withNews(nothing, [{ type: "rows", rows: [row(5), row(6)], left: 4 }], most)
    const state = withNews(before, [rows(row(7), row(8))], 3)
    assert.deepStrictEqual([linesOf(state), state.left], [[6, 7, 8], 5])
    assert.deepStrictEqual(linesOf(withNews(state, [rows(row(5, { to: 2 }))], 3)), [6, 7, 8])
  })

  it("begins again with a new connection: no row and no fault twice, and the number of earlier rows is that of the last one", () => {
    const first: ReadonlyArray<WireNews> = [
      { type: "begin" },
      { type: "places", places: ["Signalbox", "Cursor"] },
      { type: "fault", line: 2, reason: "Lines 2 to 4 are not there." },
      { type: "rows", rows: [row(5), row(6)], left: 4 },
      { type: "current" }
    ]
    const before = withNews(nothing, first, most)
    const lost = withNews(before, [{ type: "begin" }], most)
    assert.deepStrictEqual(linesOf(lost), [5, 6])
    const again = withNews(lost, [...first.slice(1, 3), { type: "rows", rows: [row(6), row(7)], left: 5 }], most)
    assert.deepStrictEqual([linesOf(again), again.left, again.faults], [[6, 7], 5, ["Lines 2 to 4 are not there."]])
  })

  it("keeps what it has once the tape is gone, and says so until another one comes", () => {
    const before = withNews(nothing, [{ type: "begin" }, rows(row(1)), { type: "gone" }], most)
    const gone = withNews(before, [{ type: "begin" }, { type: "gone" }], most)
    assert.deepStrictEqual([linesOf(gone), gone.isOver], [[1], true])
    const back = withNews(gone, [{ type: "begin" }, rows(row(2))], most)
    assert.deepStrictEqual([linesOf(back), back.isOver], [[2], false])
  })

  it("finds rows by the hop that they pass, by all their words, and by what became of them", () => {
    const all = [
      row(1, { from: 0, to: 3, kind: "request", method: "session/prompt", id: "7", summary: '"Look."', pair: 4 }),
      row(2, { from: 3, to: 2, kind: "request", method: "tools/call" }),
      row(3, { from: 1, to: 0, changed: 2 }),
      row(4, { from: 3, to: 0, kind: "answer", error: true })
    ]
    const find = (filter: Partial<typeof everything>) =>
      shownOf(all, { ...everything, ...filter }).map(({ line }) => line)
    assert.deepStrictEqual(find({ hop: 0 }), [1, 3, 4])
    assert.deepStrictEqual(find({ hop: 2 }), [1, 2, 4])
    assert.deepStrictEqual(find({ text: " PROMPT 7 look" }), [1])
    assert.deepStrictEqual(find({ text: "prompt 8" }), [])
    assert.deepStrictEqual(find({ only: "changed" }), [3])
    assert.deepStrictEqual([find({ only: "open" }), countOf(all, "open")], [[2], 1])
    assert.deepStrictEqual(find({ only: "errors", hop: 1 }), [4])
  })

  it("says the way, what became of a message, and how many came through", () => {
    const places = ["Signalbox", "Packages", "Cursor"]
    assert.strictEqual(wayOf(row(1, { from: 2, to: 0 }), places), "Cursor to Signalbox")
    assert.strictEqual(wayOf(row(1, { from: 2, to: 2 }), places), "Cursor")
    const open = row(1, { kind: "request" })
    assert.strictEqual(markOf(open, places, true), "no answer yet")
    assert.strictEqual(markOf(open, places, false), "no answer")
    const missed = { ...open, missed: true }
    assert.strictEqual(markOf(missed, places, true), "no answer here: lines are missing")
    assert.deepStrictEqual([countOf([open], "open"), countOf([missed], "open")], [1, 0])
    assert.strictEqual(markOf(row(1, { from: 1, changed: 1 }), places, true), "changed by Packages")
    assert.isUndefined(markOf(row(1, { kind: "request", pair: 2 }), places, true))
    assert.strictEqual(nameOf(row(1, { mcp: true, method: "tools/call" })), "mcp tools/call")
    const pieces = row(1, { summary: "chunk", times: { sent: 3, arrived: 3 } })
    assert.strictEqual(summaryOf(pieces), "chunk × 3")
    assert.strictEqual(summaryOf({ ...pieces, times: { sent: 3, arrived: 2 } }), "chunk × 3, 2 came through")
    assert.strictEqual(summaryOf(row(1, { kind: "answer" })), "result")
  })

  it("says how many rows are seen, and how many are not here", () => {
    assert.strictEqual(countWords(17, 17, 0), "17 rows")
    assert.strictEqual(countWords(1, 17, 1), "1 of 17 rows. 1 earlier one is not shown.")
    assert.strictEqual(countWords(17, 17, 2345), "17 rows. 2,345 earlier ones are not shown.")
  })
})
