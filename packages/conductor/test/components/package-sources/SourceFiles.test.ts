import { assert, describe, it } from "@effect/vitest"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Checkouts from "../../../src/components/package-sources/research/Checkouts.ts"
import * as SourceFiles from "../../../src/components/package-sources/research/SourceFiles.ts"

/** A folder with these files. */
const source = (files: Readonly<Record<string, string>>) => {
  const root = temporaryFolder("source")
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return { root, checkouts: Checkouts.make(root) }
}

describe("files of a researcher", () => {
  it.effect("include a module that is called target, and no folder that Cargo has built into", () =>
    Effect.gen(function* () {
      const { checkouts, root } = source({
        "src/target/mod.rs": "pub fn target() {}",
        "target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55",
        "target/debug/build.rs": "pub fn target() {}"
      })
      const { text } = yield* SourceFiles.search(checkouts, root, "fn target")
      assert.strictEqual(text, `${join(root, "src/target/mod.rs")}:1: pub fn target() {}`)
    })
  )

  it.effect("that are too long to be searched are named, so that nobody takes them for empty", () =>
    Effect.gen(function* () {
      const { checkouts, root } = source({ "big.js": "x".repeat(1024 * 1024) + "needle", "small.js": "" })
      const { isCut, text } = yield* SourceFiles.search(checkouts, root, "needle")
      assert.strictEqual(
        text,
        `Nothing was found.\nNot searched, since they are longer than 1 MiB: ${join(root, "big.js")}`
      )
      assert.isFalse(isCut)
    })
  )

  it.effect("with text of several bytes each are found by any case, and a line is cut", () =>
    Effect.gen(function* () {
      const { checkouts, root } = source({ "a.ts": `Überschrift ${"y".repeat(1000)}` })
      const { text } = yield* SourceFiles.search(checkouts, root, "ÜBERSCHRIFT")
      assert.match(text, /a\.ts:1: Überschrift y+$/)
      assert.isBelow(text.length, root.length + 500)
    })
  )
})
