/** Archives are looked through before anything of them is written. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"
import * as Archive from "../src/Archive.ts"
import { type TarEntry, tarOf } from "./support/TarText.ts"

const limits = { entries: 100, bytes: 1024 * 1024 }

/** Unpacks an archive, and returns its folder and what was wrong. */
const unpacked = Effect.fnUntraced(function* (archive: Buffer) {
  const folder = temporaryFolder("archive")
  const into = join(folder, "in", "here")
  const file = join(folder, "a.tgz")
  mkdirSync(into, { recursive: true })
  writeFileSync(file, archive)
  const result = yield* Effect.result(Archive.unpackTar({ file, into, limits, strip: 1 }))
  return { folder, into, problem: result._tag === "Failure" ? result.failure.message : undefined }
})

const good: TarEntry = { path: "package/index.js", text: "1" }

describe("An archive", () => {
  it.live("is unpacked without the folder around it", () =>
    Effect.gen(function* () {
      const link: TarEntry = { path: "package/link.js", type: "SymbolicLink", target: "index.js" }
      const { into, problem } = yield* unpacked(tarOf(good, { path: "package/lib/a.js", text: "2" }, link))
      assert.isUndefined(problem)
      assert.strictEqual(readFileSync(join(into, "link.js"), "utf8"), "1")
      assert.strictEqual(readFileSync(join(into, "lib/a.js"), "utf8"), "2")
    })
  )

  const bad: ReadonlyArray<{ readonly what: string; readonly entry: TarEntry; readonly says: RegExp }> = [
    {
      what: "a path with ..",
      entry: { path: "package/../../out", text: "x" },
      says: /"package\/..\/..\/out" in it would lie outside/
    },
    {
      what: "an absolute path",
      entry: { path: "/tmp/signalbox-out", text: "x" },
      says: /"\/tmp\/signalbox-out" in it would lie outside/
    },
    {
      what: "a link that leaves",
      entry: { path: "package/l", type: "SymbolicLink", target: "../../../etc/passwd" },
      says: /"package\/l" in it is a link that leads outside/
    },
    {
      what: "a link with an absolute target",
      entry: { path: "package/l", type: "SymbolicLink", target: "/etc/passwd" },
      says: /"package\/l" in it is a link that leads outside/
    },
    {
      what: "a hard link that leaves",
      entry: { path: "package/l", type: "Link", target: "../../etc/passwd" },
      says: /"package\/l" in it is a link that leads outside/
    },
    {
      what: "a device",
      entry: { path: "package/d", type: "CharacterDevice" },
      says: /"package\/d" in it is neither a file/
    }
  ]
  for (const { entry, says, what } of bad)
    it.live(`with ${what} is refused by name, and nothing of it is written`, () =>
      Effect.gen(function* () {
        const { folder, into, problem } = yield* unpacked(tarOf(good, entry))
        assert.match(String(problem), says)
        assert.deepStrictEqual(readdirSync(into), [])
        assert.deepStrictEqual(readdirSync(folder).toSorted(), ["a.tgz", "in"])
        assert.isFalse(existsSync("/tmp/signalbox-out"))
      })
    )

  it.live("that lies behind a link of its own is refused", () =>
    Effect.gen(function* () {
      const { into, problem } = yield* unpacked(
        tarOf({ path: "package/l", type: "SymbolicLink", target: "." }, { path: "package/l/x", text: "x" })
      )
      assert.match(String(problem), /"package\/l\/x" in it lies behind a link/)
      assert.deepStrictEqual(readdirSync(into), [])
    })
  )

  it.live("that grows beyond what is allowed is not read to its end", () =>
    Effect.gen(function* () {
      // 32 MB of zeros in a few kilobytes: by its first entry it is too large.
      const bomb = Buffer.concat([
        tarOf({ path: "package/zeros", size: 8 * 1024 ** 3 }),
        gzipSync(Buffer.alloc(32 * 1024 ** 2))
      ])
      const before = process.cpuUsage()
      const { into, problem } = yield* unpacked(bomb)
      assert.match(String(problem), /Unpacked it is larger than/)
      assert.deepStrictEqual(readdirSync(into), [])
      assert.isBelow(process.cpuUsage(before).user / 1000, 5000)
      const many = yield* unpacked(
        tarOf(...Array.from({ length: 101 }, (_, at) => ({ path: `package/${at}`, text: "" })))
      )
      assert.match(String(many.problem), /more than 100 files/)
    })
  )

  it.live("that is none is refused", () =>
    Effect.gen(function* () {
      const noise = createHash("sha512").update("noise").digest()
      const { into, problem } = yield* unpacked(Buffer.concat(Array.from({ length: 100 }, () => noise)))
      assert.isString(problem)
      assert.deepStrictEqual(readdirSync(into), [])
    })
  )
})
