/** A real server, killed, whose journal is cut before the next one starts. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { converse, reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

describe("a server that was killed, and whose journal was cut", () => {
  it.live("is reported by doctor, and by the next server in its log and its health", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const first = yield* start(["--port", "0", "--state-dir", state])
      yield* converse(yield* reachable(first), ThreadId.make("thread-1"), ["I am sad"])
      first.kill("SIGKILL")
      yield* first.ended
      const journal = join(state, "signalbox.sqlite-wal")
      truncateSync(journal, statSync(journal).size - 1)
      const lost = /The database lost its last (?:write|\d+ writes)\./
      const doctor = yield* call(["doctor", "--state-dir", state])
      assert.strictEqual(doctor.code, 1)
      assert.match(doctor.stdout, lost)
      assertReadable(doctor)
      const second = yield* start(["--port", "0", "--state-dir", state])
      yield* reachable(second)
      const stats = yield* call(["stats", "--state-dir", state])
      assert.match(stats.stdout, lost)
      second.kill("SIGTERM")
      yield* second.ended
      assert.match(readFileSync(join(state, "logs", "server.ndjson"), "utf8"), lost)
      const later = yield* call(["doctor", "--state-dir", state])
      assert.notMatch(later.stdout, lost)
    }).pipe(Effect.scoped)
  )
})
