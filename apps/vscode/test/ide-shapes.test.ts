/** What the editor knows, in the shapes of language servers. */
import { assert, describe, it } from "@effect/vitest"
import { completionOf } from "../src/ide/CompletionShape.ts"
import { codeActionOf, workspaceEditOf } from "../src/ide/EditShapes.ts"
import * as FileNames from "../src/ide/FileNames.ts"
import { findingOf, firstOf } from "../src/ide/FindingShape.ts"
import { hoverOf } from "../src/ide/HoverShape.ts"
import { locationOf } from "../src/ide/Places.ts"
import { documentSymbolOf, workspaceSymbolOf } from "../src/ide/SymbolShapes.ts"

const plain = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to }
})

const uri = (path: string, scheme = "file") => ({ scheme, fsPath: path, toString: () => `${scheme}:${path}` })
/** A session of the folder `/real`, which the editor knows as `/named`. */
const session = {
  withoutLinks: (name: string) => name.replace("/named", "/real"),
  has: (place: string) => place.startsWith("/real/") && !place.includes(".ssh")
}
const edit = (path: string, where: ReturnType<typeof plain>, newText: string) => ({
  entries: () => [[uri(path), [{ range: where, newText }]] as const]
})

describe("a place of the editor", () => {
  it("is that of a name, also where a link leads to the whole", () => {
    const target = { targetUri: uri("/a b.ts"), targetRange: plain(0, 0, 40), targetSelectionRange: plain(0, 6, 9) }
    const place = { uri: "file:///a%20b.ts", path: "/a b.ts", range: plain(0, 6, 9) }
    assert.deepStrictEqual(locationOf(target), place)
    assert.deepStrictEqual(locationOf({ uri: uri("/a b.ts"), range: plain(0, 6, 9) }), place)
  })

  it("may be in no file of the disk", () => {
    const found = locationOf({ uri: uri("/lib.d.ts", "memfs"), range: plain(1, 2, 3) })
    assert.deepStrictEqual([found?.uri, found?.path], ["memfs:/lib.d.ts", undefined])
  })

  it("is none without a range, which an extension may leave out", () => {
    assert.isUndefined(locationOf({ uri: uri("/a.ts") }))
    const flat = { name: "x", kind: 12, containerName: "", location: { uri: uri("/real/a.ts") } }
    assert.isUndefined(documentSymbolOf(flat))
    assert.isUndefined(workspaceSymbolOf(flat, session))
  })
})

describe("a symbol of the editor", () => {
  it("has its name's own place, and what is in it", () => {
    const total = {
      name: "total",
      kind: 5,
      detail: "",
      range: plain(1, 2, 9),
      selectionRange: plain(1, 2, 7),
      children: []
    }
    const shop = {
      name: "Shop",
      kind: 4,
      detail: "",
      range: plain(0, 0, 9),
      selectionRange: plain(0, 6, 9),
      children: [total]
    }
    const found = documentSymbolOf(shop)
    assert.deepStrictEqual([found?.kind, found?.selectionRange], ["class", plain(0, 6, 9)])
    assert.deepStrictEqual(
      found?.children.map(({ kind, name }) => [kind, name]),
      [["method", "total"]]
    )
  })

  it("has the name that stands in the code, without the brackets of a list", () => {
    const location = { uri: uri("/named/a.ts"), range: plain(3, 0, 9) }
    const found = workspaceSymbolOf({ name: "total()", kind: 5, containerName: "Shop", location }, session)
    const { path } = found?.location ?? {}
    assert.deepStrictEqual([found?.name, found?.containerName, path], ["total", "Shop", "/real/a.ts"])
    const nameless = documentSymbolOf({ name: "x", kind: 12, containerName: "", location })
    assert.deepStrictEqual([nameless?.kind, nameless?.range], ["variable", plain(3, 0, 9)])
    assert.notProperty(nameless, "containerName")
  })

  it("is none of a session whose folders do not have it, or where keys are", () => {
    for (const place of [uri("/elsewhere/a.ts"), uri("/named/.ssh/a.ts"), uri("/named/a.ts", "memfs")]) {
      const location = { uri: place, range: plain(3, 0, 9) }
      assert.isUndefined(workspaceSymbolOf({ name: "x", kind: 5, containerName: "", location }, session))
    }
  })
})

describe("what the editor shows about a place", () => {
  it("is one text of all extensions, and nothing if none says anything", () => {
    const found = hoverOf([
      { contents: [{ language: "ts", value: "const x: 1" }, " "] },
      { contents: ["More of it."], range: plain(0, 1, 2) }
    ])
    assert.deepStrictEqual(found, {
      contents: { kind: "markdown", value: "```ts\nconst x: 1\n```\n\nMore of it." },
      range: plain(0, 1, 2)
    })
    assert.isUndefined(hoverOf([{ contents: [""] }]))
  })
})

describe("a change that the editor proposes", () => {
  it("lists its edits by file", () => {
    const changes = { "file:///a.ts": [{ range: plain(0, 1, 2), newText: "Store" }] }
    assert.deepStrictEqual(workspaceEditOf(edit("/a.ts", plain(0, 1, 2), "Store")), { changes })
    const action = { title: "Fix it", kind: { value: "quickfix" }, edit: edit("/a.ts", plain(0, 1, 2), "Store") }
    assert.deepStrictEqual(codeActionOf(action), { title: "Fix it", kind: "quickfix", edit: { changes } })
    assert.deepStrictEqual(codeActionOf({ title: "Run it" }), { title: "Run it" })
  })
})

describe("a proposal of the editor for what to type", () => {
  it("has kinds as the protocol counts them, and the first of many", () => {
    const items = Array.from({ length: 501 }, () => ({ label: { label: "total" }, kind: 1, documentation: "Sums." }))
    const found = completionOf({ items })
    assert.isTrue(found.isIncomplete)
    assert.lengthOf(found.items, 500)
    assert.deepStrictEqual(found.items[0], { label: "total", kind: 2, documentation: "Sums." })
  })
})

describe("a finding of the editor", () => {
  it("says how bad it is, and by which rule", () => {
    const code = { value: "no-var", target: uri("/rule") }
    const found = findingOf({ range: plain(0, 1, 2), message: "Bad.", severity: 1, code, source: "lint" })
    assert.deepStrictEqual(found, {
      range: plain(0, 1, 2),
      severity: "warning",
      message: "Bad.",
      code: "no-var",
      source: "lint"
    })
    assert.lengthOf(findingOf({ range: plain(0, 1, 2), message: "x".repeat(9000), severity: 0 }).message, 8193)
  })
})

describe("the findings of a window", () => {
  it("are those of the session's files, up to a number", () => {
    const noted = [1, 2, 3].map((line) => ({ range: plain(line, 1, 2), message: `${line}`, severity: 0 }))
    const listed = [
      uri("/elsewhere/a.ts"),
      uri("/named/.ssh/a"),
      uri("/named/a.ts", "git"),
      uri("/named/a.ts"),
      uri("/named/b.ts")
    ]
    const found = firstOf(
      listed.map((one) => [one, noted] as const),
      session,
      4
    )
    assert.deepStrictEqual(
      found.map(({ items, path }) => [path, items.length]),
      [
        ["/real/a.ts", 3],
        ["/real/b.ts", 1]
      ]
    )
  })
})

describe("the name of a file", () => {
  it("is the editor's below each of the session's folders, whatever link leads there", () => {
    const names = FileNames.make([
      { name: "/home/me/shop", root: "/data/shop" },
      { name: "/home/me/shared", root: "/data/shop/shared" }
    ])
    assert.strictEqual(names.inEditor("/data/shop/shared/b.ts"), "/home/me/shared/b.ts")
    assert.strictEqual(names.withoutLinks("/home/me/shared/b.ts"), "/data/shop/shared/b.ts")
    assert.strictEqual(names.inEditor("/data/shop/src/a.ts"), "/home/me/shop/src/a.ts")
    assert.strictEqual(names.withoutLinks("/home/me/shop/src/a.ts"), "/data/shop/src/a.ts")
    for (const place of ["/data/shopping/a.ts", "/lib/a.ts"]) assert.strictEqual(names.inEditor(place), place)
  })
})
