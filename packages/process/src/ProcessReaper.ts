/**
 * Ends the processes of agents whose Signalbox is gone. A number alone is never enough. A process must have the
 * record's mark, or its group must have a leader born when the record says. A group with a member that has the mark
 * counts, too.
 * A process that was found is followed until its death, even if its leader or its mark goes first.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { systemRefused } from "@signalbox/system/SystemError"
import { type Leftovers, markerIn } from "./ProcessLedger.ts"
import type { ProcessFacts, ProcessIdentity, ProcessRow } from "./ProcessFacts.ts"
import type { AgentRecord } from "./ProcessLedgerFolder.ts"

/** The result for one agent. */
export interface Reaped extends Leftovers {
  readonly record: AgentRecord
}

export interface Grace {
  /** Time between SIGTERM and SIGKILL. */
  readonly terminate: Duration.Input
  /** Time after SIGKILL. A process that is stuck in the kernel is not awaited longer. */
  readonly kill: Duration.Input
}

/** A process that was found to belong to an agent. */
interface Found {
  readonly birth: string
  readonly name: string
  /** The agent's settings let it go on. */
  readonly kept: boolean
}

const defaultGrace: Grace = { terminate: "1500 millis", kill: "1 second" }

const pollEvery = Duration.millis(20)

/** The markers of processes, by their numbers. */
export const markersOf = (
  rows: ReadonlyArray<ProcessRow>,
  facts: Pick<ProcessFacts, "environmentOf">
): ReadonlyMap<number, string> =>
  new Map(
    rows.flatMap(({ pid }) => {
      const marker = markerIn(facts.environmentOf(pid))
      return marker === undefined ? [] : [[pid, marker]]
    })
  )

/** The living processes that certainly belong to this agent. `isKnown` holds for those that an earlier look has found. */
export const survivorsOf = (
  { agent, marker }: Pick<AgentRecord, "agent" | "marker">,
  rows: ReadonlyArray<ProcessRow>,
  markers: ReadonlyMap<number, string>,
  isKnown: (row: ProcessRow) => boolean = () => false
): ReadonlyArray<ProcessRow> => {
  // A known process proves as much as a marked one: its group number can't be reused while it is a member.
  const marked = new Set(rows.filter((row) => markers.get(row.pid) === marker || isKnown(row)))
  const isOurs = (group: number): boolean => {
    // Without an agent's number, it only had time to start, so processes with the mark are its own.
    const leader = group === agent?.pid ? rows.find(({ pid }) => pid === group) : undefined
    return leader === undefined
      ? rows.some((row) => row.group === group && marked.has(row))
      : leader.birth === agent?.birth
  }
  const groups = new Set([...marked, ...rows.filter(({ group }) => group === agent?.pid)].map(({ group }) => group))
  for (const group of groups) if (!isOurs(group)) groups.delete(group)
  const ours = rows.filter((row) => marked.has(row) || groups.has(row.group))
  // If the agent itself started this process, its processes are not ours to end.
  if (ours.some(({ pid }) => pid === process.pid)) return []
  return ours.filter(({ alive }) => alive)
}

/**
 * Ends all agents at the same time: first politely, then by SIGKILL. Fails if the system does not list its processes.
 */
export const reap = Effect.fn("ProcessReaper.reap")(function* (
  records: ReadonlyArray<AgentRecord>,
  facts: ProcessFacts,
  grace: Grace = defaultGrace
) {
  /** The name of each process when it was first seen, by its number and birth. */
  const names = new Map<string, string>()
  const nameOf = ({ birth, pid }: ProcessRow): string => {
    const key = `${pid} ${birth}`
    const name = names.get(key) ?? facts.nameOf(pid) ?? "?"
    names.set(key, name)
    return name
  }
  const found = new Map<AgentRecord, Map<number, Found>>()
  const look = Effect.try({
    try: () => {
      const rows = facts.list()
      const markers = markersOf(rows, facts)
      return records.flatMap((record) => {
        const known = found.get(record) ?? new Map<number, Found>()
        found.set(record, known)
        const isKnown = ({ birth, pid }: ProcessRow) => known.get(pid)?.birth === birth
        return survivorsOf(record, rows, markers, isKnown).flatMap((row) => {
          const name = nameOf(row)
          const kept = record.keeps?.includes(name) === true
          known.set(row.pid, { birth: row.birth, name, kept })
          return kept ? [] : [{ record, row }]
        })
      })
    },
    catch: systemRefused
  })
  /** Sends a signal to all. `again`: processes that appear in the meantime get it, too. */
  const end = Effect.fnUntraced(function* (name: NodeJS.Signals, within: Duration.Input, again: boolean) {
    const signalAll = (members: ReadonlyArray<{ readonly row: ProcessRow }>) => {
      for (const { row } of members) signal(row, name, facts)
    }
    const first = yield* look
    if (first.length === 0) return
    signalAll(first)
    yield* look.pipe(
      Effect.tap((left) => Effect.sync(() => (again ? signalAll(left) : undefined))),
      Effect.repeat({ until: (left) => left.length === 0, schedule: Schedule.spaced(pollEvery) }),
      Effect.timeoutOption(within)
    )
  })
  yield* end("SIGTERM", grace.terminate, false)
  yield* end("SIGKILL", grace.kill, true)
  const left = yield* look
  return records.map((record): Reaped => {
    const stays = new Set(left.filter((member) => member.record === record).map(({ row }) => row.pid))
    const all = [...(found.get(record) ?? [])].map(([pid, { kept, name }]) => ({ pid, name, kept }))
    const those = (fits: (process: { readonly pid: number; readonly kept: boolean }) => boolean) =>
      all.filter(fits).map(({ name, pid }) => ({ pid, name }))
    return {
      record,
      ended: those(({ kept, pid }) => !kept && !stays.has(pid)),
      kept: those(({ kept }) => kept),
      left: those(({ kept, pid }) => !kept && stays.has(pid))
    }
  })
})

/** Signals a process that was found before. Its birth is checked again just before, since its number may be reused. */
export const signal = (
  { birth, pid }: ProcessIdentity,
  name: NodeJS.Signals,
  facts: Pick<ProcessFacts, "birthOf">
): void => {
  try {
    if (facts.birthOf(pid) === birth) process.kill(pid, name)
  } catch {
    // The process ended at this moment, or changed its user. The next search shows what is left.
  }
}
