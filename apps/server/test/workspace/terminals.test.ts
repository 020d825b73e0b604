/** How often terminals are shown, and their greatest number, with scripted programs. */
import { assert, describe, it } from "@effect/vitest"
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as Secrets from "@signalbox/redaction/Secrets"
import type { Ending } from "../../src/workspace/Terminal.ts"
import * as Terminals from "../../src/workspace/Terminals.ts"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/AgentHarness.ts"
import { settable } from "../support/WallClock.ts"

/** Terminals, what was shown of them, and what their programs hear and say. */
const harness = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const shown: Array<ToolTerminal> = []
  const programs: Array<{
    readonly print: (text: string) => void
    readonly end: (ending: Ending) => void
    readonly signals: Array<string>
  }> = []
  const terminals = yield* Terminals.make({
    cwd: folder,
    grant: { roots: [folder], own: [join(folder, "state")] },
    secrets: Secrets.of({}),
    show: (terminal) => shown.push(terminal),
    start: (_, { hear }) =>
      Effect.sync(() => {
        const over = Deferred.makeUnsafe<Ending>()
        const signals: Array<string> = []
        programs.push({
          signals,
          print: (text) => hear(new TextEncoder().encode(text)),
          end: (ending) => Deferred.doneUnsafe(over, Exit.succeed(ending))
        })
        return { signal: (signal) => signals.push(signal), over: Deferred.await(over) }
      })
  })
  const create = terminals.create({ command: "program", args: [], env: {} })
  return { folder, terminals, programs, shown, create }
})

describe("a terminal", () => {
  it.effect("is shown at most ten times a second, and ever less often the longer it prints", () =>
    Effect.gen(function* () {
      const { create, programs, shown } = yield* harness
      yield* create
      const printFor = Effect.fnUntraced(function* (seconds: number) {
        const before = shown.length
        for (let step = 0; step < seconds * 50; step++) {
          programs[0]?.print("x")
          yield* TestClock.adjust("20 millis")
        }
        return shown.length - before
      })
      const first = yield* printFor(1)
      assert.isAtLeast(first, 8)
      assert.isAtMost(first, 11)
      yield* printFor(19)
      assert.isAtMost(yield* printFor(10), 11)
      // What was printed last is shown, though nothing follows.
      programs[0]?.print("end")
      yield* TestClock.adjust("1 seconds")
      assert.isTrue(shown.at(-1)?.output.endsWith("end"))
      const quiet = shown.length
      yield* TestClock.adjust("1 minutes")
      assert.strictEqual(shown.length, quiet)
    })
  )

  it.effect("goes on to be shown when the clock is set back", () =>
    Effect.gen(function* () {
      const { setBack, within } = yield* settable
      const { create, programs, shown } = yield* within(harness)
      yield* create
      programs[0]?.print("one ")
      yield* TestClock.adjust("1 seconds")
      setBack(3_600_000)
      programs[0]?.print("two")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(shown.at(-1)?.output, "one two")
    })
  )

  it.effect("is refused in a folder that agents are not given, and in our own state", () =>
    Effect.gen(function* () {
      const { folder, programs, terminals } = yield* harness
      for (const name of [".git", ".ssh", "state"]) {
        mkdirSync(join(folder, name))
        const refusal = yield* Effect.flip(
          terminals.create({ command: "program", args: [], env: {}, cwd: join(folder, name) })
        )
        assert.strictEqual(refusal.reason, "protected", name)
      }
      assert.strictEqual(programs.length, 0)
    })
  )

  it.effect("that does not heed a polite signal is killed two seconds later", () =>
    Effect.gen(function* () {
      const { create, programs, terminals } = yield* harness
      const terminalId = yield* create
      yield* Effect.forkChild(terminals.kill(terminalId) ?? Effect.void, { startImmediately: true })
      yield* TestClock.adjust("1900 millis")
      assert.deepStrictEqual(programs[0]?.signals, ["SIGTERM"])
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(programs[0]?.signals, ["SIGTERM", "SIGKILL"])
    })
  )

  it.effect("is refused while too many programs run", () =>
    Effect.gen(function* () {
      const { create, programs, terminals } = yield* harness
      const ids = yield* Effect.forEach(Array.from({ length: 64 }), () => create)
      assert.strictEqual((yield* Effect.flip(create)).reason, "system")
      programs[0]?.end({ exitCode: 0 })
      yield* terminals.waitForExit(ids[0] ?? "") ?? Effect.void
      yield* create
    })
  )

  it.effect("that nobody releases is forgotten when it is over and many came after it", () =>
    Effect.gen(function* () {
      const { create, programs, terminals } = yield* harness
      const running = yield* create
      const ids = yield* Effect.forEach(Array.from({ length: 300 }), (_, index) =>
        Effect.tap(create, (terminalId) => {
          programs[index + 1]?.end({ exitCode: 0 })
          return terminals.waitForExit(terminalId) ?? Effect.void
        })
      )
      assert.isDefined(terminals.output(running))
      assert.isUndefined(terminals.output(ids[0] ?? ""))
      assert.isDefined(terminals.output(ids[299] ?? ""))
      assert.strictEqual(ids.filter((id) => terminals.output(id) !== undefined).length, 127)
    })
  )
})
