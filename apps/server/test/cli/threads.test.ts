import { ThreadId } from "@signalbox/contracts/Ids"
import { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { notice } from "@signalbox/redaction/Secrets"
import { damage, row, serve } from "./support/KeptThreads.ts"
import * as ThreadRows from "../../src/cli/threads/ThreadRows.ts"
import { converse, reachable } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, hasTerminals, program, start, temporaryFolder } from "./support/Signalbox.ts"

const decodeRow = Schema.decodeSync(Schema.fromJsonString(ThreadSummary))

/** `signalbox threads` on that server. */
const threads = (state: string, ...args: ReadonlyArray<string>) => call(["threads", ...args, "--state-dir", state])

describe("signalbox threads list", () => {
  it.live("shows people the beginning of each id, and programs everything, what changed last first", () =>
    Effect.gen(function* () {
      const { state } = yield* serve([
        row("aaaaaaaa-1", 3),
        row("aaaaaaaa-2", 0, { status: "working", title: "Two\u001b[31m\nlines" }),
        row("bbbbbbbb-1", 40, { unreadable: damage })
      ])
      const told = yield* threads(state, "list")
      assert.strictEqual(told.code, 0, told.stderr)
      assert.deepStrictEqual(told.stdout.replace(/\d s/, "0 s").split("\n"), [
        "ID          STATUS      AGENT  UNCHANGED  TITLE",
        "aaaaaaaa-2  working     Eliza        0 s  Two lines",
        "aaaaaaaa-1  completed   Eliza        3 d  About aaaaaaaa-1",
        "bbbbbbbb-1  unreadable  Eliza       40 d  About bbbbbbbb-1",
        ""
      ])
      const { stdout } = yield* threads(state, "list", "--json")
      assert.deepStrictEqual(
        stdout
          .trimEnd()
          .split("\n")
          .map((line) => decodeRow(line).threadId),
        ["aaaaaaaa-2", "aaaaaaaa-1", "bbbbbbbb-1"].map((id) => ThreadId.make(id))
      )
    }).pipe(Effect.scoped)
  )

  it.live("has nothing on stdout when there are none", () =>
    Effect.gen(function* () {
      const { state } = yield* serve([])
      const told = yield* threads(state, "list")
      assert.deepStrictEqual([told.code, told.stdout, told.stderr], [0, "", "There are no threads.\n"])
    }).pipe(Effect.scoped)
  )

  it.live("ends when nobody reads on, without a word", () =>
    Effect.gen(function* () {
      const { state } = yield* serve(Array.from({ length: 3000 }, (_, index) => row(`thread-${index}`, 1)))
      const child = spawn(
        "/bin/sh",
        [
          "-c",
          '{ "$0" "$1" threads list --state-dir "$2"; echo "ended with $?" >&2; } | head -1',
          process.execPath,
          program,
          state
        ],
        { stdio: ["ignore", "pipe", "pipe"] }
      )
      const said = { out: "", err: "" }
      child.stdout.on("data", (text) => (said.out += String(text)))
      child.stderr.on("data", (text) => (said.err += String(text)))
      yield* Effect.promise(() => once(child, "close"))
      assert.match(said.out, /^ID .+\n$/)
      assert.strictEqual(said.err, "ended with 0\n")
    }).pipe(Effect.scoped)
  )
})

describe("signalbox threads export", () => {
  it.live("writes a thread to stdout, or to a new file that is its owner's only", () =>
    Effect.gen(function* () {
      const { state } = yield* serve([row("aaaaaaaa-1", 3), row("bbbbbbbb-1", 3)])
      const whole = `${JSON.stringify({ thread: "aaaaaaaa-1", secrets: notice })}\n{"item":"…"}\n`
      const printed = yield* threads(state, "export", "aaaa")
      assert.deepStrictEqual([printed.code, printed.stdout, printed.stderr], [0, whole, `${notice}\n`])

      const folder = join(temporaryFolder("exports"), "new")
      const file = join(folder, "a.jsonl")
      const written = yield* threads(state, "export", "aaaaaaaa-1", "-o", file)
      assert.deepStrictEqual([written.code, written.stdout], [0, ""])
      assert.match(
        written.stderr,
        /^Exported About aaaaaaaa-1 to .+a\.jsonl, 1 KiB\.\nSecrets of .+ before you pass it on\.\n$/
      )
      assert.strictEqual(readFileSync(file, "utf8"), whole)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)

      const again = yield* threads(state, "export", "bbbb", "-o", file)
      assert.strictEqual(again.code, 1)
      assert.match(again.stderr, /There is such a file already/)
      assertReadable(again)
      assert.strictEqual(readFileSync(file, "utf8"), whole)
      assert.deepStrictEqual(readdirSync(folder), ["a.jsonl"])
    }).pipe(Effect.scoped)
  )

  it.live("leaves no half of a file of a thread that can't be read", () =>
    Effect.gen(function* () {
      const { state } = yield* serve([row("aaaaaaaa-1", 3, { unreadable: damage })])
      const folder = temporaryFolder("exports")
      const failed = yield* threads(state, "export", "aaaaaaaa-1", "-o", join(folder, "a.jsonl"))
      assert.strictEqual(failed.code, 1)
      assert.match(failed.stderr, /The thread can't be read\.\n.+\n +Next: Restore it from a backup/)
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped)
  )

  it.effect("takes the beginning of an id where it means one thread only", () =>
    Effect.gen(function* () {
      const all = ["aaaaaaaa-1", "aaaaaaaa-2", "aaaaaaaa", "t1"].map((id) => row(id, 3))
      const rows = new Map(all.map((each) => [each.threadId, each]))
      const choose = (given: string) => ThreadRows.choose(rows, "threads export", given)
      for (const id of ["aaaaaaaa", "aaaaaaaa-1", "t1"]) assert.strictEqual((yield* choose(id)).threadId, id)
      const several = yield* Effect.flip(choose("aaaaaaaa-"))
      assert.match(several.message, /aaaaaaaa- is the beginning of several/)
      assert.deepStrictEqual(several.offered, ["aaaaaaaa-1  About aaaaaaaa-1", "aaaaaaaa-2  About aaaaaaaa-2"])
      // Too little to mean anything by it, or nothing at all.
      for (const given of ["aaa", "t", "bbbb"])
        assert.match((yield* Effect.flip(choose(given))).message, /There is no thread .+signalbox threads list/)
    })
  )
})

describe("signalbox threads delete", () => {
  it.live("removes what is named, exported first where that is wished, and says what that was", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([
        row("aaaaaaaa-1", 3),
        row("bbbbbbbb/../1", 3, { status: "working" }),
        row("cccccccc-1", 3)
      ])
      const exports = temporaryFolder("exports")
      const done = yield* threads(state, "delete", "--yes", "--export", exports, "aaaa", "bbbb", "aaaaaaaa-1")
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(removed, ["aaaaaaaa-1", "bbbbbbbb/../1"])
      assert.match(done.stderr, /1 of them has an agent at work/)
      assert.match(
        done.stderr,
        /Exported About aaaaaaaa-1 to .+aaaaaaaa-1\.jsonl\.\nRemoved About aaaaaaaa-1\.\nExported About bbbb/
      )
      assert.deepStrictEqual(readdirSync(exports).sort(), ["aaaaaaaa-1.jsonl", "bbbbbbbb%2F..%2F1.jsonl"])
    }).pipe(Effect.scoped)
  )

  it.live("removes nothing unless it is told that it is meant", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([row("aaaaaaaa-1", 3)])
      const refused = yield* threads(state, "delete", "aaaaaaaa-1")
      assert.strictEqual(refused.code, 2)
      assert.match(refused.stderr, /--yes/)
      const typo = yield* threads(state, "delete", "--yes", "aaaaaaaa-1", "nonsense")
      assert.strictEqual(typo.code, 2)
      assert.deepStrictEqual(removed, [])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("asks on a terminal, and takes anything but yes for no", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([row("aaaaaaaa-1", 3)])
      const ask = Effect.fnUntraced(function* (answer: string) {
        const asking = yield* start(["threads", "delete", "aaaaaaaa-1", "--state-dir", state], { terminal: true })
        yield* asking.says(/Remove 1 thread\? This can't be undone\. \[y\/N\] /)
        asking.stdin.write(answer)
        return yield* asking.ended
      })
      const refused = yield* ask("yesterday\n")
      assert.strictEqual(refused.code, 3)
      assert.include(refused.stdout, "Nothing was removed.")
      assert.deepStrictEqual(removed, [])
      assert.strictEqual((yield* ask("y\n")).code, 0)
      assert.deepStrictEqual(removed, ["aaaaaaaa-1"])
    }).pipe(Effect.scoped)
  )

  it.live("keeps a thread that can't be exported, and goes on with the others", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([
        row("aaaaaaaa-1", 3),
        row("bbbbbbbb-1", 3),
        row("cccccccc-1", 3, { unreadable: damage })
      ])
      const exports = temporaryFolder("exports")
      writeFileSync(join(exports, "aaaaaaaa-1.jsonl"), "another time")
      const done = yield* threads(state, "delete", "--yes", "--export", exports, "aaaa", "cccc", "bbbb")
      assert.strictEqual(done.code, 1)
      assert.deepStrictEqual(removed, ["bbbbbbbb-1"])
      assert.match(done.stderr, /Kept About aaaaaaaa-1\.\nerror: .+\n +There is such a file already/)
      assert.match(done.stderr, /Kept About cccccccc-1\.\nerror: The thread can't be read\./)
      assert.strictEqual(readFileSync(join(exports, "aaaaaaaa-1.jsonl"), "utf8"), "another time")
      assertReadable(done)
    }).pipe(Effect.scoped)
  )
})

describe("signalbox threads prune", () => {
  const { status: _, ...neverUsed } = row("never-used", 400)
  const rows = [
    row("done-long-ago", 31),
    row("working-since-long", 31, { status: "working" }),
    row("waiting-since-long", 31, { status: "waiting", waitingFor: "approval" }),
    row("queued-since-long", 31, { status: "queued" }),
    row("damaged-long-ago", 31, { unreadable: damage }),
    neverUsed,
    row("done-lately", 29)
  ]

  it.live("removes what is done and was left alone for so long, and nothing else", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve(rows)
      const dry = yield* threads(state, "prune", "--older-than", "30d", "--dry-run")
      assert.strictEqual(dry.code, 0, dry.stderr)
      assert.match(dry.stdout, /^never-us +new .+\ndone-lon +completed .+\n$/m)
      assert.strictEqual(dry.stderr, "2 threads would be removed, 5 kept.\n")
      assert.deepStrictEqual(removed, [])

      const done = yield* threads(state, "prune", "--older-than", "30d", "--yes")
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(removed, ["never-used", "done-long-ago"])
      const again = yield* threads(state, "prune", "--older-than", "30d")
      assert.deepStrictEqual([again.code, again.stdout], [0, ""])
      assert.match(again.stderr, /Nothing to remove/)
    }).pipe(Effect.scoped)
  )

  it.live("keeps a thread that somebody goes on with in the last moment, which deletion by name does not", () =>
    Effect.gen(function* () {
      const { removed, state } = yield* serve([row("first-thread", 400), row("second-thread", 100)], ["first-thread"])
      const done = yield* threads(state, "prune", "--older-than", "30d", "--yes")
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(removed, ["second-thread"])
      assert.match(done.stderr, /Kept About first-thread: something happened in it meanwhile\.\nRemoved About second/)
      assert.strictEqual((yield* threads(state, "delete", "first-thread", "--yes")).code, 0)
      assert.deepStrictEqual(removed, ["second-thread", "first-thread"])
    }).pipe(Effect.scoped)
  )

  it.live("does not guess what a length of time means", () =>
    Effect.gen(function* () {
      const { state } = yield* serve(rows)
      const refused = yield* threads(state, "prune", "--older-than=30", "--yes")
      assert.strictEqual(refused.code, 2, refused.stderr)
      assert.match(refused.stderr, /is no length of time/)
    }).pipe(Effect.scoped)
  )
})

describe("signalbox threads", () => {
  it.live("says how to start a server where none runs", () =>
    Effect.gen(function* () {
      const ended = yield* threads(temporaryFolder("state"), "delete", "x", "--yes")
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stderr, /No Signalbox server is running[\s\S]*signalbox serve/)
      assertReadable(ended)
    })
  )
})

describe("signalbox threads, over a server as it is", () => {
  const filesWith = (folder: string, text: string): ReadonlyArray<string> =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name))
      .filter((file) => readFileSync(file).includes(text))

  it.live("export what was said, and leave no word of it when the thread is deleted", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      const address = yield* reachable(server)
      yield* converse(address, ThreadId.make("thread-of-sorrow"), ["I am sad about zanzibar"], { title: "Sorrow" })
      // A tape, which is written a moment later, and the database or its journal.
      yield* Effect.sync(() => filesWith(state, "zanzibar").length).pipe(
        Effect.repeat({ until: (files) => files >= 2, schedule: Schedule.spaced("10 millis") })
      )
      const exports = temporaryFolder("exports")
      const deleted = yield* threads(state, "delete", "thread-of", "--yes", "--export", exports)
      assert.strictEqual(deleted.code, 0, deleted.stderr)
      const lines = readFileSync(join(exports, "thread-of-sorrow.jsonl"), "utf8").trimEnd().split("\n")
      const kinds = lines.map((line) => Object.keys(JSON.parse(line)).join())
      assert.strictEqual(kinds[0], "thread,secrets")
      assert.includeMembers(kinds, ["turn", "item"])
      assert.include(lines.join(), "I am sad about zanzibar")
      assert.strictEqual((yield* threads(state, "list")).stdout, "")
      // The journal holds what was until it is moved.
      server.kill("SIGTERM")
      yield* server.ended
      assert.deepStrictEqual(filesWith(state, "zanzibar"), [])
    }).pipe(Effect.scoped)
  )

  it.live("prune what is done, by the place in its log that was last reported", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const address = yield* reachable(yield* start(["--port", "0", "--state-dir", state]))
      yield* converse(address, ThreadId.make("thread-of-joy"), ["I am glad"], { title: "Joy" })
      const pruned = yield* threads(state, "prune", "--older-than", "0d", "--yes")
      assert.deepStrictEqual([pruned.code, pruned.stderr], [0, "Removed Joy.\n"])
      assert.strictEqual((yield* threads(state, "list")).stdout, "")
    }).pipe(Effect.scoped)
  )
})
