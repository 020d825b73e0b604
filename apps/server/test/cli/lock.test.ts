/** Two real servers and one state folder, whose lock somebody deletes. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { agentsIn } from "../../src/base/StateDirectory.ts"
import * as ProcessLedgerFolder from "@signalbox/process/ProcessLedgerFolder"
import { converse, reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, groupEnds, start, temporaryFolder } from "./support/Signalbox.ts"

describe("a server whose lock is deleted", () => {
  it.live("stops, ends its agents and says why; what it kept is the next one's", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const serve = start(["--port", "0", "--state-dir", state])
      const first = yield* serve
      yield* converse(yield* reachable(first), ThreadId.make("thread-1"), ["I am sad"], { title: "First" })
      const groups = ProcessLedgerFolder.read(agentsIn(state)).records.flatMap(({ agent }) => agent?.pid ?? [])
      assert.isNotEmpty(groups)
      execFileSync("rm", [join(state, "server.lock")])
      const second = yield* serve
      const reached = yield* reachable(second)
      const ended = yield* first.ended
      assert.strictEqual(ended.code, 7)
      assert.match(ended.stderr, /error: The server stopped: it no longer had its state folder to itself\./)
      assert.include(ended.stderr, "it was deleted or replaced")
      assert.match(ended.stderr, /Next: .*[Ss]tart the server again/)
      assertReadable(ended)
      for (const group of groups) yield* groupEnds(group)
      assert.include(
        readFileSync(join(state, "logs", "server.ndjson"), "utf8"),
        "no longer has its state folder to itself"
      )
      // The one that took over is not disturbed, and is still found.
      yield* converse(reached, ThreadId.make("thread-2"), ["I am glad"], { title: "Second" })
      const listed = yield* call(["threads", "list", "--state-dir", state])
      assert.match(listed.stdout, /Second\n[^]*First\n|First\n[^]*Second\n/)
      second.kill("SIGTERM")
      assert.strictEqual((yield* second.ended).code, 0)
    }).pipe(Effect.scoped)
  )
})

describe("a server whose database is deleted", () => {
  it.live("stops, says why, and the next one reports what is gone", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const serve = start(["--port", "0", "--state-dir", state])
      const first = yield* serve
      yield* converse(yield* reachable(first), ThreadId.make("thread-1"), ["I am sad"], { title: "First" })
      execFileSync("rm", [join(state, "signalbox.sqlite")])
      const ended = yield* first.ended
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stderr, /error: The server stopped: its database was taken away\./)
      assert.include(ended.stderr, join(state, "signalbox.sqlite"))
      assertReadable(ended)
      const second = yield* serve
      yield* reachable(second)
      second.kill("SIGTERM")
      assert.match((yield* second.ended).stderr, /The database was empty, and lost \d+ writes\./)
    }).pipe(Effect.scoped)
  )
})

describe("a state folder in which other things have the names of files", () => {
  it.live("is used as far as it can be, and the log says so", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      mkdirSync(join(state, "server.json"))
      execFileSync("mkfifo", [join(state, "settings.json")])
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(server)
      const doctor = yield* call(["doctor", "--state-dir", state])
      assert.include(doctor.stdout, "settings.json is a pipe and no file")
      server.kill("SIGTERM")
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0)
      assert.match(
        ended.stderr,
        /Other commands of Signalbox will not find this server: \S+server\.json can't be written: (?!Error)/
      )
      assertReadable(ended)
      execFileSync("mkfifo", [join(state, "server.lock-journal")])
      const unusable = yield* call(["doctor", "--state-dir", state])
      assert.strictEqual(unusable.code, 1)
      assert.match(unusable.stdout, /server\.lock-journal/)
      // Nobody reads a pipe of that name, since the read would never end.
      rmdirSync(join(state, "server.json"))
      execFileSync("mkfifo", [join(state, "server.json")])
      assert.match((yield* call(["threads", "list", "--state-dir", state])).stderr, /No Signalbox server is running/)
    }).pipe(Effect.scoped)
  )
})

describe("a lock file that holds garbage", () => {
  it.live("is no damaged database: the server starts, and says what it did", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      execFileSync("/bin/sh", ["-c", 'head -c 5000 /dev/urandom > "$0"', join(state, "server.lock")])
      const doctor = yield* call(["doctor", "--state-dir", state])
      assert.include(doctor.stdout, "None runs.")
      const server = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(server)
      server.kill("SIGTERM")
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0)
      assert.include(ended.stderr, "held no lock but something else")
    }).pipe(Effect.scoped)
  )
})
