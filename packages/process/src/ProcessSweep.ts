/**
 * Ends what a program of ours has started and left running, also outside of its group: known by the mark that all of it inherits. It is
 * asked first, and then ended, again and again until nothing more comes, within a bound.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type Leftovers, markerIn, markOf, type NamedProcess } from "./ProcessLedger.ts"
import * as MarkedProcesses from "./MarkedProcesses.ts"
import { ofThisSystem as facts, type ProcessIdentity } from "./ProcessFacts.ts"

/** Milliseconds: after SIGTERM, and then for all rounds of SIGKILL. */
const grace = 1000
const patience = 3000
const pollEvery = "20 millis"

/** How many processes are looked at in one go. That takes about a millisecond. */
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

/** Looks at all processes, no earlier than now. Callers that ask before a look begins share it: sessions that end together cost one. */
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

/** `undefined` where the system does not tell, as for want of a file to open. */
const carriersOf = (marker: string): Effect.Effect<ReadonlyArray<ProcessIdentity> | undefined> =>
  Effect.tryPromise(look).pipe(
    Effect.map((found) => found.get(marker) ?? []),
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 30 }),
    Effect.orElseSucceed(() => undefined)
  )

/** A process with the name that people know. */
export const named = ({ pid }: ProcessIdentity): NamedProcess => ({ pid, name: facts.nameOf(pid) ?? "?" })

/** `undefined` where the system did not tell which processes there are. Never fails. */
export const sweep = Effect.fn("ProcessSweep.sweep")(function* (
  marker: string,
  keeps: ReadonlyArray<string> = []
): Effect.fn.Return<Leftovers | undefined> {
  const mark = markOf(marker)
  const now = Effect.map(Clock.Clock, (clock) => clock.currentTimeMillisUnsafe())
  const names = new Map<number, NamedProcess>()
  const nameOf = (process: ProcessIdentity): NamedProcess => {
    const known = names.get(process.pid) ?? named(process)
    names.set(process.pid, known)
    return known
  }
  const isKept = (process: ProcessIdentity) => keeps.includes(nameOf(process).name)
  const toEnd: Effect.Effect<ReadonlyArray<ProcessIdentity> | undefined> = Effect.map(carriersOf(marker), (found) =>
    found?.filter((process) => !isKept(process))
  )

  let left = yield* toEnd
  for (const process of left ?? []) MarkedProcesses.signal(mark, process, "SIGTERM")
  // One that starts others instead of ending is not waited for.
  const known = names.size
  const asked = yield* now
  while (left !== undefined && left.length > 0 && names.size === known && (yield* now) - asked < grace) {
    yield* Effect.sleep(pollEvery)
    left = yield* toEnd
  }
  const told = yield* now
  while (left !== undefined && left.length > 0 && (yield* now) - told < patience) {
    // Each is found and ended in one step, so that it has the least time to start another.
    for (const process of MarkedProcesses.find(mark))
      if (!isKept(process)) MarkedProcesses.signal(mark, process, "SIGKILL")
    yield* Effect.sleep(pollEvery)
    left = yield* toEnd
  }
  if (left === undefined) return undefined
  const stays = new Set(left.map(({ pid }) => pid))
  const all = [...names.values()]
  return {
    ended: all.filter(({ name, pid }) => !stays.has(pid) && !keeps.includes(name)),
    kept: all.filter(({ name }) => keeps.includes(name)),
    left: all.filter(({ name, pid }) => stays.has(pid) && !keeps.includes(name))
  }
})
