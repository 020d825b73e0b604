/**
 * Ends processes that a program of ours left running, even outside of its group. They are found by the mark that they
 * inherit. They get SIGTERM first, and then SIGKILL, repeated until none is left, up to a limit. A process
 * that was found once is followed until it is dead, even if its mark goes first. The mark goes with the memory of a
 * dying process, or with the environment if the process runs another program.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type Leftovers, markerIn, markOf, type NamedProcess } from "./ProcessLedger.ts"
import * as MarkedProcesses from "./MarkedProcesses.ts"
import { ofThisSystem as facts, type ProcessIdentity } from "./ProcessFacts.ts"
import { signal } from "./ProcessReaper.ts"

/** Milliseconds: after SIGTERM, and for all rounds of SIGKILL. */
const grace = 1000
const patience = 3000
const pollEvery = "20 millis"

/** Processes that are examined in one step, which takes about a millisecond. */
const slice = 100

/** Living processes by their marker. */
type Look = ReadonlyMap<string, ReadonlyArray<ProcessIdentity>>

const lookThrough = async (): Promise<Look> => {
  const found = new Map<string, Array<ProcessIdentity>>()
  const pids = facts.pids()
  for (let from = 0; from < pids.length; from += slice) {
    for (const pid of pids.slice(from, from + slice)) {
      const marker = markerIn(facts.environmentOf(pid))
      const birth = marker === undefined ? undefined : facts.birthOf(pid)
      if (marker === undefined || birth === undefined) continue
      const known = found.get(marker)
      if (known === undefined) found.set(marker, [{ pid, birth }])
      else known.push({ pid, birth })
    }
    await new Promise<void>((resume) => setImmediate(resume))
  }
  return found
}

let running: Promise<unknown> = Promise.resolve()
let next: Promise<Look> | undefined

/**
 * Examines all processes, not earlier than this call. Callers before a search begins share it, so sessions that end
 * together cost one search.
 */
const look = (): Promise<Look> => {
  next ??= running.then(() => {
    next = undefined
    const now = lookThrough()
    running = now.then(
      () => {},
      () => {}
    )
    return now
  })
  return next
}

/**
 * The processes with a marker, and the known ones that still live. Undefined if the system does not report them, e.g.
 * without free file descriptors.
 */
const livingOf = (
  marker: string,
  known: ReadonlyMap<number, ProcessIdentity>
): Effect.Effect<ReadonlyArray<ProcessIdentity> | undefined> =>
  Effect.tryPromise(async () => {
    const carriers = (await look()).get(marker) ?? []
    const others = [...known.values()].filter(
      ({ birth, pid }) => !carriers.some((carrier) => carrier.pid === pid) && facts.birthOf(pid) === birth
    )
    return [...carriers, ...others]
  }).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 30 }),
    Effect.orElseSucceed(() => undefined)
  )

/** A process with its name for people. */
export const named = ({ pid }: ProcessIdentity): NamedProcess => ({ pid, name: facts.nameOf(pid) ?? "?" })

/** Ends the processes with a marker. Undefined if the system does not list its processes. Never fails. */
export const sweep = Effect.fn("ProcessSweep.sweep")(function* (
  marker: string,
  keeps: ReadonlyArray<string> = []
): Effect.fn.Return<Leftovers | undefined> {
  const mark = markOf(marker)
  const now = Effect.map(Clock.Clock, (clock) => clock.currentTimeMillisUnsafe())
  const known = new Map<number, ProcessIdentity & NamedProcess>()
  const isKept = (process: ProcessIdentity) => {
    const before = known.get(process.pid)
    const { name } = before?.birth === process.birth ? before : named(process)
    known.set(process.pid, { ...process, name })
    return keeps.includes(name)
  }
  const toEnd: Effect.Effect<ReadonlyArray<ProcessIdentity> | undefined> = Effect.map(
    livingOf(marker, known),
    (living) => living?.filter((process) => !isKept(process))
  )

  let left = yield* toEnd
  for (const process of left ?? []) MarkedProcesses.signal(mark, process, "SIGTERM")
  // A process that starts others instead of ending is not awaited.
  const { size } = known
  const asked = yield* now
  while (left !== undefined && left.length > 0 && known.size === size && (yield* now) - asked < grace) {
    yield* Effect.sleep(pollEvery)
    left = yield* toEnd
  }
  const told = yield* now
  while (left !== undefined && left.length > 0 && (yield* now) - told < patience) {
    // Each process is found and killed in one step, so that it has the least time to start another.
    for (const process of MarkedProcesses.find(mark))
      if (!isKept(process)) MarkedProcesses.signal(mark, process, "SIGKILL")
    for (const process of left) signal(process, "SIGKILL", facts)
    yield* Effect.sleep(pollEvery)
    left = yield* toEnd
  }
  if (left === undefined) return undefined
  const stays = new Set(left.map(({ pid }) => pid))
  const all = [...known.values()].map(({ name, pid }): NamedProcess => ({ pid, name }))
  return {
    ended: all.filter(({ name, pid }) => !stays.has(pid) && !keeps.includes(name)),
    kept: all.filter(({ name }) => keeps.includes(name)),
    left: all.filter(({ name, pid }) => stays.has(pid) && !keeps.includes(name))
  }
})
