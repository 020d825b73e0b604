/** Whoever is killed, and whenever: no process is left. Over a program that hosts real agents, each with a child of its own. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { procfs } from "@signalbox/process/ProcessFacts"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { groupMembers, temporaryFolder, untilGone } from "../support/AgentHarness.ts"
import { carriersOf } from "../../../../packages/process/test/support/Sleepers.ts"

const program = fileURLToPath(new URL("../support/Host.ts", import.meta.url))
const diesAtSpawn = fileURLToPath(new URL("../support/DiesAtSpawn.ts", import.meta.url))

/** What of a run lives: agents and their children. */
const living = (run: string) => carriersOf("TEST_RUN", run)

const until = (what: string, holds: () => boolean) =>
  Effect.sync(holds).pipe(
    Effect.repeat({ until: Boolean, schedule: Schedule.spaced("10 millis") }),
    Effect.timeoutOrElse({ duration: "60 seconds", orElse: () => Effect.die(new Error(`Never came to be: ${what}`)) })
  )

/** The guards of a host: all its children but the agents. */
const guardsOf = (pid: number, agents: ReadonlyArray<number>): ReadonlyArray<number> =>
  procfs
    .list()
    .filter((row) => row.alive && !agents.includes(row.pid) && parentOf(row.pid) === pid)
    .map((row) => row.pid)

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return 0
  }
}

const host = Effect.fnUntraced(function* (agents: number) {
  const folder = yield* temporaryFolder
  const ledger = join(folder, "agents")
  const run = randomUUID()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, ledger, folder, run, String(agents)], { stdio: ["ignore", "pipe", "inherit"] })
    ),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        for (const pid of living(run)) process.kill(pid, "SIGKILL")
      })
  )
  const exited = once(child, "exit")
  const [line] = yield* Effect.promise(() => once(createInterface({ input: child.stdout }), "line"))
  const pids: ReadonlyArray<number> = agents === 0 ? [] : JSON.parse(String(line).slice(3)).agents
  return {
    run,
    ledger,
    agents: pids,
    pid: child.pid ?? 0,
    exited: Effect.promise(() => exited),
    kill: (signal: NodeJS.Signals) => Effect.sync(() => child.kill(signal))
  }
})

/** A host that is there with its agents, each of which has its child by now. */
const upAndComplete = Effect.fnUntraced(function* (agents: number) {
  const up = yield* host(agents)
  yield* until("every agent with its child", () => living(up.run).length === 2 * agents)
  const [guard = 0] = guardsOf(up.pid, up.agents)
  assert.isAbove(guard, 0)
  return { ...up, guard }
})

/** Kills the host and its guard so that neither can do anything about the end of the other. */
const killBoth = Effect.fnUntraced(function* (up: Effect.Success<ReturnType<typeof host>>) {
  yield* up.kill("SIGSTOP")
  for (const guard of guardsOf(up.pid, living(up.run))) process.kill(guard, "SIGKILL")
  yield* up.kill("SIGKILL")
  yield* up.exited
})

/** What the next Signalbox on this folder says that it has ended. */
const beginAgain = (folder: string) =>
  Effect.provide(
    Effect.map(ProcessLedger, ({ reaped }) => reaped),
    Layer.fresh(ProcessLedgerLayer.layer({ folder }))
  )

describe.skipIf(process.platform !== "linux")("no process is left", () => {
  it.live("when the host is killed: its guard ends the agents, and the record goes at the next start", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(2)
      assert.strictEqual(readdirSync(up.ledger).length, 2)
      yield* up.kill("SIGKILL")
      yield* until("nothing lives", () => living(up.run).length === 0)
      for (const group of [...up.agents, up.guard]) yield* untilGone(group)
      assert.strictEqual(yield* beginAgain(up.ledger), 0)
      assert.deepStrictEqual(readdirSync(up.ledger), [])
    })
  )

  it.live("when the host is killed before the agent that it has started is under guard: that one never runs", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const ledger = join(folder, "agents")
      const run = randomUUID()
      const child = spawn(process.execPath, ["--import", diesAtSpawn, program, ledger, folder, run, "1"], {
        stdio: ["ignore", "ignore", "inherit"]
      })
      const [, signal] = yield* Effect.promise(() => once(child, "exit"))
      yield* Effect.addFinalizer(() => Effect.sync(() => living(run).forEach((pid) => process.kill(pid, "SIGKILL"))))
      assert.strictEqual(signal, "SIGKILL")
      assert.strictEqual(readdirSync(ledger).length, 1)
      yield* until("nothing lives", () => living(run).length === 0)
      assert.isFalse(existsSync(join(folder, "starts")))
    })
  )

  it.live("when host and guard are killed: the next start ends the agents", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(2)
      yield* killBoth(up)
      assert.strictEqual(living(up.run).length, 4)
      assert.strictEqual(yield* beginAgain(up.ledger), 4)
      assert.deepStrictEqual([living(up.run), readdirSync(up.ledger)], [[], []])
    })
  )

  it.live("when host, guard and an agent are killed: its child is known by what it carries", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(1)
      yield* up.kill("SIGSTOP")
      process.kill(up.agents[0] ?? 0, "SIGKILL")
      yield* killBoth(up)
      yield* until("the agent is buried", () => procfs.birthOf(up.agents[0] ?? 0) === undefined)
      assert.strictEqual(living(up.run).length, 1)
      assert.strictEqual(yield* beginAgain(up.ledger), 1)
      assert.deepStrictEqual(living(up.run), [])
    })
  )

  it.live("when an agent is killed: its child goes with it, and the record of it", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(2)
      const [agent = 0] = up.agents
      process.kill(agent, "SIGKILL")
      yield* until("its group is gone", () => groupMembers(agent).length === 0)
      yield* until("its record is gone", () => readdirSync(up.ledger).length === 1)
      assert.strictEqual(living(up.run).length, 2)
    })
  )

  it.live("when the guard is killed: another takes its place, and ends the agents when the host is killed", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(2)
      process.kill(up.guard, "SIGKILL")
      const next = () => guardsOf(up.pid, living(up.run)).find((pid) => pid !== up.guard)
      yield* until("another guard", () => next() !== undefined)
      yield* up.kill("SIGKILL")
      yield* until("nothing lives", () => living(up.run).length === 0)
    })
  )

  it.live("when a child is killed: the agent lives on, and ends with the host", () =>
    Effect.gen(function* () {
      const up = yield* upAndComplete(1)
      for (const pid of living(up.run)) if (!up.agents.includes(pid)) process.kill(pid, "SIGKILL")
      yield* until("the agent alone", () => living(up.run).length === 1)
      yield* up.kill("SIGKILL")
      yield* until("nothing lives", () => living(up.run).length === 0)
    })
  )

  it.live("whenever host and guard are killed, also in the middle of a start or a stop", () =>
    Effect.gen(function* () {
      // Milliseconds into a host's going on starting and stopping an agent, which takes about a hundred each time.
      const moments = Array.from({ length: 8 }, (_, at) => at * 31)
      yield* Effect.forEach(
        moments,
        Effect.fnUntraced(function* (moment) {
          const up = yield* host(0)
          yield* Effect.sleep(moment)
          yield* killBoth(up)
          yield* beginAgain(up.ledger)
          // A server that is killed within a write leaves a partial file. A later start deletes it when it is a minute old.
          const records = readdirSync(up.ledger).filter((name) => !name.endsWith(".tmp"))
          assert.deepStrictEqual([living(up.run), records], [[], []])
        }),
        { concurrency: 2 }
      )
    })
  )
})
