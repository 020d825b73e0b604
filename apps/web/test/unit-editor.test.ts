/** Texts in the editor and back, changes from elsewhere, and conflicts in words. */
import { assert, describe, it } from "@effect/vitest"
import { lineEndOf } from "@signalbox/contracts/Documents"
import { history, undo } from "@codemirror/commands"
import { EditorSelection } from "@codemirror/state"
import * as Buffer from "../src/editor/Buffer.ts"
import { conflictWords } from "../src/editor/conflictWords.ts"
import { languageOf } from "../src/editor/languages.ts"
import { toDoc, toText } from "../src/editor/lineEnds.ts"
import { conflictLines, marks, nothingUnsaved } from "../src/editor/marks.ts"
import { changeBetween } from "@signalbox/contracts/SmallestChange"
import { changesBetween } from "../src/editor/textChanges.ts"

/** Texts of these pieces, made from a number. */
const pieces = ["a", "\n", "\r", "\r\n", "é", "😀", " ", "const x", "\u2028"]
const textOf = (seed: number): string => {
  let rest = seed
  let text = ""
  for (let length = 0; length < 12; length++) {
    rest = (rest * 1103515245 + 12345) % 2147483648
    text += pieces[Math.floor(rest / 65536) % pieces.length] ?? ""
  }
  return text
}

describe("a text in the editor", () => {
  it("comes back as it was, whatever its line ends", () => {
    for (let seed = 0; seed < 2000; seed++) {
      const text = textOf(seed)
      const lineEnd = lineEndOf(text)
      assert.strictEqual(toText(toDoc(text, lineEnd), lineEnd), text)
      assert.strictEqual(Buffer.make(text, [], () => {}).text, text)
    }
  })

  it("names its line ends", () => {
    for (const [text, end] of [
      ["", "lf"],
      ["a", "lf"],
      ["a\nb\n", "lf"],
      ["a\r\nb", "crlf"],
      ["a\rb", "cr"],
      ["a\r\r\nb", "mixed"],
      ["a\nb\r\n", "mixed"]
    ] as const)
      assert.strictEqual(lineEndOf(text), end, JSON.stringify(text))
  })

  it("becomes another text by changes that never cut a character", () => {
    for (let seed = 0; seed < 2000; seed++) {
      const [before, after] = [textOf(seed), textOf(seed + 7919)]
      let [rest, at] = ["", 0]
      for (const { from, insert, to } of changesBetween(before, after)) {
        assert.isAtLeast(from, at)
        assert.isTrue(insert.isWellFormed() && before.slice(from, to).isWellFormed())
        rest += before.slice(at, from) + insert
        at = to
      }
      assert.strictEqual(rest + before.slice(at), after)
    }
    assert.deepStrictEqual(changesBetween("a\nb\nc\nd\n", "A\nb\nc\nnew\nd\n"), [
      { from: 0, to: 1, insert: "A" },
      { from: 6, to: 6, insert: "new\n" }
    ])
    // What differs too much, or is too long to be compared, is one change.
    const long = "x\n".repeat(300_000)
    assert.deepStrictEqual(changesBetween(`a\n${long}b\n`, `A\n${long}B\n`), [
      { from: 0, to: long.length + 3, insert: `A\n${long}B` }
    ])
  })

  it("becomes another text by one change at most where it is compared as a whole", () => {
    for (let seed = 0; seed < 2000; seed++) {
      const [before, after] = [textOf(seed), textOf(seed + 7919)]
      const change = changeBetween(before, after)
      if (change === undefined) assert.strictEqual(before, after)
      else {
        assert.strictEqual(before.slice(0, change.from) + change.insert + before.slice(change.to), after)
        assert.isTrue(change.insert.isWellFormed() && before.slice(change.from, change.to).isWellFormed())
      }
    }
    assert.deepStrictEqual(changeBetween("a😀b", "a😁b"), { from: 1, to: 3, insert: "😁" })
  })

  it("takes a change of the disk without touching the caret’s line or the undo of people", () => {
    const buffer = Buffer.make("one\ntwo\nthree\n", [history(), marks], () => {})
    buffer.lock(false)
    const type = (at: number, insert: string) => {
      const view = buffer.state.update({
        changes: { from: at, insert },
        selection: EditorSelection.cursor(at + insert.length)
      })
      return view.state
    }
    assert.strictEqual(type(7, "!").doc.toString(), "one\ntwo!\nthree\n")
    buffer.replace("ONE\ntwo\nthree\nfour\n")
    assert.strictEqual(buffer.text, "ONE\ntwo\nthree\nfour\n")
    assert.isFalse(undo({ state: buffer.state, dispatch: () => assert.fail("There is nothing to undo.") }))
    buffer.replace("theirs\r\n", undefined, true)
    assert.deepStrictEqual([buffer.text, buffer.lineEnd], ["theirs\r\n", "crlf"])
    let undone = ""
    undo({ state: buffer.state, dispatch: ({ newDoc }) => (undone = newDoc.toString()) })
    assert.strictEqual(undone, "ONE\ntwo\nthree\nfour\n")
  })

  it("keeps its caret in its line when the text around it is replaced", () => {
    const buffer = Buffer.make("a\nbb\nc\n", [], () => {})
    buffer.replace("x\nbb\ny\n")
    assert.strictEqual(buffer.state.selection.main.head, 0)
    // In a line that is replaced itself, below another change.
    const other = Buffer.make("one\nkeep\nsome words here\nlast\n", [], () => {})
    other.dispatch({ selection: { anchor: other.state.doc.line(3).from + 8 } })
    assert.strictEqual(other.replace("ONE\nmore\nkeep\nSOME WORDS THERE\nlast\n"), 3)
    const { head } = other.state.selection.main
    assert.deepStrictEqual([other.state.doc.lineAt(head).number, head - other.state.doc.lineAt(head).from], [4, 8])
  })

  it("takes marks of lines that no longer exist", () => {
    const buffer = Buffer.make("a\nb\n", [marks], () => {})
    buffer.mark(conflictLines.of([{ from: 2, to: 9 }]), nothingUnsaved.of(null))
    buffer.replace("")
    assert.strictEqual(buffer.text, "")
  })
})

describe("a conflict", () => {
  it("names its lines", () => {
    for (const [places, words] of [
      [[], "Some of its lines overlap"],
      [[{ from: 6, to: 6 }], "Line 6 overlaps with your unsaved lines."],
      [[{ from: 52, to: 54 }], "Lines 52–54 overlap with"],
      [
        [
          { from: 1, to: 1 },
          { from: 5, to: 4 }
        ],
        "Lines 1 and 5 overlap"
      ],
      [Array.from({ length: 5 }, (_, at) => ({ from: at + 1, to: at + 1 })), "Lines 1, 2, 3 and 2 more places overlap"]
    ] as const)
      assert.include(conflictWords({ places, others: 0 }), words)
    const places = [{ from: 2, to: 3 }]
    assert.match(conflictWords({ places, others: 0 }), /unsaved lines\.$/)
    assert.match(conflictWords({ places, others: 1 }), /unsaved lines; 1 other line is merged in\.$/)
    assert.match(conflictWords({ places, others: 5 }), /unsaved lines; 5 other lines are merged in\.$/)
    assert.include(conflictWords({ places: [], others: 0, why: "Git isn’t installed." }), "Git isn’t installed.")
  })
})

describe("the language of a file", () => {
  it("is known by its name", () => {
    const names = ["a.ts", "b.TSX", "src/x.d.mts", "Makefile", ".gitignore", "a.b/c", "run.sh"].map(
      (path) => languageOf(path).name
    )
    assert.deepStrictEqual(names, [
      "TypeScript",
      "TypeScript JSX",
      "TypeScript",
      "Plain text",
      "Plain text",
      "Plain text",
      "Shell"
    ])
  })
})
