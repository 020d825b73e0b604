import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LogFile from "../../src/telemetry/LogFile.ts"
import { converse, reachable } from "../cli/support/Conversation.ts"
import { start, temporaryFolder } from "../cli/support/Signalbox.ts"

const Record = Schema.Struct({
  time: Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)),
  level: Schema.Literals(["trace", "debug", "info", "warn", "error", "fatal"]),
  category: Schema.NonEmptyString,
  message: Schema.NonEmptyString,
  threadId: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  cause: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownSync(Record, { onExcessProperty: "error" })

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n")
const recordsOf = (path: string) => linesOf(path).map((line) => decode(JSON.parse(line)))

describe("the log file", () => {
  it.effect("says when, how bad, who, what and of which thread", () =>
    Effect.gen(function* () {
      const folder = join(temporaryFolder("state"), "logs")
      yield* Effect.logWarning("The disk", "refuses", { threadId: "t1", tries: 3 }).pipe(
        Effect.andThen(Effect.logError("It broke", new Error("disk\nfull"))),
        Effect.andThen(Effect.annotateLogs(Effect.logInfo("Named"), { module: "Tape", threadId: "t2" })),
        Effect.withSpan("ThreadActor.commit", { attributes: { threadId: "t3" } }),
        Effect.andThen(Effect.logDebug("not asked for")),
        Effect.andThen(Effect.logInfo("by nobody")),
        Effect.provide(LogFile.layer({ folder }))
      )
      const path = join(folder, "server.ndjson")
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      const common = { time: "1970-01-01T00:00:00.000Z" }
      assert.deepStrictEqual(
        recordsOf(path).map(({ cause, ...rest }) => ({ ...rest, stack: cause?.includes("log.test.ts") ?? false })),
        [
          {
            ...common,
            level: "warn",
            category: "ThreadActor",
            message: "The disk refuses",
            threadId: "t1",
            details: { tries: 3 },
            stack: false
          },
          {
            ...common,
            level: "error",
            category: "ThreadActor",
            message: "It broke: disk\nfull",
            threadId: "t3",
            stack: false
          },
          { ...common, level: "info", category: "Tape", message: "Named", threadId: "t2", stack: false },
          { ...common, level: "info", category: "Signalbox", message: "by nobody", stack: false }
        ]
      )
    })
  )

  it.effect("keeps secrets out: by key, by form, and those of the environment", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("logs")
      process.env["SOME_API_KEY"] = "of-the-environment"
      yield* Effect.logInfo("Authorization: Bearer abcdefghijkl", "of-the-environment", { token: "by-key" }).pipe(
        Effect.andThen(Effect.logInfo("https://me:my-word@example.com/?token=in-address")),
        Effect.provide(LogFile.layer({ folder })),
        Effect.ensuring(Effect.sync(() => delete process.env["SOME_API_KEY"]))
      )
      const text = readFileSync(join(folder, "server.ndjson"), "utf8")
      for (const secret of ["abcdefghijkl", "of-the-environment", "by-key", "my-word", "in-address"])
        assert.notInclude(text, secret)
      assert.lengthOf(linesOf(join(folder, "server.ndjson")), 2)
    })
  )

  it.effect("turns over: files of a bounded size, only so many, no line cut or lost before its time", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("logs")
      const line = (number: number) => JSON.stringify({ number, filling: "x".repeat(80) })
      yield* Effect.gen(function* () {
        const file = yield* LogFile.make({ folder, maxBytes: 1000, files: 3 })
        for (let number = 0; number < 60; number++) file.append(line(number))
        file.append("y".repeat(3000))
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(readdirSync(folder).sort(), ["server.1.ndjson", "server.2.ndjson", "server.ndjson"])
      assert.strictEqual(readFileSync(join(folder, "server.ndjson"), "utf8"), `${"y".repeat(3000)}\n`)
      const kept = [2, 1].flatMap((age) => linesOf(join(folder, LogFile.nameOf(age))))
      for (const age of [1, 2]) assert.isAtMost(statSync(join(folder, LogFile.nameOf(age))).size, 1000)
      assert.deepStrictEqual(
        kept,
        Array.from({ length: kept.length }, (_, index) => line(60 - kept.length + index))
      )
      assert.isAbove(kept.length, 9)

      // The next server goes on where this one ended.
      yield* Effect.scoped(Effect.map(LogFile.make({ folder, maxBytes: 5000, files: 3 }), ({ append }) => append("z")))
      assert.deepStrictEqual(linesOf(join(folder, "server.ndjson")).slice(1), ["z"])
    })
  )

  it.live("waits while the disk refuses, says so once, and is written when it can be", () =>
    Effect.gen(function* () {
      const folder = join(temporaryFolder("state"), "logs")
      writeFileSync(folder, "in the way")
      const told = yield* Queue.unbounded<unknown>()
      const listener = Logger.make<unknown, void>(({ message }) => Queue.offerUnsafe(told, message))
      yield* Effect.gen(function* () {
        const file = yield* LogFile.make({ folder })
        file.append("first")
        assert.match(String(yield* Queue.take(told)), /can't be written/)
        rmSync(folder)
        file.append("second")
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([listener])))
      assert.deepStrictEqual(linesOf(join(folder, "server.ndjson")), ["first", "second"])
      assert.strictEqual(yield* Queue.size(told), 0)
    })
  )

  it.live("of a server holds, at debug, how long each step of the command path took", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--log-level", "debug", "--port", "0", "--state-dir", state])
      const address = yield* reachable(server)
      yield* converse(address, ThreadId.make("t1"), ["I am sad"])
      server.kill("SIGTERM")
      const { stderr } = yield* server.ended
      const records = recordsOf(join(state, "logs", "server.ndjson"))
      const spans = records.filter(({ details }) => typeof details?.["durationMs"] === "number")
      assert.isTrue(spans.some(({ category, level }) => category === "Threads" && level === "debug"))
      assert.isTrue(
        spans.some(({ category, message }) => category === "ThreadActor" && /^handle took [\d.]+ ms$/.test(message))
      )
      const { message: first, details } = records[0]!
      assert.match(first, /^Signalbox [\d.]+ begins$/)
      assert.deepStrictEqual(details, { pid: server.pid })
      assert.match(records.at(-1)?.message ?? "", /^Signalbox [\d.]+ ends$/)
      assert.match(stderr, /debug Threads: send took [\d.]+ ms/)
      assert.notInclude(readFileSync(join(state, "logs", "server.ndjson"), "utf8"), address.token)
    }).pipe(Effect.scoped)
  )
})
