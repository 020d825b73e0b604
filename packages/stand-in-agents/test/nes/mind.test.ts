import { assert, describe, it } from "vitest"
import * as Mind from "../../src/nes/mind/Mind.ts"
import { keyOf, Rejections } from "../../src/nes/mind/Rejections.ts"
import type { Kind, Scene } from "../../src/nes/mind/Scene.ts"
import { accepted, acceptedAll, edited, scene } from "./Scenes.ts"

const only = (...kinds: ReadonlyArray<Kind>) => ({ kinds: new Set<Kind>(["edit", ...kinds]) })
const other = (name: string, text: string) => ({ uri: `file:///repo/app/${name}`, text, firstLine: 0 })
const filler = "// nothing\n".repeat(30)

describe("The last edit is repeated", () => {
  it("where the same text stands, place by place", () => {
    const before = "a = load(1)\nb = load(2)\nc = load(3)\n"
    const now = edited(before, "a = await |load(1)\nb = load(2)\nc = load(3)\n")
    assert.strictEqual(accepted(now), "a = await load(1)\nb = await |load(2)\nc = load(3)\n")
    assert.strictEqual(acceptedAll(now), "a = await load(1)\nb = await load(2)\nc = await load(3)\n")
  })

  it("where a replaced or removed text stands, and not within words", () => {
    const before = "print(one.two)\nprint(one.two)\none.twoo\n"
    const now = edited(before, "print(one.three|)\nprint(one.two)\none.twoo\n")
    assert.strictEqual(acceptedAll(now), "print(one.three)\nprint(one.three)\none.twoo\n")
    const removed = edited("x(DEBUG + 1)\ny(DEBUG + 2)\n", "x(|1)\ny(DEBUG + 2)\n")
    assert.strictEqual(accepted(removed), "x(1)\ny(|2)\n")
  })

  it("by a jump first where the place is far away", () => {
    const before = `log.info(a)\n${filler}log.info(a)\n`
    const now = edited(before, `log.warn(|a)\n${filler}log.info(a)\n`)
    const [jump] = Mind.ideas(now)
    assert.deepStrictEqual(jump, { kind: "jump", uri: now.uri, position: { line: 31, character: 4 } })
    const there = { ...now, caret: now.text.lastIndexOf("info") }
    assert.strictEqual(accepted(there), `log.warn(a)\n${filler}log.warn|(a)\n`)
    assert.isUndefined(accepted({ ...now, visible: { start: 0, end: 100 } }))
    assert.isDefined(accepted({ ...now, visible: { start: 0, end: now.text.length } }))
    assert.isDefined(accepted({ ...now, ...only() }))
  })

  it("in another file by a jump, and there as an edit", () => {
    const next = other("b.ts", "\n  log.info(b)\n")
    const now = edited("log.info(b)\n", "log.warn|(b)\n", { others: [next] })
    assert.deepStrictEqual(Mind.ideas(now), [{ kind: "jump", uri: next.uri, position: { line: 1, character: 6 } }])
    const there = { ...now, uri: next.uri, text: next.text, caret: 7, others: [] }
    assert.strictEqual(accepted(there), "\n  log.warn|(b)\n")
  })

  it("in a snippet of a file that is not open, by its line", () => {
    const snippet = { uri: "file:///repo/app/c.ts", text: "log.info(b)", firstLine: 40 }
    const now = edited("log.info(b)\n", "log.warn|(b)\n", { others: [snippet] })
    assert.deepStrictEqual(Mind.ideas(now), [{ kind: "jump", uri: snippet.uri, position: { line: 40, character: 4 } }])
  })

  it("in the selection, if that is what was replaced", () => {
    const now = edited("== one; == two;\n", "=== one; == |two;\n")
    const text = "red, green, red\n"
    const last = edited(text, "blue|, green, red\n")
    const selected = { ...last, selection: { start: 13, end: 16 }, caret: 16 }
    assert.strictEqual(accepted(selected, Mind.ideas({ ...selected, ...only() })), "blue, green, blue|\n")
    assert.isDefined(now)
  })

  it("on the line below, at the start of lines of the same form", () => {
    const now = edited("  name: string\n  age: number\n\n", "  readonly |name: string\n  age: number\n\n")
    assert.strictEqual(accepted(now), "  readonly name: string\n  readonly |age: number\n\n")
  })

  it("before and behind the same name, if it belongs to the name", () => {
    const all = "const a = user\nconst b = f(user)\n"
    assert.strictEqual(
      accepted(edited(all, "const a = user.name|\nconst b = f(user)\n")),
      "const a = user.name\nconst b = f(user.name|)\n"
    )
    assert.strictEqual(
      accepted(edited(all, "const a = this.|user\nconst b = f(user)\n")),
      "const a = this.user\nconst b = f(this.|user)\n"
    )
    assert.isUndefined(accepted(edited(all, "const a = user, other|\nconst b = f(user)\n")))
  })

  it("but not once it was taken back", () => {
    assert.deepStrictEqual(Mind.ideas(edited("f(1, x)\nf(1, x)\n", "f(2|, x)\nf(1, x)\n", { isUndone: true })), [])
  })
})

describe("A renaming", () => {
  const before = "const total = 1\nprint(total, subtotal)\n"
  const after = "const sum| = 1\nprint(total, subtotal)\n"

  it("goes through the file as a rename, or as one edit", () => {
    const now = edited(before, after)
    assert.deepStrictEqual(Mind.ideas(now)[0], {
      kind: "rename",
      uri: now.uri,
      at: now.text.indexOf("total"),
      from: "total",
      to: "sum"
    })
    assert.strictEqual(accepted({ ...now, ...only() }), "const sum| = 1\nprint(sum, subtotal)\n")
    const above = edited("f(total)\nlet total\n", "f(total)\nlet sum|\n", only())
    assert.strictEqual(accepted(above), "f(sum)\nlet sum|\n")
  })

  it("goes through the project by a search in the folder of the workspace", () => {
    const others = [other("lib/b.ts", "total + 1"), other("c.ts", "subtotal")]
    const found = Mind.ideas(edited(before, after, { others }))
    assert.deepStrictEqual(
      found.filter(({ kind }) => kind === "searchAndReplace"),
      [{ kind: "searchAndReplace", uri: "file:///repo/app", search: "\\btotal\\b", replace: "sum", isRegex: true }]
    )
    const outside = Mind.ideas(edited(before, after, { others, folders: ["file:///repo/ap"] }))
    assert.deepInclude(
      outside.find(({ kind }) => kind === "searchAndReplace"),
      { uri: "file:///repo/app/lib/b.ts" }
    )
    assert.deepStrictEqual(
      Mind.ideas(edited(before, after, { others, ...only("jump") })).filter(({ kind }) => kind === "jump"),
      [{ kind: "jump", uri: "file:///repo/app/lib/b.ts", position: { line: 0, character: 0 } }]
    )
  })

  it("is remembered until the project has it, after the file has", () => {
    const others = [other("b.ts", "total + 1")]
    const renamed = { from: "total", to: "sum" }
    const found = Mind.ideas(scene("sum|\n", { others, renamed }))
    assert.strictEqual(found[0]?.kind, "searchAndReplace")
  })

  it("searches for the plain word where it is no word of a regular expression, and for none that is part of others", () => {
    const others = [other("b.ts", "größe + 1")]
    const now = edited("größe\n", "weite|\n", { others })
    assert.deepInclude(Mind.ideas(now), {
      kind: "searchAndReplace",
      uri: "file:///repo/app",
      search: "größe",
      replace: "weite",
      isRegex: false
    })
    const parts = [other("b.ts", "größe + übergröße")]
    assert.notInclude(
      Mind.ideas({ ...now, others: parts }).map(({ kind }) => kind),
      "searchAndReplace"
    )
  })

  it("is none where the new name stood there before, or a word of the language changed", () => {
    for (const [one, two] of [
      ["one = two\none\n", "two| = two\none\n"],
      ["let one\nlet two\n", "const| one\nlet two\n"]
    ] as const)
      assert.notInclude(
        Mind.ideas(edited(one, two)).map(({ kind }) => kind),
        "rename"
      )
  })
})

describe("A missing argument", () => {
  it("is added to the other calls, after one got it", () => {
    const before = "add(1)\nadd(f(2, 3))\nother(1)\nadd()\nadd(4, 5)\nreadd(1)\n"
    const now = edited(before, "add(1, base|)\nadd(f(2, 3))\nother(1)\nadd()\nadd(4, 5)\nreadd(1)\n", only())
    assert.strictEqual(acceptedAll(now), "add(1, base)\nadd(f(2, 3), base)\nother(1)\nadd()\nadd(4, 5)\nreadd(1)\n")
  })

  it("has the name of a new parameter, and its place", () => {
    for (const [declared, calls, now, added] of [
      ["function add(a: number) {}", "add(1)", "function add(a: number, b: number|) {}", "add(1, b)"],
      ["def add(a):", "add(1)", "def add(b, |a):", "add(b, 1)"],
      ["const add = () => 1", "add()", "const add = (b|) => 1", "add(b)"],
      ["fn add(a: i32) {}", "add(1)", "fn add(a: i32, b: i32|) {}", "add(1, b)"],
      ["  add(a: string): void {", "x.add(1)", "  add(a: string, b: string|): void {", "x.add(1, b)"],
      ["int add(int a) {", "add(1);", "int add(int a, int b|) {", "add(1, b);"]
    ] as const) {
      const given = edited(`${declared}\n${calls}\n${calls}\n`, `${now}\n${calls}\n${calls}\n`, only())
      assert.strictEqual(acceptedAll(given), `${now.replace("|", "")}\n${added}\n${added}\n`)
    }
  })

  it("is not added where the parameter has a default, or a call spreads a list", () => {
    const defaults = edited("function add(a) {}\nadd(1)\n", "function add(a, b = 1|) {}\nadd(1)\n", only())
    assert.isUndefined(accepted(defaults))
    assert.isUndefined(accepted(edited("add(1)\nadd(...all)\n", "add(1, 2|)\nadd(...all)\n", only())))
  })

  it("is added to all calls at once on request", () => {
    const before = "add(1)\nadd(2)\nadd(3)\n"
    const now = edited(before, "add(1, b|)\nadd(2)\nadd(3)\n", { trigger: "manual" })
    const several = Mind.ideas(now).find((idea) => idea.kind === "edit" && idea.changes.length > 1)
    assert.strictEqual(accepted(now, several ? [several] : []), "add(1, b)\nadd(2, b)\nadd(3, b|)\n")
  })
})

describe("A finding", () => {
  const text = "const count = 1\nprint(|cont)\n\nlast(\n"
  const findings = [
    { start: 22, end: 26, message: "Cannot find name 'cont'. Did you mean 'count'?", isError: true },
    { start: 29, end: 33, message: "unused", isError: false },
    { start: 0, end: 5, message: "broken", isError: true }
  ]

  it("is fixed by what its message names", () => {
    assert.strictEqual(
      accepted(scene(text, { findings, trigger: "diagnostic" })),
      "const count = 1\nprint(count|)\n\nlast(\n"
    )
    const missing = scene("one(|1\ntwo()\n", {
      findings: [{ start: 6, end: 9, message: "')' expected.", isError: true }]
    })
    assert.strictEqual(accepted({ ...missing, caret: 6 }), "one(1)|\ntwo()\n")
  })

  it("is jumped to, errors first, when it is the trigger and not while a person writes", () => {
    const lines = (given: Scene) =>
      Mind.ideas(given).flatMap((idea) => (idea.kind === "jump" ? [idea.position.line] : []))
    assert.deepStrictEqual(lines(scene(text, { findings, trigger: "diagnostic" })), [0, 3])
    assert.deepStrictEqual(lines(scene(text, { findings, trigger: "manual" })), [0, 3])
    assert.deepStrictEqual(lines(scene(text, { findings })), [])
    const far = [{ uri: "file:///repo/app/b.ts", position: { line: 7, character: 2 } }]
    assert.deepStrictEqual(lines(scene(text, { farFindings: far, trigger: "diagnostic" })), [7])
  })
})

describe("A rejection", () => {
  it("is about the same text, also when its line has moved", () => {
    const keys = (given: Scene) => Mind.ideas(given).map((idea) => keyOf(idea, given))
    const before = "log.info(a)\nlog.info(a)\n"
    const now = edited(before, "log.warn(|a)\nlog.info(a)\n")
    const moved = edited(`\n${before}`, "\nlog.warn(|a)\nlog.info(a)\n")
    assert.deepStrictEqual(keys(now), keys(moved))
    const changed = edited(`${before.trimEnd()} \n`, "log.warn(|a)\nlog.info(a) \n")
    assert.notDeepEqual(keys(now), keys(changed))
  })

  it("is forgotten after five hundred others", () => {
    const rejections = new Rejections()
    for (let count = 0; count <= 500; count++) rejections.add(`key ${count}`)
    assert.isFalse(rejections.has("key 0"))
    assert.isTrue(rejections.has("key 1"))
    assert.isTrue(rejections.has("key 500"))
  })
})
