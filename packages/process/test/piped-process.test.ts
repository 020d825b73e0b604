/** A program over its pipes: its input and output, its end, and why one is not started. */
import { assert, describe, it } from "@effect/vitest"
import * as Secrets from "@signalbox/redaction/Secrets"
import { redacted } from "@signalbox/redaction/Spans"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as PipedProcess from "../src/PipedProcess.ts"
import type { StopGrace } from "../src/Program.ts"
import { ProcessLedger } from "../src/ProcessLedger.ts"
import * as ProcessLedgerLayer from "../src/ProcessLedgerLayer.ts"
import { groupExists } from "./support/Groups.ts"
import { scopedFolder } from "../../system/test/support/TemporaryFolder.ts"

const options = {
  cwd: "/",
  secrets: Secrets.of({}),
  stopGrace: { closeInput: "100 millis", terminate: "100 millis" }
} as const
const sleeper = { command: "sleep", args: ["600"], env: {} }

/** Starts a program on record. Returns the folder of the record, too. */
const startWith = Effect.fnUntraced(function* (stopGrace: StopGrace, command: string, ...args: ReadonlyArray<string>) {
  const folder = join(yield* scopedFolder, "agents")
  const ledger = yield* Effect.provide(ProcessLedger, ProcessLedgerLayer.layer({ folder }))
  const program = yield* PipedProcess.start({
    ledger,
    program: { command, args, env: { A_TOKEN: "s3same-0pen-4711" } },
    cwd: "/",
    runsFor: "the-test",
    secrets: Secrets.of({ A_TOKEN: "s3same-0pen-4711" }),
    stopGrace
  })
  return { ...program, folder }
})

const start = (command: string, ...args: ReadonlyArray<string>) => startWith(options.stopGrace, command, ...args)

describe("a program over its pipes", () => {
  it.live("gets what is written, is read to its end, and exits with its code and last words", () =>
    Effect.gen(function* () {
      const { exited, transport } = yield* start(
        "sh",
        "-c",
        'read -r word; echo "got $word"; echo "$A_TOKEN" >&2; exit 3'
      )
      yield* Stream.run(Stream.make(new TextEncoder().encode("word\n")), transport.output)
      const output = yield* Stream.mkString(Stream.decodeText(transport.input))
      assert.strictEqual(output, "got word\n")
      const { exitCode, signal, stderrTail } = yield* exited
      assert.deepStrictEqual(
        { exitCode, signal, stderrTail },
        { exitCode: 3, signal: undefined, stderrTail: [redacted] }
      )
    })
  )

  it.live("stands on record with what it runs for, and no more when it has ended", () =>
    Effect.gen(function* () {
      const { folder, stop } = yield* start("cat")
      const [file = ""] = readdirSync(folder)
      assert.include(readFileSync(join(folder, file), "utf8"), '"the-test"')
      yield* stop
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  )

  it.live("is ended by the end of its input, then by SIGTERM, then by SIGKILL", () =>
    Effect.gen(function* () {
      // The step that ends a program gets time on a busy machine, and the steps before it get none.
      const polite = yield* (yield* startWith({ closeInput: "1 minute", terminate: "1 minute" }, "cat")).stop
      assert.deepStrictEqual([polite.exitCode, polite.signal], [0, undefined])
      const deaf = yield* (yield* startWith({ closeInput: "100 millis", terminate: "1 minute" }, "sleep", "600")).stop
      assert.strictEqual(deaf.signal, "SIGTERM")
      const stubborn = yield* start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done")
      yield* Stream.runHead(stubborn.transport.input)
      assert.strictEqual((yield* stubborn.stop).signal, "SIGKILL")
    })
  )

  it.live("ends with its scope, and its group with it", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(Effect.map(start("sleep", "600"), ({ pid }) => pid))
      assert.isDefined(pid)
      assert.isFalse(groupExists(pid ?? 0))
    })
  )

  it.live("ends with its scope where its start is interrupted", () =>
    Effect.gen(function* () {
      const [beingStarted, mayStart] = [yield* Deferred.make<number>(), yield* Deferred.make<void>()]
      const closed = yield* Deferred.make<void>()
      const started = (pid: number) => Effect.andThen(Deferred.succeed(beingStarted, pid), Deferred.await(mayStart))
      const entry = { marker: randomUUID(), started, close: Effect.asVoid(Deferred.succeed(closed, undefined)) }
      const ledger = { reaped: 0, found: [], enter: () => Effect.succeed(entry) }
      const starting = yield* Effect.scoped(PipedProcess.start({ ...options, ledger, program: sleeper })).pipe(
        Effect.forkChild
      )
      const pid = yield* Deferred.await(beingStarted)
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(starting), { startImmediately: true })
      yield* Deferred.succeed(mayStart, undefined)
      yield* Fiber.join(interrupting)
      assert.isFalse(groupExists(pid))
      yield* Deferred.await(closed)
    })
  )

  it.live("is read to its end by who begins late", () =>
    Effect.gen(function* () {
      // More than Node takes from a pipe before anybody reads.
      const { exited, transport } = yield* start("sh", "-c", "head -c 100000 /dev/zero")
      yield* exited
      const chunks = yield* Stream.runCollect(transport.input)
      assert.strictEqual(
        chunks.reduce((sum, { length }) => sum + length, 0),
        100_000
      )
    })
  )

  it.live("is read no more where a program outside of its group keeps its output open", () =>
    Effect.gen(function* () {
      // The shell goes on when the other one has left the group and its environment: the pipe of `$(…)` ends then.
      const outside = "env -i setsid sh -c 'echo $$; exec sleep 600 >&3 2>/dev/null'"
      const { exited, transport } = yield* start("sh", "-c", `exec 3>&1; pid=$(${outside} &); echo $pid >&2`)
      const { exitCode, stderrTail } = yield* exited
      const away = Number(stderrTail[0])
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(away, "SIGKILL")))
      assert.strictEqual(exitCode, 0)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Stream.runDrain(transport.input))))
    })
  )

  it.live("is not started where there is no such program", () =>
    Effect.gen(function* () {
      const { _tag, problem } = yield* Effect.flip(start("/no/such/program"))
      assert.deepStrictEqual(
        [_tag, problem.code, problem.evidence.path],
        ["Refused", "agent-not-found", "/no/such/program"]
      )
    })
  )
})
