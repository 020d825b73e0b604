/** Programs that write to one audit log at the same time, or are killed while they write. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as AuditFile from "../../src/audit/AuditFile.ts"
import * as AuditProof from "../../src/audit/AuditProof.ts"
import * as AuditReader from "../../src/audit/AuditReader.ts"
import { eventsOf, play } from "../cli/support/Runs.ts"
import { start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { decision } from "./support/Drafts.ts"

const writer = fileURLToPath(new URL("support/writer.ts", import.meta.url))

/** Lets a process write entries. Returns what it has said until its end; kills it when it has said `until` of them. */
const written = (path: string, count: number, until = Infinity) =>
  Effect.acquireUseRelease(
    Effect.sync(() => spawn(process.execPath, [writer, path, String(count)], { stdio: ["ignore", "pipe", "inherit"] })),
    (child) =>
      Effect.promise(async () => {
        const said: Array<number> = []
        for await (const line of createInterface({ input: child.stdout })) {
          said.push(Number(line))
          if (said.length === until) child.kill("SIGKILL")
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
        return said
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const proved = Effect.fnUntraced(function* (path: string) {
  const prover = AuditProof.make()
  const sequences: Array<number> = []
  yield* AuditReader.each(path, (link) =>
    Effect.sync(() => {
      prover.see(link)
      sequences.push(link.sequence)
    })
  )
  const { first } = prover.proof()
  assert.isUndefined(first, first?.what)
  return sequences
})

describe("the audit log", () => {
  it.live("has one chain of a thousand entries by two programs that write at once", () =>
    Effect.gen(function* () {
      const path = join(temporaryFolder("audit"), "audit.sqlite")
      const said = yield* Effect.all([written(path, 500), written(path, 500)], { concurrency: 2 })
      const sequences = yield* proved(path)
      assert.deepStrictEqual(
        said.flat().toSorted((one, other) => one - other),
        sequences
      )
      assert.lengthOf(sequences, 1000)
    })
  )

  it.live("holds together after kill -9, and has all that was said to be written", () =>
    Effect.gen(function* () {
      const path = join(temporaryFolder("audit"), "audit.sqlite")
      const all: Array<number> = []
      for (const until of [1, 37, 120]) {
        all.push(...(yield* written(path, 100_000, until)))
        const sequences = new Set(yield* proved(path))
        for (const sequence of all) assert.isTrue(sequences.has(sequence))
      }
    })
  )

  it.effect("goes on where the clock was set back", () =>
    Effect.gen(function* () {
      const path = join(temporaryFolder("audit"), "audit.sqlite")
      const file = AuditFile.open(path, () => 0)
      for (const at of [3_000, 1_000, 2_000]) file.append([decision({ at })], false)
      assert.deepStrictEqual(yield* proved(path), [1, 2, 3])
      const { rows } = yield* AuditReader.page(path, { filter: {}, limit: 9 })
      assert.deepStrictEqual(
        rows.map((row) => row.decision.at),
        [2_000, 1_000, 3_000]
      )
      file.close()
    })
  )
})

describe("a run that is killed", () => {
  it.live("has given no answer that is not in the audit log", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
      const steps = Array.from({ length: 200 }, (_, index) => ({
        permission: {
          toolCall: { toolCallId: `c${index}`, title: "List", kind: "execute", rawInput: { command: `ls ${index}` } },
          options
        }
      }))
      const run = yield* start(play(steps, "--approve", "allow", "--json"), { env: { SIGNALBOX_STATE_DIR: state } })
      yield* run.says(/(?:"approval\.resolved"[\s\S]*){5}/)
      run.kill("SIGKILL")
      const { stdout } = yield* run.ended
      const whole = stdout.slice(0, stdout.lastIndexOf("\n"))
      const answered = eventsOf({ code: null, signal: null, stderr: "", stdout: whole }).flatMap((event) =>
        event.type === "approval.resolved" ? [event.requestId] : []
      )
      assert.isAtLeast(answered.length, 5)
      const path = join(state, "audit.sqlite")
      yield* proved(path)
      const { rows } = yield* AuditReader.page(path, { filter: { effect: "allow" }, limit: 500 })
      const recorded = new Set(rows.map((row) => row.decision.requestId))
      for (const requestId of answered) assert.isTrue(recorded.has(requestId), requestId)
    })
  )
})
