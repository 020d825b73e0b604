/** However starts, stops and replacements meet: a thread never has two processes, and none in the end. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { agentHarness, temporaryFolder } from "../support/AgentHarness.ts"
import { carriersOf } from "../../../../packages/process/test/support/Sleepers.ts"
import { tenacious } from "../support/Tenacious.ts"

const timing = {
  cancelGrace: Duration.millis(20),
  stop: { closeInput: "1 millis", terminate: "5 millis" }
} as const

/** A ledger that minds when an agent begins whose thread still has one. */
const countedLedger = Effect.fnUntraced(function* (folder: string) {
  const ledger = yield* Effect.provide(ProcessLedger, ProcessLedgerLayer.layer({ folder }))
  const running = new Map<string, number>()
  const overlaps: Array<string> = []
  const count = (threadId: string | undefined, more: 1 | -1) => {
    if (threadId === undefined) return
    const now = (running.get(threadId) ?? 0) + more
    running.set(threadId, now)
    if (now > 1) overlaps.push(`${now} of ${threadId}`)
  }
  const layer = Layer.succeed(
    ProcessLedger,
    ProcessLedger.of({
      ...ledger,
      enter: (agent) =>
        Effect.map(ledger.enter(agent), (entry) => {
          count(agent.runsFor, 1)
          return { ...entry, close: Effect.tap(entry.close, () => Effect.sync(() => count(agent.runsFor, -1))) }
        })
    })
  )
  return { layer, overlaps }
})

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "")

describe.skipIf(process.platform !== "linux")("one thread, one process", () => {
  it.live.each([1, 2, 3])(
    "through starts, stops, dying agents and stuck turns all at once, seed %i",
    (seed) =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const agents = join(folder, "agents")
        const counted = yield* countedLedger(agents)
        const { adapter } = yield* agentHarness("", [], { ledger: counted.layer, timing })
        const run = randomUUID()
        const threads = ["a", "b"].map((name) => {
          const cwd = join(folder, name)
          mkdirSync(cwd)
          return {
            threadId: ThreadId.make(name),
            cwd,
            input: tenacious({ threadId: ThreadId.make(name), cwd, env: { TEST_RUN: run } })
          }
        })

        const act = Effect.fnUntraced(function* ({ input, threadId }: (typeof threads)[number]) {
          const start = Effect.ignore(adapter.startSession(input))
          const choice = yield* Random.nextIntBetween(0, 9)
          if (choice < 3) return yield* start
          if (choice < 5) return yield* adapter.stopSession(threadId)
          // A caller may stop waiting at any time.
          if (choice < 6) return yield* Effect.timeoutOption(start, yield* Random.nextIntBetween(1, 100))
          if (choice < 7) {
            for (const { pid, threadId: of } of yield* adapter.health)
              if (of === threadId && pid !== undefined) killGroup(pid)
            return
          }
          // It never ends a turn, so that stopping one replaces the process.
          const turnId = TurnId.make(randomUUID())
          yield* start
          const turn = adapter.sendTurn(threadId, { turnId, prompt: [{ type: "text", text: "go" }] })
          yield* Effect.ignore(
            Effect.raceFirst(turn, Effect.repeat(adapter.interruptTurn(threadId, turnId), Schedule.spaced("5 millis")))
          )
        })

        const worker = Effect.gen(function* () {
          for (let i = 0; i < 20; i++)
            yield* act(threads[yield* Random.nextIntBetween(0, threads.length - 1)] ?? assert.fail())
        })
        yield* Effect.all(
          Array.from({ length: 8 }, () => worker),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(counted.overlaps, [])
        for (const { cwd } of threads) assert.strictEqual(readIfThere(join(cwd, "overlaps")), "")
        const starts = threads.flatMap(({ cwd }) => readIfThere(join(cwd, "starts")).trim().split("\n"))
        assert.isAbove(starts.length, 10)
        yield* adapter.stopAll
        assert.deepStrictEqual(yield* adapter.health, [])
        assert.deepStrictEqual([carriersOf("TEST_RUN", run), readdirSync(agents)], [[], []])
      }).pipe(Random.withSeed(seed)),
    120_000
  )
})

const killGroup = (group: number): void => {
  try {
    process.kill(-group, "SIGKILL")
  } catch {
    // It has just ended.
  }
}
