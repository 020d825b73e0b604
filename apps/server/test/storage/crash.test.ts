/** A server that is killed while it writes leaves a database that can be read. All that it had said was kept is in it. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Databases from "../support/Databases.ts"
import { everything, viewOf } from "../support/ThreadRecord.ts"

const writer = fileURLToPath(new URL("support/writer.ts", import.meta.url))

/** Lets another process write until it has said `steps` steps, and kills it. The last step that it said. */
const writeUntilKilled = Effect.fnUntraced(function* (file: string, thread: string, steps: number) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [writer, file, thread], { stdio: ["ignore", "pipe", "inherit"] })),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  return yield* Effect.promise(async () => {
    let said = -1
    for await (const line of createInterface({ input: child.stdout })) {
      said = Number(line)
      if (said >= steps) child.kill("SIGKILL")
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    assert.strictEqual(child.signalCode, "SIGKILL")
    return said
  })
}, Effect.scoped)

describe("after kill -9", () => {
  it.live("all that was said to be kept is there, in its order, and every other thread too", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      const kept = new Map<string, number>()
      // In the middle of the log, at a fold, behind one, and while the journal is moved.
      for (const steps of [0, 4, 63]) {
        const thread = `killed at ${steps}`
        kept.set(thread, yield* writeUntilKilled(file, thread, steps))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { store } = yield* Databases.open(file)
            assert.strictEqual((yield* store.summaries).length, kept.size)
            for (const [name, said] of kept) {
              const { items } = viewOf((yield* store.load(ThreadId.make(name), everything))!)
              assert.isAtLeast(items.length, said + 1)
              assert.deepStrictEqual(
                items.map(({ itemId }) => Number(itemId)),
                items.map((_, index) => index)
              )
            }
          })
        )
        const check = Databases.query(file, "PRAGMA integrity_check")
        assert.deepStrictEqual(check, [{ integrity_check: "ok" }])
      }
    })
  )
})
