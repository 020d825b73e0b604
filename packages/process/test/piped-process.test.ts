/** A program over its pipes: what it says and is told, how it ends, and why one is not started. */
import { assert, describe, it } from "@effect/vitest"
import * as Secrets from "@signalbox/redaction/Secrets"
import { redacted } from "@signalbox/redaction/Spans"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as PipedProcess from "../src/PipedProcess.ts"
import { ProcessLedger } from "../src/ProcessLedger.ts"
import * as ProcessLedgerLayer from "../src/ProcessLedgerLayer.ts"
import { groupExists } from "./support/Groups.ts"
import { scopedFolder } from "../../system/test/support/TemporaryFolder.ts"

/** Starts a program on record. Returns the folder of the record, too. */
const start = Effect.fnUntraced(function* (command: string, ...args: ReadonlyArray<string>) {
  const folder = join(yield* scopedFolder, "agents")
  const ledger = yield* Effect.provide(ProcessLedger, ProcessLedgerLayer.layer({ folder }))
  const program = yield* PipedProcess.start({
    ledger,
    program: { command, args, env: { A_TOKEN: "s3same-0pen-4711" } },
    cwd: "/",
    runsFor: "the-test",
    secrets: Secrets.of({ A_TOKEN: "s3same-0pen-4711" }),
    stopGrace: { closeInput: "100 millis", terminate: "100 millis" }
  })
  return { ...program, folder }
})

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
      const polite = yield* (yield* start("cat")).stop
      assert.deepStrictEqual([polite.exitCode, polite.signal], [0, undefined])
      const deaf = yield* (yield* start("sleep", "600")).stop
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
