/** Suggestions in the editor, without a browser: what is reported, what is drawn, and what typing makes of it. */
import { assert, describe, it, vi } from "@effect/vitest"
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type { SuggestedPlace } from "@signalbox/contracts/Suggestions"
import * as Positions from "@signalbox/acp/Positions"
import { history, redo, undo } from "@codemirror/commands"
import { EditorSelection, EditorState, Text, type TransactionSpec } from "@codemirror/state"
import { toDoc } from "../src/editor/lineEnds.ts"
import { changeLog, changesBetween, type Version } from "../src/editor/reporting/changeLog.ts"
import { hunksOf } from "../src/editor/suggestions/hunks.ts"
import { hintOf } from "../src/editor/suggestions/hint.ts"
import { isNear, type OfferedEdit, offer, showOffer, shownIn } from "../src/editor/suggestions/offer.ts"
import { editIn, offeredIn } from "../src/editor/suggestions/offers.ts"
import { offsetOf, positionOf } from "../src/editor/reporting/positions.ts"
import * as Reporter from "../src/editor/reporting/Reporter.ts"
import { isProse, proposedKeys } from "../src/editor/suggestions/places.ts"
import { initial, type Status } from "../src/editor/suggestions/Status.ts"
import { sentParts } from "../src/editor/suggestions/sentParts.ts"
import { lineOf } from "../src/editor/suggestions/statusWords.ts"
import { changesSince, textOf } from "../src/editor/reporting/reports.ts"

/** Numbers that look like chance and are the same each time. */
const numbers = (seed: number) => {
  let rest = seed
  return (below: number) => {
    rest = (rest * 1103515245 + 12345) % 2147483648
    return Math.floor(rest / 65536) % below
  }
}

const pieces = { lf: ["a", "é", "😀", " ", "const x", "\n"], cr: ["a", "😀", "\r"], crlf: ["a", "b c", "😀", "\r\n"] }
const mixed = ["a", "\r", "\n", "\r\n", "😀", "b"]

const textWith = (next: (below: number) => number, some: ReadonlyArray<string>, length: number): string =>
  Array.from({ length }, () => some[next(some.length)] ?? "").join("")

const state = (text: string, lineEnd: LineEnd, more: TransactionSpec["effects"] = []) => {
  const made = EditorState.create({
    doc: toDoc(text, lineEnd),
    extensions: [changeLog, offer, history(), lineEnd === "mixed" ? EditorState.lineSeparator.of("\n") : []]
  })
  return made.update({ effects: more }).state
}

describe("reports of a document", () => {
  it("have the places of the file’s own lines, whatever its line ends", () => {
    for (const lineEnd of ["lf", "crlf", "cr", "mixed"] as const) {
      const next = numbers(lineEnd.length)
      for (let round = 0; round < 300; round++) {
        const text = textWith(next, lineEnd === "mixed" ? mixed : pieces[lineEnd], 12)
        const doc = toDoc(text, lineEnd)
        const lines = Positions.of(text)
        for (let offset = 0; offset <= doc.length; offset++) {
          const position = positionOf(doc, lineEnd, offset)
          const inText = textOf(doc.slice(0, offset), lineEnd).length
          // Within a character, and between CR and LF, is no place.
          if (/^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(inText - 1, inText + 1))) continue
          assert.deepStrictEqual(position, lines.positionAt(inText), JSON.stringify([text, offset]))
          assert.strictEqual(offsetOf(doc, lineEnd, position), offset)
        }
        assert.strictEqual(offsetOf(doc, lineEnd, { line: 99, character: 0 }), doc.length)
      }
    }
  })

  it("make the server’s copy equal to the page’s text, over thousands of changes, undo and several carets", () => {
    for (const lineEnd of ["lf", "crlf", "mixed"] as const) {
      const next = numbers(7 + lineEnd.length)
      const first = textWith(next, lineEnd === "mixed" ? mixed : pieces[lineEnd], 200)
      let now = state(first, lineEnd)
      let copy = Positions.of(first)
      let reported = { version: now.field(changeLog), lineEnd }
      let full = 0
      for (let round = 0; round < 3000; round++) {
        const places = Array.from({ length: 1 + next(3) }, () => next(now.doc.length + 1)).sort((a, b) => a - b)
        const kind = next(12)
        if (kind === 0) undo({ state: now, dispatch: (transaction) => (now = transaction.state) })
        else if (kind === 1) redo({ state: now, dispatch: (transaction) => (now = transaction.state) })
        else
          now = now.update({
            changes: places.map((from, index) => ({
              from,
              to: Math.min(from + next(4), places[index + 1] ?? now.doc.length),
              insert: Text.of(textWith(next, ["x", "\n", "😀", "y z"], next(4)).split("\n"))
            }))
          }).state
        if (next(3) > 0) continue
        const latest = { version: now.field(changeLog), lineEnd }
        const changes = changesSince(reported, latest)
        if (changes === undefined) {
          full += 1
          copy = Positions.of(textOf(now.doc, lineEnd))
        } else copy = copy.change(changes)
        reported = latest
        assert.strictEqual(copy.text, textOf(now.doc, lineEnd))
      }
      assert.strictEqual(full, 0)
    }
  })

  it("are in full after another line end, and where the log does not reach back", () => {
    let now = state("one\n", "lf")
    const reported = { version: now.field(changeLog), lineEnd: "lf" } as const
    assert.isUndefined(changesSince(reported, { version: now.field(changeLog), lineEnd: "crlf" }))
    for (let typed = 0; typed < 1500; typed++) now = now.update({ changes: { from: 0, insert: "x" } }).state
    assert.isUndefined(changesSince(reported, { version: now.field(changeLog), lineEnd: "lf" }))
    assert.strictEqual(now.field(changeLog).number, 1501)
  })

  it("reach back over the latest versions for everybody who reports, and over no more than twice as many", () => {
    let now = state("one\n", "lf")
    const versions: Array<Version> = [now.field(changeLog)]
    for (let typed = 0; typed < 5000; typed++) {
      now = now.update({ changes: { from: 0, insert: "x" } }).state
      const latest = now.field(changeLog)
      const near = versions.at(-200)
      if (near !== undefined) assert.lengthOf(changesBetween(near, latest) ?? [], 200)
      versions.push(latest)
    }
    let kept = 0
    for (let at = now.field(changeLog); at.made !== undefined; at = at.made.from) kept += 1
    assert.isAtMost(kept, 512)
  })
})

/** A reporter whose batches are answered by the test. */
const reporting = (...texts: ReadonlyArray<string>) => {
  const batches: Array<{
    readonly reports: ReadonlyArray<DocumentReport>
    readonly answer: (taken?: Partial<ReportsTaken>) => void
    readonly refuse: () => void
  }> = []
  const settled = vi.fn<() => void>()
  const refused = vi.fn<(error: unknown) => void>()
  const reporter = Reporter.make(
    (reports) =>
      new Promise((resolve, reject) => {
        batches.push({
          reports,
          answer: (taken) => resolve({ withheld: [], again: [], elsewhere: [], ...taken }),
          refuse: () => reject(new Error("no connection"))
        })
      }),
    settled,
    refused
  )
  const documents = texts.map((text, index) => {
    let now = state(text, "lf")
    const document: Reporter.Reportable = {
      path: `${index}.ts`,
      text: () => ({ state: now, lineEnd: "lf", view: undefined })
    }
    return {
      document,
      type: (insert: string) => {
        now = now.update({ changes: { from: now.doc.length, insert } }).state
        reporter.look()
      }
    }
  })
  for (const { document } of documents) reporter.add(document)
  const batch = async (number: number) => {
    await vi.waitFor(() => assert.isAtLeast(batches.length, number))
    const found = batches[number - 1]
    assert.isDefined(found)
    return found
  }
  return { reporter, documents, batches, batch, settled, refused }
}

const inShort = (reports: ReadonlyArray<DocumentReport>): ReadonlyArray<string> =>
  reports.map((report) =>
    report.type === "opened"
      ? `${report.path} ${report.text}`
      : report.type === "changed"
        ? `${report.path} +${report.changes.map(({ text }) => text).join()}`
        : `${report.path} ${report.type}`
  )

describe("a reporter", () => {
  it("sends one batch at a time: what is typed meanwhile goes with the next one, as one change", async () => {
    const { batch, batches, documents, reporter, settled } = reporting("a", "b")
    const [one, other] = documents
    assert.isDefined(one)
    assert.isDefined(other)
    assert.deepStrictEqual(inShort((await batch(1)).reports), ["0.ts a", "1.ts b"])
    one.type("x")
    one.type("y")
    assert.isUndefined(reporter.versionOf(one.document))
    assert.strictEqual(batches.length, 1)
    ;(await batch(1)).answer()
    assert.deepStrictEqual(inShort((await batch(2)).reports), ["0.ts +xy"])
    assert.strictEqual(settled.mock.calls.length, 0)
    ;(await batch(2)).answer()
    await vi.waitFor(() => assert.strictEqual(settled.mock.calls.length, 1))
    assert.strictEqual(reporter.versionOf(one.document), 3)
    reporter.saved(one.document)
    reporter.remove(other.document)
    assert.deepStrictEqual(inShort((await batch(3)).reports), ["1.ts closed", "0.ts saved"])
    reporter.stop()
  })

  it("sends everything in full after a batch without an answer, and what the server can’t follow", async () => {
    const { batch, documents, refused, reporter } = reporting("a", "b")
    const [one, other] = documents
    assert.isDefined(one)
    assert.isDefined(other)
    ;(await batch(1)).answer()
    one.type("x")
    ;(await batch(2)).refuse()
    assert.deepStrictEqual(inShort((await batch(3)).reports), ["0.ts ax", "1.ts b"])
    assert.strictEqual(refused.mock.calls.length, 1)
    ;(await batch(3)).answer({ again: ["1.ts"] })
    assert.deepStrictEqual(inShort((await batch(4)).reports), ["1.ts b"])
    // Another page has it: it is left alone until it may be edited here again.
    ;(await batch(4)).answer({ elsewhere: ["1.ts"] })
    other.type("y")
    one.type("z")
    assert.deepStrictEqual(inShort((await batch(5)).reports), ["0.ts +z"])
    reporter.look(other.document, true)
    ;(await batch(5)).answer()
    assert.deepStrictEqual(inShort((await batch(6)).reports), ["1.ts by"])
    // A server that has forgotten everything does not wait for the pause after a failure.
    ;(await batch(6)).refuse()
    await vi.waitFor(() => assert.strictEqual(refused.mock.calls.length, 2))
    reporter.again()
    assert.deepStrictEqual(inShort((await batch(7)).reports), ["0.ts axz", "1.ts by"])
    reporter.stop()
  })
})

/** An edit of lines from 1 and columns from 1, which is offered in a text. */
const editOf = (doc: Text, ...edits: ReadonlyArray<readonly [number, number, number, number, string]>): OfferedEdit => {
  const edit = editIn(doc, "lf", {
    kind: "edit",
    id: "s1",
    path: "a.ts",
    edits: edits.map(([line, column, lastLine, lastColumn, newText]) => ({
      range: {
        start: { line: line - 1, character: column - 1 },
        end: { line: lastLine - 1, character: lastColumn - 1 }
      },
      newText
    }))
  })
  assert.isDefined(edit)
  return edit
}

const drawnOf = (text: string, ...edits: ReadonlyArray<readonly [number, number, number, number, string]>) => {
  const doc = toDoc(text, "lf")
  const edit = editOf(doc, ...edits)
  return { doc, edit, hunks: hunksOf(doc, edit.changes) }
}

describe("a suggested edit", () => {
  it("is ghost text where it only inserts: in a line, below it, and as whole lines", () => {
    const text = "const a = \nconst b = 2\n"
    assert.deepStrictEqual(drawnOf(text, [1, 11, 1, 11, "1"]).hunks, [{ type: "ghost", at: 10, text: "1", below: [] }])
    // It says the beginning again, as models do.
    assert.deepStrictEqual(drawnOf(text, [1, 1, 1, 11, "const a = f(\n  1\n)"]).hunks, [
      { type: "ghost", at: 10, text: "f(", below: ["  1", ")"] }
    ])
    assert.deepStrictEqual(drawnOf(text, [2, 1, 2, 1, "let c\nlet d\n"]).hunks, [
      { type: "lines", at: 11, lines: ["let c", "let d"] }
    ])
    assert.deepStrictEqual(drawnOf(text, [2, 7, 2, 7, "x"], [2, 12, 2, 12, "0"]).hunks, [
      { type: "ghost", at: 17, text: "x", below: [] },
      { type: "ghost", at: 22, text: "0", below: [] }
    ])
  })

  it("is drawn as old and new lines where it changes or deletes, one pair for edits of the same line", () => {
    const text = "a.dueAt - b.dueAt\nnext\nlast\n"
    assert.deepStrictEqual(drawnOf(text, [1, 3, 1, 8, "from"], [1, 13, 1, 18, "from"]).hunks, [
      {
        type: "replaced",
        first: 1,
        last: 1,
        gone: [
          { from: 2, to: 7 },
          { from: 12, to: 17 }
        ],
        lines: [
          [
            { text: "a.", isNew: false },
            { text: "from", isNew: true },
            { text: " - b.", isNew: false },
            { text: "from", isNew: true }
          ]
        ]
      }
    ])
    // Whole lines go away: nothing of the line behind them is drawn, whichever line end is named.
    for (const edit of [
      [2, 1, 3, 1, ""],
      [1, 18, 2, 5, ""]
    ] as const)
      assert.deepStrictEqual(drawnOf(text, edit).hunks, [
        { type: "replaced", first: 2, last: 2, gone: [{ from: 18, to: 23 }], lines: [] }
      ])
  })

  it("draws what it makes: old lines without what goes, new lines with what comes, for any edits", () => {
    const next = numbers(11)
    for (let round = 0; round < 1500; round++) {
      const doc = toDoc(textWith(next, ["a", "b c", "\n", "  ", "é"], 14), "lf")
      const places = Array.from({ length: 2 * (1 + next(2)) }, () => next(doc.length + 1)).sort((a, b) => a - b)
      const edits = []
      for (let index = 0; index < places.length; index += 2) {
        const [from = 0, to = 0] = places.slice(index, index + 2)
        const range = { start: positionOf(doc, "lf", from), end: positionOf(doc, "lf", to) }
        edits.push({ range, newText: textWith(next, ["x", "\n", "y"], next(4)) })
      }
      const edit = editIn(doc, "lf", { kind: "edit", id: "s", path: "a", edits })
      if (edit === undefined) continue
      const after = edit.changes
        .toReversed()
        .reduce((text, { from, insert, to }) => text.slice(0, from) + insert + text.slice(to), doc.toString())
      assert.strictEqual(drawn(doc, hunksOf(doc, edit.changes)), after, JSON.stringify([doc.toString(), edits]))
    }
  })

  it("is left out where its edits overlap, change nothing, or name another file", () => {
    const doc = toDoc("one\ntwo\n", "lf")
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }
    const edit = { kind: "edit", id: "s", path: "a" } as const
    assert.isUndefined(editIn(doc, "lf", { ...edit, edits: [{ range, newText: "one" }] }))
    assert.isUndefined(
      editIn(doc, "lf", {
        ...edit,
        edits: [
          { range, newText: "1" },
          { range, newText: "2" }
        ]
      })
    )
    const elsewhere = offeredIn("b", doc, "lf", { ...edit, path: "src/a", edits: [{ range, newText: "1" }] })
    assert.strictEqual(elsewhere?.type === "step" && elsewhere.words, "open a, line 1")
  })

  it("keeps the line ends of the file, and puts the caret where it is wanted", () => {
    for (const [text, lineEnd, newText, result, caret] of [
      ["a\r\nb\r\n", "crlf", "x\ny", "x\r\ny\r\nb\r\n", 3],
      ["a\nb\n", "lf", "x\r\ny", "x\ny\nb\n", 3],
      ["a\r\nb\n", "mixed", "x\r\ny", "x\r\ny\r\nb\n", 4]
    ] as const) {
      const doc = toDoc(text, lineEnd)
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }
      const cursor = { line: 1, character: 1 }
      const edit = editIn(doc, lineEnd, { kind: "edit", id: "s", path: "a", edits: [{ range, newText }], cursor })
      const made = state(text, lineEnd).update({ changes: [...(edit?.changes ?? [])] }).state
      assert.strictEqual(textOf(made.doc, lineEnd), result)
      assert.strictEqual(edit?.caret, caret)
    }
  })
})

/** The text that a drawing stands for. */
const drawn = (doc: Text, hunks: ReturnType<typeof hunksOf>): string => {
  const lines = Array.from({ length: doc.lines }, (_, index) => [doc.line(index + 1).text])
  const replaced = new Map<number, string>()
  for (const hunk of hunks) {
    if (hunk.type === "ghost") {
      const { from, number, text } = doc.lineAt(hunk.at)
      const before = (replaced.get(number) ?? "").length
      const line = lines[number - 1]?.[0] ?? ""
      const at = hunk.at - from + before
      replaced.set(number, (replaced.get(number) ?? "") + hunk.text)
      const rest = hunk.below.length > 0 ? text.slice(hunk.at - from) : ""
      const whole = line.slice(0, at) + hunk.text + (hunk.below.length > 0 ? "" : line.slice(at))
      lines[number - 1] = [whole, ...hunk.below.slice(0, -1), ...hunk.below.slice(-1).map((last) => last + rest)]
    } else if (hunk.type === "lines") {
      const at = doc.lineAt(hunk.at).number - 1
      lines[at] = [...hunk.lines, ...(lines[at] ?? [])]
    } else {
      for (let line = hunk.first; line <= hunk.last; line++) lines[line - 1] = []
      lines[hunk.last - 1] = hunk.lines.map((parts) => parts.map(({ text }) => text).join(""))
    }
  }
  return lines.flat().join("\n")
}

describe("an offer", () => {
  const text = "const next = \nother\nfar\nfarther\n"
  const offering = (edit: OfferedEdit) => showOffer.of({ all: [edit], at: 0 })
  const typing = (before: EditorState, from: number, insert: string) =>
    before.update({ changes: { from, insert }, selection: { anchor: from + insert.length } }).state

  it("keeps the rest of what is typed as it says, and ends with anything else", () => {
    const edit = editOf(toDoc(text, "lf"), [1, 14, 1, 14, "clock()\nmore"])
    const start = state(text, "lf", offering(edit))
    let now = start
    for (const letter of "clo") now = typing(now, now.doc.line(1).to, letter)
    const shown = shownIn(now)
    assert.deepStrictEqual(shown?.type === "edit" && shown.changes, [{ from: 16, to: 16, insert: "ck()\nmore" }])
    // The caret of the whole stays where it was: no more and no less comes into the text.
    assert.strictEqual(shown?.type === "edit" && shown.caret, edit.caret)
    assert.isUndefined(shownIn(typing(now, 16, "x")))
    assert.isUndefined(shownIn(typing(now, 0, "c")))
    assert.isUndefined(shownIn(typing(now, 16, "ck()\n")))
    assert.isUndefined(shownIn(typing(typing(now, 16, "ck()"), 20, "\nmore")))
  })

  it("is not shown in a text that can’t be changed, and with several carets", () => {
    const edit = editOf(toDoc(text, "lf"), [1, 14, 1, 14, "1"])
    const made = EditorState.create({ doc: text, extensions: [offer, EditorState.readOnly.of(true)] })
    assert.isUndefined(shownIn(made.update({ effects: offering(edit) }).state))
    // With a selection, the key indents, unless somebody has asked about the selection.
    const selected = state(text, "lf", offering(edit)).update({ selection: { anchor: 0, head: 5 } }).state
    assert.isUndefined(shownIn(selected))
    const asked = selected.update({ effects: showOffer.of({ all: [edit], at: 0, isForSelection: true }) }).state
    assert.deepStrictEqual(shownIn(asked), edit)
    const several = EditorState.create({
      doc: text,
      selection: EditorSelection.create([EditorSelection.cursor(0), EditorSelection.cursor(5)]),
      extensions: [offer, EditorState.allowMultipleSelections.of(true)]
    })
    assert.isUndefined(shownIn(several.update({ effects: offering(edit) }).state))
  })

  it("is a jump first where the edit is more than a line away, with the line as it will be", () => {
    const edit = editOf(toDoc(text, "lf"), [3, 1, 3, 4, "near"])
    const far = state(text, "lf", offering(edit))
    assert.isFalse(isNear(far, edit))
    const hint = hintOf(far)
    assert.strictEqual(hint?.words, "jump to line 3")
    assert.deepStrictEqual(hint?.preview, [
      { text: "f", kind: "old" },
      { text: "ne", kind: "new" },
      { text: "ar", kind: "same" }
    ])
    const there = far.update({ selection: { anchor: far.doc.line(2).from } }).state
    assert.isTrue(isNear(there, edit))
    assert.isUndefined(hintOf(there))
  })
})

describe("the line below the text", () => {
  it("says what went with a question, part by part, and what the agent takes none of", () => {
    const editHistory = ["a%20b.ts", "c.ts", "c.ts"].map((name) => ({ uri: `file:///project/${name}`, diff: "−é" }))
    const json = JSON.stringify({ method: "nes/suggest", params: { context: { editHistory, openFiles: [] } } })
    assert.deepStrictEqual(sentParts(json), {
      parts: [
        {
          name: "Edits",
          words: "3 edits as diffs: a b.ts, c.ts",
          bytes: Buffer.byteLength(JSON.stringify(editHistory))
        },
        { name: "Open files", words: "none", bytes: 2 }
      ],
      notWanted: ["Recent files", "Related", "Findings", "Actions"]
    })
    assert.lengthOf(sentParts('{"params":{}}')?.notWanted ?? [], 6)
    // Nobody can say of it what the agent takes none of.
    for (const unread of ["no message", '{"params":{"context":{"openFiles":{}}}}'])
      assert.isUndefined(sentParts(unread), unread)
  })

  it("says who suggests, or the one reason why nothing is suggested", () => {
    const on = { type: "on", desk: "d", agent: { id: "nes", name: "Next Edit" }, recording: undefined } as const
    const words = (status: Partial<Status>) =>
      lineOf({ ...initial, source: on, ...status }, "a.ts", { name: "Cursor", isAsking: false }).words
    assert.strictEqual(words({}), "Suggestions by Next Edit")
    assert.strictEqual(
      words({ source: { type: "off", why: "Nobody is named.", problem: undefined } }),
      "Suggestions off"
    )
    assert.strictEqual(
      words({ source: { type: "off", why: "The settings say so.", problem: undefined, turnedOff: "Next Edit" } }),
      "Suggestions by Next Edit turned off"
    )
    assert.strictEqual(words({ activity: { type: "asking" } }), "Asking Next Edit")
    assert.strictEqual(words({ paused: new Set(["a.ts"]) }), "Suggestions paused while Cursor edits this file")
    assert.strictEqual(words({ paused: new Set(["b.ts"]) }), "Suggestions by Next Edit")
    assert.strictEqual(
      lineOf({ ...initial, source: on, paused: new Set(["a.ts"]) }, "a.ts", { name: "Cursor", isAsking: true }).words,
      "Suggestions paused while an edit of this file by Cursor waits for your answer"
    )
    assert.strictEqual(
      words({ withheld: new Map([["a.ts", "It is ignored by git."]]), paused: new Set(["a.ts"]) }),
      "Suggestions off for this file. It is ignored by git."
    )
    const last = { latencyMs: 3, count: 0, id: undefined, dropped: [{ kind: "edit", why: "has edits that overlap" }] }
    assert.strictEqual(words({ last }), "Left out a suggestion by Next Edit: it has edits that overlap")
    assert.strictEqual(words({ last: { ...last, count: 1 } }), "Suggestions by Next Edit")
    const slow = { ...last, count: 1, latencyMs: 1800 }
    assert.strictEqual(words({ last: slow }), "Next Edit is slow, 1.8 s. Asking less often.")
  })
})

describe("the places of a renaming", () => {
  const at = (line: string, word = "total"): SuggestedPlace => {
    const character = line.indexOf(word)
    const range = { start: { line: 0, character }, end: { line: 0, character: character + word.length } }
    return { range, newText: "sum", line, before: [], after: [] }
  }

  it("are left out in comments, quotes and prose, as far as their line shows it", () => {
    for (const line of [
      "// the total of all",
      "use(one) // and the total",
      "  * the total",
      "/** The total */",
      "# the total",
      "one = 1 # the total",
      "-- the total",
      "<!-- the total -->",
      'log("the total")',
      "log('it\\'s the total')"
    ])
      assert.isTrue(isProse("a.ts", at(line)), line)
    for (const line of [
      "const total = 1",
      "  #total = 1",
      "  *total = 1",
      'log("a", total)',
      "a.total",
      "https(total)",
      'fetch("http://x", total)',
      "`${total}`"
    ])
      assert.isFalse(isProse("a.ts", at(line)), line)
    assert.isFalse(isProse("a.rs", at("fn f<'a>(total: &'a str)")))
    assert.isTrue(isProse("docs/a.md", at("const total = 1")))
    const files = [{ path: "a.ts", isOpen: true, places: [at("const total = 1"), at("// total")] }]
    assert.strictEqual(proposedKeys("rename", files).size, 1)
    assert.strictEqual(proposedKeys("searchAndReplace", files).size, 2)
  })
})
