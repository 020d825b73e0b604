import { assert, describe, it } from "vitest"
import { complete } from "../../src/nes/mind/Completion.ts"
import { scene } from "./Scenes.ts"

/** What is inserted at the caret first. */
const inserted = (marked: string, more = {}): string | undefined => {
  const [first] = complete(scene(marked, more))
  return first?.kind === "edit" ? first.changes[0]?.text : undefined
}

describe("A line is completed", () => {
  it("by the next member that a switch lacks", () => {
    const kinds = 'type Kind = "red" | "green" | "blue"\n'
    assert.strictEqual(inserted(`${kinds}switch (kind) {\n  case "red":\n    go()\n  case |\n`), '"green":')
    assert.strictEqual(inserted(`${kinds}switch (kind) {\n  case "red":\n  case "b|\n`), 'lue":')
    const members = "enum Light {\n  Red,\n  Green = 3,\n  Blue\n}\n"
    assert.strictEqual(
      inserted(`${members}switch (l) {\n  case Light.Red:\n  case Light.Green:\n  case |`),
      "Light.Blue:"
    )
    const others = [{ uri: "file:///b.ts", text: kinds, firstLine: 0 }]
    assert.strictEqual(inserted('switch (kind) {\n  case "red":\n  case |\n', { others }), '"green":')
    assert.isUndefined(inserted('type Kind = "red"\nswitch (kind) {\n  case "red":\n  case |\n'))
  })

  it("by the next number or name of two lines above", () => {
    assert.strictEqual(inserted("item1 = f(10)\nitem2 = f(20)\n|\n"), "item3 = f(30)")
    assert.strictEqual(inserted("a01\na02\na|"), "03")
    const init = "def __init__(self, name, age, city):\n"
    assert.strictEqual(inserted(`${init}    self.name = name\n    self.age = age\n    |\n`), "self.city = city")
    assert.strictEqual(inserted(`${init}    self.name = name\n    self.age = age\n    self.c|\n`), "ity = city")
    const typed = "function f(name: string, age: number, city: City) {\n"
    assert.strictEqual(inserted(`${typed}  setName(name)\n  setAge(age)\n  |\n}`), "setCity(city)")
    assert.isUndefined(inserted(`${init}    self.age = age\n    self.city = city\n    |\n`))
  })

  it("by a line that stands in the file", () => {
    const text = "if (failed) {\n  return undefined\n}\n"
    assert.strictEqual(inserted(`${text}if (failed) {\n  r|\n`), "eturn undefined")
    assert.strictEqual(inserted('import { one } from "one"\nimport { o|\n'), 'ne } from "one"')
    assert.isUndefined(inserted('import { one } from "one"\nimport { two } from "two"\nimport { |\n'))
    assert.isUndefined(inserted("import one\nimp|\n"))
  })

  it("by closing what is open, as the file does", () => {
    assert.strictEqual(inserted("start();\ncall([1, { a: 2|\n"), " }]);")
    assert.strictEqual(inserted('call("text|\n'), '")')
    assert.strictEqual(inserted("if (a|\n"), ")")
    assert.isUndefined(inserted("call(1|\n  , 2)\n"))
    assert.isUndefined(inserted("call(|\n"))
    assert.isUndefined(inserted("it's here (don't|)\n"))
  })

  it("at the end of a line alone, with nothing selected, and not while the caret only moves", () => {
    assert.isUndefined(inserted("item1\nitem2\ni| x\n"))
    assert.isUndefined(inserted("item1\nitem2\n|\n", { selection: { start: 0, end: 3 } }))
    assert.isUndefined(inserted("item1\nitem2\n|\n", { isMoving: true }))
    assert.strictEqual(inserted("item1\nitem2\n|\n", { isMoving: true, trigger: "manual" }), "item3")
  })
})
