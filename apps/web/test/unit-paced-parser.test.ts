/** Grammars in the editor: what a keystroke reads of a long file, and what is read afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { ensureSyntaxTree, type LanguageSupport, syntaxTree, syntaxTreeAvailable } from "@codemirror/language"
import { EditorState } from "@codemirror/state"
import { afterAll, beforeAll, vi } from "vitest"
import { languageOf } from "../src/editor/languages.ts"
import { paced } from "../src/editor/PacedParser.ts"

/** A clock that goes on by a second whenever it is looked at: each keystroke has no time. */
const hasty = () => {
  let now = 0
  return () => (now += 1000)
}

const supportOf = async (path: string): Promise<LanguageSupport> => {
  const support = await languageOf(path).load?.()
  return support ?? assert.fail(`There is no grammar for ${path}.`)
}

const open = (doc: string, support: LanguageSupport) => readAll(EditorState.create({ doc, extensions: support }))

/** What idle time brings. */
const readAll = (state: EditorState): EditorState => {
  assert.isNotNull(ensureSyntaxTree(state, state.doc.length, 60_000))
  return state.update({}).state
}

const type = (state: EditorState, from: number, insert: string, to = from): EditorState =>
  state.update({ changes: { from, to, insert } }).state

/** What the grammar has found, in one line. */
const nodesOf = (state: EditorState): string => {
  const nodes: Array<string> = []
  syntaxTree(state).iterate({ enter: ({ from, name, to }) => void nodes.push(`${name} ${from} ${to}`) })
  return nodes.join()
}

/** A grammar, a piece of text, what is put in at its mark, and what gives the rest another meaning. */
const grammars = [
  ["a.ts", "export const f = (a: number) => {\n  return [a, `b`, ¦1]\n}\n", "{ c: 2 }, ", "`"],
  ["a.rs", "fn f(a: u32) -> Option<u32> {\n    g(¦a)\n}\n", "1 + ", '"'],
  ["a.css", ".a > b {\n  ¦color: red;\n}\n", "margin: 0; ", "/*"],
  ["a.html", "<p class=a>text ¦more</p>\n<script>f(1)</script>\n", "<b>x</b>", "<!--"],
  ["a.md", "# Head ¦one\n\nSome *text*\n\n```ts\nconst a = 1\n```\n", "`x` ", "```"]
] as const

describe("a grammar in a long file", () => {
  // CodeMirror has a limit of its own, which a busy machine reaches.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }))
  afterAll(() => void vi.useRealTimers())

  it("reads as far as the screen within a keystroke that changes all the rest, and all of it in idle time", async () => {
    const support = paced(await supportOf("a.ts"), hasty())
    const text = "const f = (a: number) => [a, `b`]\n".repeat(3_000)
    const before = open(text, support)
    assert.isTrue(syntaxTreeAvailable(before))
    const typed = type(before, 10, "`")
    // CodeMirror takes the first 3,000 characters for the screen where there is none.
    assert.isTrue(syntaxTreeAvailable(typed, 3_000))
    assert.isFalse(syntaxTreeAvailable(typed))
    assert.isBelow(syntaxTree(typed).length, 10_000)
    // Further keystrokes read no more, and what they type is known at once.
    const more = type(typed, 11, "x")
    assert.isBelow(syntaxTree(more).length, 10_000)
    assert.strictEqual(syntaxTree(more).resolveInner(11, 1).name, "TemplateString")
    const idle = readAll(more)
    assert.isTrue(syntaxTreeAvailable(idle))
    assert.strictEqual(syntaxTree(idle).length, idle.doc.length)
  })

  it.each(grammars)("%s: after idle time all is as if it had been read at once", async (path, piece, put, breaks) => {
    const support = await supportOf(path)
    const text = piece.replace("¦", "").repeat(300)
    const length = piece.length - 1
    let state = open(text, paced(support, hasty()))
    let late = 0
    for (const at of [0, 1, 60, 120, 299]) {
      const from = at * length + (at > 0 ? put.length : 0) + (at > 1 ? put.length : 0) + piece.indexOf("¦")
      // Each is broken for a keystroke, and mended by the next.
      state = type(state, 0, breaks)
      if (!syntaxTreeAvailable(state)) late += 1
      state = type(state, 0, "", breaks.length)
      const behind = [60, 120].filter((one) => one < at).length * put.length
      state = readAll(type(state, from + behind, put))
      // Said in short, since a tree is long.
      assert.isTrue(nodesOf(state) === nodesOf(open(state.doc.toString(), support)), `at ${at}`)
    }
    // What holds other languages is read at once: it says how far it is only at its end.
    assert.strictEqual(late > 0, !/html|md/.test(path))
  })
})
