import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { converse, reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"
import * as Databases from "../support/Databases.ts"

const stop = Effect.fnUntraced(function* (server: Effect.Success<ReturnType<typeof start>>) {
  server.kill("SIGTERM")
  assert.strictEqual((yield* server.ended).code, 0)
})

describe("signalbox backup and restore", () => {
  it.live("copy all threads under a running server, and bring them back in its place", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const file = join(temporaryFolder("backups"), "monday")
      const server = yield* start(["--port", "0", "--state-dir", state])
      const address = yield* reachable(server)
      yield* converse(address, ThreadId.make("thread-1"), ["I am sad"], { title: "First" })
      const copied = yield* call(["backup", file, "--state-dir", state])
      assert.deepStrictEqual([copied.code, copied.stdout], [0, ""])
      assert.match(copied.stderr, /^Copied all threads to .+monday, \d+ KiB\.\n$/)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      yield* converse(address, ThreadId.make("thread-2"), ["I am glad"], { title: "Second" })

      const early = yield* call(["restore", file, "--state-dir", state])
      assert.strictEqual(early.code, 7)
      assert.include(early.stderr, `Process ${server.pid} has it`)
      assert.include(early.stderr, `kill ${server.pid}`)
      assertReadable(early)
      yield* stop(server)

      const restored = yield* call(["restore", file, "--state-dir", state])
      assert.strictEqual(restored.code, 0, restored.stderr)
      assert.match(restored.stderr, /What was there before is kept as .+\.\n$/)
      yield* reachable(yield* start(["--port", "0", "--state-dir", state]))
      const listed = yield* call(["threads", "list", "--state-dir", state])
      assert.match(listed.stdout, /^ID .+\n.+ First\n$/)
    }).pipe(Effect.scoped)
  )

  it.live("leave out triggers of a backup, and say so in words and in the log", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(server)
      yield* stop(server)
      const file = join(temporaryFolder("backups"), "hostile")
      assert.strictEqual((yield* call(["backup", file, "--state-dir", state])).code, 0)
      Databases.meddle(file, "CREATE TRIGGER audit AFTER INSERT ON events BEGIN DELETE FROM receipts; END")
      const restored = yield* call(["restore", file, "--state-dir", state])
      assert.strictEqual(restored.code, 0, restored.stderr)
      const words = "Left out of it what Signalbox did not make: 1 trigger (audit)."
      assert.include(restored.stderr, words)
      assert.include(readFileSync(join(state, "logs", "server.ndjson"), "utf8"), words)
      assertReadable(restored)
    }).pipe(Effect.scoped)
  )

  it.live("never write over a file, and never put anything but a backup in place", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(server)
      yield* stop(server)
      const files = temporaryFolder("backups")
      const text = join(files, "text")
      writeFileSync(text, "no database")
      const over = yield* call(["backup", text, "--state-dir", state])
      assert.strictEqual(over.code, 1)
      assert.strictEqual(readFileSync(text, "utf8"), "no database")
      const nowhere = yield* call(["backup", join(files, "no-folder", "copy"), "--state-dir", state])
      assert.strictEqual(nowhere.code, 1)
      assert.match(nowhere.stderr, /The copy could not be made\.[\s\S]*no-folder/)
      const empty = yield* call(["backup", join(files, "new"), "--state-dir", temporaryFolder("state")])
      assert.strictEqual(empty.code, 1)
      assert.match(empty.stderr, /There is nothing to copy[\s\S]*--state-dir/)
      assert.isFalse(existsSync(join(files, "new")))

      const database = join(state, "signalbox.sqlite")
      const before = readFileSync(database)
      const cut = join(files, "cut")
      copyFileSync(database, cut)
      writeFileSync(cut, readFileSync(cut).subarray(0, 8192))
      for (const source of [text, cut]) {
        const refused = yield* call(["restore", source, "--state-dir", state])
        assert.strictEqual(refused.code, 1, source)
        assert.include(refused.stderr, source)
        assert.match(refused.stderr, /This is no sound backup[\s\S]*Take another backup/)
        assertReadable(refused)
      }
      assert.deepStrictEqual(readFileSync(database), before)
      assert.deepStrictEqual(
        readdirSync(state).filter((name) => /before|restoring/.test(name)),
        []
      )
    }).pipe(Effect.scoped)
  )
})
