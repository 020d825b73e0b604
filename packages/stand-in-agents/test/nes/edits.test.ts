import { assert, describe, it } from "vitest"
import { difference, essence, followed } from "../../src/nes/mind/Edit.ts"
import { editOf } from "../../src/nes/mind/UnifiedDiff.ts"

describe("The last edit", () => {
  it("is all that was typed at one place, key by key", () => {
    let text = "const a = call()\n"
    let edit = followed(undefined, text, text)
    for (const sign of "await ") {
      const at = text.indexOf("call")
      const after = text.slice(0, at) + sign + text.slice(at)
      edit = followed(edit, text, after)
      text = after
    }
    assert.deepStrictEqual(edit, { at: 10, removed: "", inserted: "await " })
  })

  it("holds what was removed and typed anew, and is without what stayed", () => {
    const steps = ["let total = 1", "let tota = 1", "let tot = 1", "let tots = 1"]
    let edit = followed(undefined, "", "")
    for (const [index, step] of steps.entries()) edit = followed(edit, steps[index - 1] ?? step, step)
    assert.deepStrictEqual(edit, { at: 7, removed: "al", inserted: "s" })
    assert.deepStrictEqual(essence({ at: 3, removed: "one two", inserted: "one too" }), {
      at: 8,
      removed: "w",
      inserted: "o"
    })
  })

  it("begins anew elsewhere, and on another line", () => {
    assert.deepStrictEqual(followed({ at: 0, removed: "", inserted: "a" }, "a b c", "a b d"), {
      at: 4,
      removed: "c",
      inserted: "d"
    })
    assert.deepStrictEqual(followed({ at: 0, removed: "", inserted: "a" }, "a", "a\n"), {
      at: 1,
      removed: "",
      inserted: "\n"
    })
  })

  it("cuts no character in two", () => {
    assert.deepStrictEqual(difference("a😀b", "a😁b"), { start: 1, end: 3, text: "😁" })
    assert.deepStrictEqual(difference("😀", "🨀"), { start: 0, end: 2, text: "🨀" })
  })

  it("is read from a unified diff where the agent has seen nothing", () => {
    const diff = "--- a/file.rs\n+++ b/file.rs\n@@ -3,0 +3,1 @@\n+    let x = 42;"
    const text = "fn main() {\n\n    let x = 42;\n}\n"
    assert.deepStrictEqual(editOf(diff, text), { at: 13, removed: "", inserted: "    let x = 42;\n" })
    const changed = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    assert.deepStrictEqual(editOf(changed, "one\r\nTWO\r\nthree"), { at: 5, removed: "two\r\n", inserted: "TWO\r\n" })
    assert.deepStrictEqual(editOf("@@ -1 +1 @@\n-two\n+TWO\n", "TWO"), { at: 0, removed: "two", inserted: "TWO" })
    assert.deepStrictEqual(editOf("@@ -2,1 +1,0 @@\n-two\n", "one\n"), { at: 4, removed: "two\n", inserted: "" })
  })

  it("is not read from a diff of another text, or from no diff", () => {
    assert.isUndefined(editOf("@@ -1 +1 @@\n-two\n+TWO\n", "three"))
    assert.isUndefined(editOf("nothing", "three"))
  })
})
