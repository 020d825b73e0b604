import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"
import * as SourceLines from "../../src/operations/SourceLines.ts"

const at = (path: string, line = 1) => ({ path, start: { line, column: 1 }, end: { line, column: 2 } })

const mega = 1024 * 1024

/** A session's folder that counts what is read. */
const counting = Effect.gen(function* () {
  const cwd = temporaryFolder("project")
  const folder = yield* SessionFolder.open(cwd)
  const reads: Array<string> = []
  const readAt: SessionFolder.SessionFolder["readAt"] = (path) =>
    Effect.suspend(() => {
      reads.push(path)
      return folder.readAt(path)
    })
  return { cwd, reads, folder: { ...folder, readAt } }
})

describe("lines of places", () => {
  it.live("are read once from a file, whatever its names are", () =>
    Effect.gen(function* () {
      const { cwd, folder, reads } = yield* counting
      writeFileSync(join(cwd, "x"), `first\r\nsecond\n${"z".repeat(5 * mega - 20)}`)
      const aliases = Array.from({ length: 100 }, (_, index) => at(`${"./".repeat(index)}x`, 1 + (index % 2)))
      const found = yield* SourceLines.added(folder, [
        ...aliases,
        at("x", 9),
        at("no", 1),
        { ...at("x"), content: "kept" }
      ])
      assert.deepStrictEqual(reads, [join(folder.roots[0], "x")])
      assert.deepStrictEqual(
        found.map(({ content }) => content),
        [...aliases.map((_, index) => (index % 2 === 0 ? "first" : "second")), undefined, undefined, "kept"]
      )
    })
  )

  it.live("of too much text are refused, with the next step", () =>
    Effect.gen(function* () {
      const { cwd, folder, reads } = yield* counting
      const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`)
      for (const name of names) writeFileSync(join(cwd, name), "z".repeat(5 * mega))
      const { message } = yield* Effect.flip(
        SourceLines.added(
          folder,
          names.map((name) => at(name))
        )
      )
      assert.strictEqual(
        message,
        "The files of these places are too long together: 67108864 characters may be read for their lines. Ask about fewer symbols at once."
      )
      assert.lengthOf(reads, 13)
    })
  )
})
