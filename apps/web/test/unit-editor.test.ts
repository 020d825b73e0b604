/** Texts in the editor and back, changes from elsewhere, and conflicts in words. */
import { assert, describe, it } from "@effect/vitest"
import { lineEndOf } from "@signalbox/contracts/Documents"
import { history, undo } from "@codemirror/commands"
import { EditorSelection } from "@codemirror/state"
import * as Buffer from "../src/editor/Buffer.ts"
import { conflictWords } from "../src/editor/conflictWords.ts"
import { languageOf } from "../src/editor/languages.ts"
import { changeBetween, toDoc, toText } from "../src/editor/lineEnds.ts"
import { conflictLines, marks, nothingUnsaved } from "../src/editor/marks.ts"

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

  it("becomes another text by one change, which never cuts a character", () => {
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
    buffer.replace("theirs\r\n", true)
    assert.deepStrictEqual([buffer.text, buffer.lineEnd], ["theirs\r\n", "crlf"])
    let undone = ""
    undo({ state: buffer.state, dispatch: ({ newDoc }) => (undone = newDoc.toString()) })
    assert.strictEqual(undone, "ONE\ntwo\nthree\nfour\n")
  })

  it("keeps its caret in its line when the text around it is replaced", () => {
    const buffer = Buffer.make("a\nbb\nc\n", [], () => {})
    buffer.replace("x\nbb\ny\n")
    assert.strictEqual(buffer.state.selection.main.head, 0)
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
      assert.include(conflictWords({ places }), words)
    assert.include(conflictWords({ places: [], why: "Git isn’t installed." }), "Git isn’t installed.")
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
