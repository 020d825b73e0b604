import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as TapeName from "../../src/tape/TapeName.ts"
import { Tapes, TapesUnusable, layer } from "../../src/tape/Tapes.ts"
import { temporaryFolder } from "../support/AgentHarness.ts"

const nameOf = (thread: string, session: number) =>
  TapeName.of(ThreadId.make(thread), ProviderSessionId.make(`00000000-0000-4000-8000-00000000000${session}`))

/** Files of ten bytes, each changed later than the one before. */
const folderWith = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const folder = yield* temporaryFolder
  for (const [index, name] of names.entries()) {
    writeFileSync(join(folder, name), "0123456789")
    utimesSync(join(folder, name), 1_000 + index, 1_000 + index)
  }
  return { folder, tapes: yield* Effect.provide(Tapes, layer({ folder })) }
})

describe("the tapes that are kept", () => {
  it.live("are listed with those changed last first, each with its parts in order", () =>
    Effect.gen(function* () {
      const tenth = TapeName.ofPart(nameOf("b", 2), 10)
      const second = TapeName.ofPart(nameOf("b", 2), 2)
      const { folder, tapes } = yield* folderWith([nameOf("b", 2), tenth, second, nameOf("a", 1), "notes.txt"])
      const listed = yield* tapes.list
      assert.deepStrictEqual(
        listed.map(({ bytes, name, thread }) => [name, thread, bytes]),
        [
          [nameOf("a", 1), "a", 10],
          [nameOf("b", 2), "b", 30]
        ]
      )
      assert.deepStrictEqual(
        listed[1]?.parts,
        [nameOf("b", 2), second, tenth].map((name) => join(folder, name))
      )
      assert.strictEqual(yield* tapes.bytes, 40)
    })
  )

  it.live("go with their thread, all parts of all its sessions, and nobody else's", () =>
    Effect.gen(function* () {
      const kept = [nameOf("a", 1), nameOf("a-b", 1), nameOf("a-b-c/de", 1), "notes.txt"]
      const gone = [nameOf("a-b-c/d", 1), TapeName.ofPart(nameOf("a-b-c/d", 1), 2), nameOf("a-b-c/d", 2)]
      const { folder, tapes } = yield* folderWith([...kept, ...gone])
      yield* tapes.remove(ThreadId.make("a-b-c/d"))
      assert.sameMembers(readdirSync(folder), kept)
      yield* tapes.remove(ThreadId.make("a-b-c/d"))
      assert.sameMembers(readdirSync(folder), kept)
    })
  )

  it.live("are none if there is no folder, and a file in its place is reported", () =>
    Effect.gen(function* () {
      const nowhere = yield* Effect.provide(Tapes, layer({ folder: "/no-such-folder" }))
      assert.deepStrictEqual([yield* nowhere.list, yield* nowhere.bytes], [[], 0])
      yield* nowhere.remove(ThreadId.make("a"))
      const file = yield* Effect.provide(Tapes, layer({ folder: "/etc/passwd" }))
      const error = yield* Effect.flip(file.remove(ThreadId.make("a")))
      assert.instanceOf(error, TapesUnusable)
      assert.include(error.message, "/etc/passwd")
    })
  )
})
