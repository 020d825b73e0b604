/** Diffs that programs apply. */
import { applyPatch, parsePatch } from "diff"
import { assert, describe, it } from "vitest"
import { unifiedDiff } from "../src/UnifiedDiff.ts"

describe("unifiedDiff", () => {
  it("leads from the old text to the new one, at the right lines, whatever the texts are", () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const line = () => ["", "a", "b", "same", "x\r", "\r", "é😀"][random(7)] ?? ""
    const text = (lines: number) => Array.from({ length: lines }, line).join("\n") + (random(2) === 0 ? "\n" : "")
    for (let run = 0; run < 2000; run++) {
      const long = () => (random(9) === 0 ? "A long text is compared in blocks.\n".repeat(random(500)) : "")
      const oldText = long() + text(random(30)) + long()
      const [from, to] = [random(oldText.length + 1), random(oldText.length + 1)]
      const newText =
        random(4) === 0
          ? text(random(30))
          : oldText.slice(0, Math.min(from, to)) + text(random(3)) + oldText.slice(Math.max(from, to))
      const diff = unifiedDiff({ path: "a", oldText, newText, context: random(4) }) ?? assert.fail("no diff")
      for (const { lines, oldLines, oldStart } of parsePatch(diff).flatMap(({ hunks }) => hunks)) {
        const named = lines.filter((one) => /^[ -]/.test(one)).map((one) => one.slice(1))
        if (oldLines > 0)
          assert.deepStrictEqual(oldText.split("\n").slice(oldStart - 1, oldStart - 1 + oldLines), named)
      }
      assert.strictEqual(diff === "" ? oldText : applyPatch(oldText, diff, { autoConvertLineEndings: false }), newText)
    }
  })

  it("numbers the lines of a change in the middle of a long text", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`)
    const oldText = `${lines.join("\n")}\n`
    const newText = oldText.replace("line 12345\n", "another\n")
    assert.strictEqual(
      unifiedDiff({ path: "a.ts", oldText, newText, context: 1 }),
      "--- a/a.ts\n+++ b/a.ts\n@@ -12344,3 +12344,3 @@\n line 12344\n-line 12345\n+another\n line 12346\n"
    )
  })

  it("is empty without a difference, and undefined for texts that are too large", () => {
    assert.strictEqual(unifiedDiff({ path: "a", oldText: "x", newText: "x" }), "")
    assert.isUndefined(unifiedDiff({ path: "a", oldText: "x".repeat(9_000_000), newText: "" }))
    const [oldText, newText] = [`${"same\n".repeat(1000)}a\nb\n`, `${"same\n".repeat(1000)}c\nd\n`]
    assert.isString(unifiedDiff({ path: "a", oldText, newText, mostDifferent: 50, mostChanges: 4 }))
    assert.isUndefined(unifiedDiff({ path: "a", oldText, newText, mostDifferent: 20 }))
    assert.isUndefined(unifiedDiff({ path: "a", oldText, newText, mostChanges: 3 }))
  })
})
