/** The build component in a chain whose client offers nothing: commands run as processes of ours. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { readdirSync, realpathSync, rmSync } from "node:fs"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as OwnProcess from "../../../src/components/build/OwnProcess.ts"
import { hostIn, main, ways } from "../../BothWays.ts"
import { standIn } from "../../Programs.ts"
import * as Chains from "./Chains.ts"
import * as Lifeline from "./Lifeline.ts"

const { javascript, start } = Chains

for (const { make, title } of ways)
  describe(`build, ${title}`, () => {
    it.live("runs a configured command in the session's folder, and returns its exit code and output", () =>
      Effect.gen(function* () {
        const code = 'console.log(process.cwd()); process.stderr.write("bad\\n"); process.exitCode = 3'
        const { client, folder, resultOf, run } = yield* start(javascript("test", code), { make })
        const { seconds, ...result } = yield* resultOf("test")
        assert.isAtLeast(seconds, 0)
        assert.deepStrictEqual(result, {
          command: `${process.execPath} -e '${code}'`,
          exitCode: 3,
          timedOut: false,
          output: `${realpathSync(folder)}\nbad\n`,
          omittedBytes: 0,
          ranIn: "own-process",
          notes: []
        })
        const other = yield* run("rm -rf /")
        assert.include(
          other.said,
          'There is no command \\\\\\"rm -rf /\\\\\\". Only what the user has configured runs: test.'
        )
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
      })
    )
  })

describe("A command that runs as our own process", () => {
  it.live("gets no shell: its words are passed on as they are", () =>
    Effect.gen(function* () {
      const { resultOf } = yield* start([
        "--command",
        `show=${process.execPath} -p 'process.argv.slice(1).join("|")' '$HOME' '*' 'a b' ';' id`
      ])
      assert.strictEqual((yield* resultOf("show")).output, "$HOME|*|a b|;|id\n")
    })
  )

  it.live("is in the ledger while it runs, so that it does not outlive a host that is killed", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("ledger")
      const script = `console.log(fs.readdirSync(${JSON.stringify(folder)}).length)`
      const command = { name: "count", line: "count", program: process.execPath, args: ["-e", script] }
      const { output } = yield* OwnProcess.run(command, temporaryFolder("session"), 60, yield* hostIn(folder))
      assert.strictEqual(output.text, "1\n")
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped)
  )

  it.live("that writes much has the middle of its output left out, to the byte", () =>
    Effect.gen(function* () {
      const code = "for (let i = 1; i <= 100000; i++) console.log(`line ${i}`)"
      const { resultOf } = yield* start(javascript("long", code))
      const { omittedBytes, output } = yield* resultOf("long")
      let total = 0
      for (let line = 1; line <= 100_000; line++) total += `line ${line}\n`.length
      const [, first, told, last] = /^([^[]*)\[… ([\d,]+) bytes are left out here …\]\n(.*)$/s.exec(output) ?? []
      assert.match(first ?? "", /^line 1\nline 2\n/)
      assert.match(last ?? "", /^line \d+\n(?:line \d+\n)*line 100000\n$/)
      assert.strictEqual(Number(told?.replaceAll(",", "")), omittedBytes)
      assert.strictEqual((first ?? "").length + (last ?? "").length + omittedBytes, total)
      assert.isBelow(output.length, 33_000)
    })
  )

  it.live("that takes too long is ended with all that it has started, and what it wrote is kept", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const code = [
        `process.on("SIGTERM", () => {})`,
        `console.log("working")`,
        `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(life.code)}], {detached: true})`,
        life.code
      ].join(";")
      const { resultOf } = yield* start([...javascript("hang", code), "--timeout", "1"])
      const result = yield* resultOf("hang")
      assert.strictEqual(result.timedOut, true)
      assert.strictEqual(result.signal, "SIGKILL")
      assert.strictEqual(result.output, "working\n")
      yield* life.gone
      yield* life.gone
      assert.deepStrictEqual(life.listed(), [])
    })
  )

  it.live("that leaves a process behind has it ended, and says so", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const code = `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(life.code)}], {detached: true, stdio: "ignore"}); child.unref()`
      const { resultOf } = yield* start(javascript("leave", code))
      const { exitCode, notes } = yield* resultOf("leave")
      assert.strictEqual(exitCode, 0)
      assert.lengthOf(notes, 1)
      assert.match(notes[0], /^It left processes running, which were ended: /)
      assert.deepStrictEqual(life.listed(), [])
    })
  )

  for (const [title, end] of [
    [
      "its session is cancelled",
      ({ client, sessionId }) =>
        Effect.sync(() =>
          client.connection.notify({ side: "client", method: "session/cancel", params: JSON.stringify({ sessionId }) })
        )
    ],
    ["the client leaves", ({ client }) => client.connection.close]
  ] satisfies ReadonlyArray<
    readonly [string, (chain: Effect.Success<ReturnType<typeof start>>) => Effect.Effect<unknown>]
  >)
    it.live(`ends when ${title}`, () =>
      Effect.gen(function* () {
        const life = yield* Lifeline.make
        const chain = yield* start(javascript("hang", life.code))
        const running = yield* Effect.forkScoped(chain.run("hang"))
        yield* life.begun
        assert.lengthOf(life.listed(), 1)
        yield* end(chain)
        yield* life.gone
        assert.deepStrictEqual(life.listed(), [])
        yield* Fiber.interrupt(running)
      })
    )

  it.live("ends when the agent dies", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const chain = yield* start(javascript("hang", life.code))
      yield* Effect.forkScoped(chain.run("hang"))
      yield* life.begun
      process.kill(Chains.childOf(standIn("tools")), "SIGKILL")
      yield* life.gone
      assert.deepStrictEqual(life.listed(), [])
      assert.include((yield* chain.client.ended)?.message ?? "", "tools")
    })
  )

  it.live("ends when the component itself is killed", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const chain = yield* start(javascript("hang", life.code), { make: ways[1]?.make })
      yield* Effect.forkScoped(chain.run("hang"))
      yield* life.begun
      process.kill(Chains.childOf(main), "SIGKILL")
      yield* life.gone
      assert.include((yield* chain.client.ended)?.message ?? "", "build was ended by SIGKILL")
    })
  )

  it.live("waits for the one before it in the same session", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const chain = yield* start([
        ...javascript("hang", life.code),
        ...javascript("quick", "console.log(1)"),
        "--timeout",
        "1"
      ])
      const first = yield* Effect.forkScoped(chain.run("hang"))
      yield* life.begun
      const second = yield* chain.resultOf("quick")
      assert.deepStrictEqual(life.listed(), [])
      assert.strictEqual(second.output, "1\n")
      yield* Fiber.join(first)
    })
  )

  it.live("that is not there, or has no folder, is an error with its cause", () =>
    Effect.gen(function* () {
      const missing = yield* start(["--command", "build=no-such-program-here --now"])
      assert.include(
        (yield* missing.run("build")).said,
        "no-such-program-here --now could not be started. There is no program no-such-program-here."
      )
      const folder = temporaryFolder("gone")
      rmSync(folder, { recursive: true })
      const gone = yield* start(javascript("test", "1"), { folder })
      assert.include((yield* gone.run("test")).said, `could not be started. ${folder} does not exist.`)
    })
  )

  it.live("is not run by arguments that are malformed", () =>
    Effect.gen(function* () {
      const { run } = yield* start(javascript("test", "1"))
      for (const name of [undefined, 7, null, ["test"], { name: "test" }, Array.from({ length: 10_000 }, () => 7)])
        assert.match((yield* run(name)).said, /^ERROR: /)
      for (const name of ["", "TEST", "test ", "test\u0000", "../test", "x".repeat(100_000)]) {
        const { said } = yield* run(name)
        assert.match(said, /^ERROR: .*There is no command /)
        assert.isBelow(said.length, 1000)
      }
    })
  )
})
