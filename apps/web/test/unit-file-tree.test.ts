/** The rows of the tree of files, where its keys lead, and the place of the editor. */
import { assert, describe, it } from "@effect/vitest"
import type { FolderEntry, FolderFrame } from "@signalbox/contracts/FolderEntries"
import { defaults, layoutOf, narrowest, widthOf } from "../src/editor/layout.ts"
import { actOf, foldersAbove, mostRows, rowsOf, withName } from "../src/editor/treeRows.ts"

const entriesOf = (...names: ReadonlyArray<string>): FolderFrame => ({
  type: "entries",
  entries: names.map((name): FolderEntry =>
    name.endsWith("/") ? { name: name.slice(0, -1), kind: "folder" } : { name, kind: "file" }
  ),
  isCut: false
})

const frames = new Map([
  ["", entriesOf("src/", "test/", "Readme.md", "rules.json")],
  ["src", entriesOf("web/", "a.ts", "b.ts")],
  ["src/web", entriesOf()]
])
const { rows } = rowsOf(frames, new Set(["src", "src/web", "test"]))

describe("the tree of files", () => {
  it("has the entries of open folders in their places, and says what it doesn't have", () => {
    assert.deepStrictEqual(
      rows.map((row) => `${"  ".repeat(row.depth)}${row.type === "entry" ? row.path : row.type}`),
      ["src", "  src/web", "    empty", "  src/a.ts", "  src/b.ts", "test", "  reading", "Readme.md", "rules.json"]
    )
    assert.deepInclude(rows[3], { place: 2, of: 3, depth: 1, isOpen: false })
    assert.deepStrictEqual(foldersAbove("a/b/c.ts"), ["a", "a/b"])
  })

  it("is bounded, however many folders are open", () => {
    const many = Array.from({ length: 2000 }, (_, index) => `f${index}`)
    const folders = new Map([
      ["", entriesOf("a/", "b/", "c/", "d/")],
      ...["a", "b", "c", "d"].map((name) => [name, entriesOf(...many)] as const)
    ])
    const all = rowsOf(folders, new Set(["a", "b", "c", "d"]))
    assert.strictEqual(all.rows.length, mostRows)
    assert.isTrue(all.isCut)
    assert.isFalse(rowsOf(folders, new Set(["a"])).isCut)
  })

  it("is walked by keys, past what isn't an entry", () => {
    for (const [at, key, act] of [
      ["src", "ArrowDown", { type: "go", path: "src/web" }],
      ["src/web", "ArrowDown", { type: "go", path: "src/a.ts" }],
      ["src", "ArrowUp", { type: "go", path: "src" }],
      ["src", "End", { type: "go", path: "rules.json" }],
      ["rules.json", "Home", { type: "go", path: "src" }],
      ["rules.json", "ArrowDown", { type: "go", path: "rules.json" }],
      ["src", "ArrowRight", { type: "go", path: "src/web" }],
      ["src", "ArrowLeft", { type: "fold", path: "src" }],
      ["src/a.ts", "ArrowLeft", { type: "go", path: "src" }],
      ["src/a.ts", "ArrowRight", undefined],
      ["rules.json", "ArrowLeft", undefined],
      ["src", "Enter", { type: "fold", path: "src" }],
      ["src/a.ts", "Enter", { type: "open", path: "src/a.ts" }],
      [undefined, "Enter", undefined],
      [undefined, "ArrowDown", { type: "go", path: "src" }],
      ["src", "x", undefined]
    ] as const)
      assert.deepStrictEqual(actOf(rows, at, key), act, `${at} ${key}`)
    const closed = rowsOf(frames, new Set()).rows
    assert.deepStrictEqual(actOf(closed, "src", "ArrowRight"), { type: "unfold", path: "src" })
    assert.isUndefined(actOf([], undefined, "ArrowDown"))
  })

  it("leads to names by their first letters", () => {
    assert.strictEqual(withName(rows, "src", "r"), "Readme.md")
    assert.strictEqual(withName(rows, "Readme.md", "r"), "rules.json")
    assert.strictEqual(withName(rows, "rules.json", "r"), "Readme.md")
    assert.strictEqual(withName(rows, "Readme.md", "ru"), "rules.json")
    assert.strictEqual(withName(rows, "src", "T"), "test")
    assert.isUndefined(withName(rows, "src", "xyz"))
  })
})

describe("the place of the editor", () => {
  it("comes back as it was chosen, and what isn't ours counts as nothing", () => {
    const chosen = { tree: false, split: false, transcript: 600 }
    assert.deepStrictEqual(layoutOf(JSON.stringify(chosen)), chosen)
    for (const stored of [null, "", "{", "7", "null", '{"transcript":"wide"}'])
      assert.deepStrictEqual(layoutOf(stored), defaults, String(stored))
    assert.strictEqual(layoutOf('{"transcript":-1}').transcript, narrowest)
  })

  it("leaves room to the text, whatever width is asked for", () => {
    assert.strictEqual(widthOf(5000, 1440), 960)
    assert.strictEqual(widthOf(5000, 3000), 1200)
    assert.strictEqual(widthOf(0, 1440), narrowest)
    assert.strictEqual(widthOf(500.4, 1440), 500)
    assert.strictEqual(widthOf(500, 700), narrowest)
  })
})
