import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as Memory from "../../../src/components/collaboration/Memory.ts"

const problemOf = <A>(effect: Effect.Effect<A, Memory.MemoryFailure>) =>
  Effect.match(effect, { onFailure: ({ message }) => message, onSuccess: () => "none" })

describe("The memory of agents", () => {
  it.live("keeps every insight of many that come at once, by several programs", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("memory")
      const memories = [Memory.make(folder), Memory.make(folder)]
      const texts = Array.from({ length: 20 }, (_, index) => `insight ${index}`)
      yield* Effect.forEach(
        texts.flatMap((text) => memories.map((memory) => memory.addInsight("default", text))),
        (adding) => adding,
        { concurrency: "unbounded", discard: true }
      )
      const { insights } = yield* Memory.make(folder).identity("default")
      assert.sameMembers([...insights], texts)
      // Nothing half-written is left, and nobody else may read it.
      const own = join(folder, "personas", "default")
      assert.deepStrictEqual(readdirSync(own), ["insights.json"])
      assert.strictEqual(statSync(join(own, "insights.json")).mode & 0o777, 0o600)
      assert.strictEqual(statSync(own).mode & 0o777, 0o700)
    })
  )

  it.live("refuses names and texts that are wrong, and writes nothing for them", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("memory")
      const memory = Memory.make(folder)
      yield* memory.create("critic", "Reads twice.")
      for (const name of ["", "..", "../x", "a/b", "A", "a\u0000", "a b", "-a", "x".repeat(41)])
        for (const act of [
          memory.create(name, "x"),
          memory.identity(name),
          memory.checkpoint(name, "x"),
          memory.rename("critic", name)
        ])
          assert.match(yield* problemOf(act), /is no name of a persona\. A name has lower-case letters/, name)
      const cases: ReadonlyArray<readonly [Effect.Effect<unknown, Memory.MemoryFailure>, string]> = [
        [memory.create("critic", "x"), "There is a persona critic already. Take another name."],
        [memory.create("other", " "), "The identity is empty. Write some words."],
        [memory.create("other", "x".repeat(16_001)), "The identity has 16001 characters, and 16000 at most."],
        [memory.checkpoint("nobody", "x"), "There is no persona nobody. list_personas names them"],
        [memory.checkpoint("critic", ""), "The checkpoint is empty."],
        [memory.addInsight("critic", "x".repeat(1001)), "The insight has 1001 characters, and 1000 at most."],
        [memory.setProfile("x".repeat(16_001)), "The profile has 16001 characters"],
        [memory.rename("default", "mine"), "The persona default keeps its name."],
        [memory.rename("critic", "default"), "There is a persona default already."],
        [memory.rename("nobody", "mine"), "There is no persona nobody."]
      ]
      for (const [act, words] of cases) assert.include(yield* problemOf(act), words)
      assert.deepStrictEqual(yield* memory.list, ["default", "critic"])
      assert.deepStrictEqual(readdirSync(join(folder, "personas", "critic")), ["identity.md"])
      assert.isUndefined(yield* memory.profile)
    })
  )

  it.live("has bounds, and says who can make room", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("memory")
      const memory = Memory.make(folder)
      const own = join(folder, "personas", "default")
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, "insights.json"), JSON.stringify(Array.from({ length: 200 }, (_, at) => `i${at}`)))
      assert.match(
        yield* problemOf(memory.addInsight("default", "one more")),
        /has 200 insights, and no room for more\./
      )
      assert.strictEqual(yield* memory.addInsight("default", "i7"), 200)
    })
  )

  it.live("that is damaged is left as it is, and the cause is named", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("memory")
      const own = join(folder, "personas", "default")
      mkdirSync(own, { recursive: true })
      const path = join(own, "insights.json")
      for (const text of ["{", "[1]", '{"a":1}', ""]) {
        writeFileSync(path, text)
        const memory = Memory.make(folder)
        for (const act of [memory.identity("default"), memory.addInsight("default", "x")])
          assert.strictEqual(
            yield* problemOf<unknown>(act),
            `${path} is no list of texts any more. A person has to correct it, or to delete it.`
          )
        assert.strictEqual(readFileSync(path, "utf8"), text)
      }
      writeFileSync(join(folder, "profile.md"), "x".repeat(1024 * 1024 + 1))
      assert.include(yield* problemOf(Memory.make(folder).profile), "can't be read: it has more than 1 MiB.")
    })
  )

  it.live("whose folder can't be made is an error, and not silence", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder("memory"), "file")
      writeFileSync(file, "")
      const memory = Memory.make(join(file, "below"))
      assert.match(yield* problemOf(memory.setProfile("x")), /^The memory in .*below can't be changed: /)
    })
  )
})
