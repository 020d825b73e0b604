import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as ProcessGuard from "../src/ProcessGuard.ts"
import { markerVariable } from "../src/ProcessLedger.ts"
import { groupExists, groupMembers, untilGone } from "./support/Groups.ts"
import { scopedFolder } from "../../system/test/support/TemporaryFolder.ts"

const source = (file: string): string => fileURLToPath(new URL(`../src/${file}`, import.meta.url))
const guard = source("ProcessGuard.ts")

/**
 * A process that starts three sleepers in groups of their own, and puts all under guard. It takes the third out again, and then does `last`.
 */
const program = (last: string) => `
import { spawn } from "node:child_process"
import * as ProcessGuard from ${JSON.stringify(guard)}
const groups = [1, 2, 3].map(() => {
  const sleeper = spawn("sleep", ["600"], { detached: true, stdio: "ignore" })
  sleeper.unref()
  ProcessGuard.watch(sleeper.pid)
  return sleeper.pid
})
ProcessGuard.release(groups[2])
console.log(groups.join(" "))
${last}
`

const start = (last: string) =>
  spawn(process.execPath, ["--input-type=module", "-e", program(last)], { stdio: ["ignore", "pipe", "inherit"] })

/** The groups in its output, the released one last. */
const groupsOf = async (us: ReturnType<typeof start>): Promise<ReadonlyArray<number>> => {
  const [line] = await once(createInterface({ input: us.stdout }), "line")
  return String(line).split(" ").map(Number)
}

const childrenOf = (pid: number) =>
  execFileSync("ps", ["-eo", "pid=,ppid=,args="])
    .toString()
    .split("\n")
    .filter((line) => line.trim().split(/\s+/)[1] === String(pid))

describe("ProcessGuard", () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    it.live(`ends what it watches when we are ended by ${signal}, and nothing else`, () =>
      Effect.gen(function* () {
        const us = start("setInterval(() => {}, 60_000)")
        const groups = yield* Effect.promise(() => groupsOf(us))
        const shell = Number(
          childrenOf(us.pid ?? 0)
            .find((row) => row.includes("/bin/sh"))
            ?.trim()
            .split(/\s+/)[0]
        )
        assert.isAbove(shell, 0)
        for (const group of groups) assert.isTrue(groupExists(group))
        us.kill(signal)
        for (const group of groups.slice(0, 2)) yield* untilGone(group)
        yield* untilGone(shell)
        assert.isTrue(groupExists(groups[2] ?? 0))
        process.kill(-(groups[2] ?? 0), "SIGKILL")
      })
    )
  }

  it.live("holds nobody up who has nothing left to do", () =>
    Effect.promise(async () => {
      const us = start("process.exitCode = 7")
      const exited = once(us, "exit")
      const groups = await groupsOf(us)
      const [code] = await exited
      assert.strictEqual(code, 7)
      process.kill(-(groups[2] ?? 0), "SIGKILL")
    })
  )

  it.live("notes what has left its group, and nothing that was killed with it", () =>
    Effect.gen(function* () {
      const list = join(yield* scopedFolder, "a list")
      const us = spawn(process.execPath, ["--input-type=module", "-e", manyMarked, list], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = yield* Effect.promise(() => once(createInterface({ input: us.stdout }), "line"))
      const [group = 0, away = 0] = String(line).split(" ").map(Number)
      us.kill("SIGKILL")
      yield* untilGone(group)
      yield* untilGone(away)
      assert.strictEqual(readFileSync(list, "utf8"), `${away} sleep\n`)
    })
  )

  it.live("does not note what still dies with its group at the first look", () =>
    Effect.gen(function* () {
      const list = join(yield* scopedFolder, "list")
      const marker = randomUUID()
      const env = { ...process.env, [markerVariable]: marker }
      const group = spawn("sh", ["-c", "sleep 600 & sleep 600"], { detached: true, stdio: "ignore", env })
      const away = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env })
      yield* Effect.sync(() => groupMembers(group.pid ?? 0).length).pipe(
        Effect.repeat({ until: (members) => members > 1, schedule: Schedule.spaced("10 millis") })
      )
      // A shell for which signals to groups take as long as on a busy machine.
      const slow = `kill() { case "$*" in *" -- -"*) ;; *) command kill "$@" ;; esac; }`
      const items = [String(group.pid), ProcessGuard.itemOf(marker, list)]
      const shell = spawn("/bin/sh", ["-c", `${slow}\n${ProcessGuard.script}`, "guard", ...items], { stdio: "ignore" })
      yield* Effect.promise(() => once(shell, "exit"))
      yield* untilGone(group.pid ?? 0)
      assert.strictEqual(readFileSync(list, "utf8"), `${away.pid} sleep\n`)
    })
  )

  it.live("lets go of the mark of a program that could not be put on record", () =>
    Effect.gen(function* () {
      const us = spawn(process.execPath, ["--input-type=module", "-e", unrecorded], {
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = yield* Effect.promise(() => once(createInterface({ input: us.stdout }), "line"))
      const [end, marked] = String(line).split(" ")
      assert.strictEqual(end, "Failure")
      const guards = childrenOf(us.pid ?? 0).flatMap((row) => {
        const pid = Number(row.trim().split(/\s+/)[0])
        return pid === Number(marked) ? [] : [pid]
      })
      assert.lengthOf(guards, 1)
      us.kill("SIGKILL")
      for (const guard of guards) yield* untilGone(guard)
      assert.isTrue(groupExists(Number(marked)))
      process.kill(-Number(marked), "SIGKILL")
    })
  )
})

/** Starts a busy group of 20 processes with a mark, and one with the mark in a separate group. Prints both groups. */
const manyMarked = `
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as ProcessGuard from ${JSON.stringify(guard)}
import { markerVariable } from ${JSON.stringify(source("ProcessLedger.ts"))}
const marker = crypto.randomUUID()
const env = { ...process.env, [markerVariable]: marker }
const many = "i=0; while [ $i -lt 20 ]; do (while :; do :; done) & i=$((i + 1)); done; echo; wait"
const group = spawn("sh", ["-c", many], { detached: true, stdio: ["ignore", "pipe", "ignore"], env })
await once(group.stdout, "data")
const away = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env })
ProcessGuard.watch(group.pid)
ProcessGuard.watchMark(marker, process.argv[1])
console.log(group.pid, away.pid)
setInterval(() => {}, 60_000)
`

/** Starts a program that can't be put on record. Reports how that ended, and the group of a sleeper that carries the same mark. */
const unrecorded = `
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as GuardedProcess from ${JSON.stringify(source("GuardedProcess.ts"))}
import { markerVariable } from ${JSON.stringify(source("ProcessLedger.ts"))}
const marker = crypto.randomUUID()
const full = { _tag: "Full" }
const entry = { marker, started: () => Effect.fail(full), close: Effect.void }
const ledger = { enter: () => Effect.succeed(entry), reaped: 0, found: [] }
const program = { command: "sleep", args: ["600"], env: {} }
const { _tag } = await Effect.runPromiseExit(Effect.scoped(GuardedProcess.start({ ledger, program, cwd: "/" })))
const env = { ...process.env, [markerVariable]: marker }
const sleeper = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env })
console.log(_tag, sleeper.pid)
setInterval(() => {}, 60_000)
`
