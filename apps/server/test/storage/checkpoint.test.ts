/** Moving the journal into the database file, on a thread of its own: also when somebody is in its way, or it can't be done. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Checkpointer from "../../src/storage/Checkpointer.ts"
import * as Databases from "../support/Databases.ts"
import { created, threadId, warnings } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

const mebibyte = 1024 * 1024

/** Steps of about 200 kB each. */
const steps = (from: number, count: number) =>
  Array.from({ length: count }, (_, step) => warnings(1 + (from + step) * 50, 50, "x".repeat(4000)))

describe("a checkpoint", () => {
  it.live("that somebody who reads is in the way of holds nobody up, and is made when they are done", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const first = new ThreadRecord(threadId).step([created])
      yield* store.commit([first])
      const reader = new DatabaseSync(file, { readOnly: true })
      reader.exec("BEGIN")
      reader.prepare("SELECT count(*) FROM events").get()
      for (const events of steps(0, 110)) yield* store.commit([{ ...first, events }])
      assert.isAbove(fs.statSync(`${file}-wal`).size, 20 * mebibyte)
      reader.close()
      for (const events of steps(110, 110)) yield* store.commit([{ ...first, events }])
      assert.isBelow(fs.statSync(`${file}-wal`).size, 20 * mebibyte)
    })
  )

  it.live("that can't be made on a thread of its own is left to whoever writes, who goes on", () =>
    Effect.gen(function* () {
      const folder = yield* Databases.folder
      const file = `${folder}/a-folder-is-no-database`
      fs.mkdirSync(file)
      fs.writeFileSync(`${file}-wal`, Buffer.alloc(20 * mebibyte))
      const fallenBack = yield* Deferred.make<void>()
      const checkpointer = yield* Checkpointer.make(file, () => Deferred.doneUnsafe(fallenBack, Effect.void))
      checkpointer.written()
      yield* checkpointer.room
      yield* Deferred.await(fallenBack)
      checkpointer.written()
      yield* checkpointer.room
      assert.isDefined((yield* checkpointer.rewrite).refused)
    })
  )
})

describe("a file that is written anew", () => {
  it.live("has no room for writers until it is over", () =>
    Effect.gen(function* () {
      const { file } = yield* Databases.fresh
      const checkpointer = yield* Checkpointer.make(file, () => assert.fail("the thread is gone"))
      const order: Array<string> = []
      const rewriting = yield* Effect.forkChild(
        Effect.map(checkpointer.rewrite, ({ refused }) => order.push(refused ?? "over")),
        { startImmediately: true }
      )
      yield* checkpointer.room
      order.push("room")
      yield* Fiber.join(rewriting)
      assert.deepStrictEqual(order, ["over", "room"])
    })
  )

  it.live("by a thread that can't is reported as not written", () =>
    Effect.gen(function* () {
      const file = `${yield* Databases.folder}/a-folder-is-no-database`
      fs.mkdirSync(file)
      const checkpointer = yield* Checkpointer.make(file, () => {})
      assert.isDefined((yield* checkpointer.rewrite).refused)
      yield* checkpointer.room
    })
  )
})
