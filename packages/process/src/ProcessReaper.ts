/**
 * Ends what is left of agents whose Signalbox is gone. Nothing is ended on the strength of a number alone: a process carries the record's
 * mark. Or it is in the group of a leader that was born when the record says. Or it is in the group of a member that carries the mark.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { systemRefused } from "@signalbox/system/SystemError"
import { type Leftovers, markerIn } from "./ProcessLedger.ts"
import type { ProcessFacts, ProcessRow } from "./ProcessFacts.ts"
import type { AgentRecord } from "./ProcessLedgerFolder.ts"

/** What was found of an agent. */
export interface Reaped extends Leftovers {
  readonly record: AgentRecord
}

export interface Grace {
  /** After SIGTERM, before SIGKILL. */
  readonly terminate: Duration.Input
  /** After SIGKILL: what is stuck in the kernel is not waited for any longer. */
  readonly kill: Duration.Input
}

const defaultGrace: Grace = { terminate: "1500 millis", kill: "1 second" }

const pollEvery = Duration.millis(20)

/** The markers that processes carry, by their numbers. */
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

/** Which processes certainly are this agent's, and live. */
export const survivorsOf = (
  { agent, marker }: Pick<AgentRecord, "agent" | "marker">,
  rows: ReadonlyArray<ProcessRow>,
  markers: ReadonlyMap<number, string>
): ReadonlyArray<ProcessRow> => {
  const marked = new Set(rows.filter(({ pid }) => markers.get(pid) === marker))
  const isOurs = (group: number): boolean => {
    // Without an agent it had no time to do more than to start, so that what carries the mark is what it started with.
    const leader = group === agent?.pid ? rows.find(({ pid }) => pid === group) : undefined
    return leader === undefined
      ? rows.some((row) => row.group === group && marked.has(row))
      : leader.birth === agent?.birth
  }
  const groups = new Set([...marked, ...rows.filter(({ group }) => group === agent?.pid)].map(({ group }) => group))
  for (const group of groups) if (!isOurs(group)) groups.delete(group)
  const ours = rows.filter((row) => marked.has(row) || groups.has(row.group))
  // Started by that very agent, we are no judge of it.
  if (ours.some(({ pid }) => pid === process.pid)) return []
  return ours.filter(({ alive }) => alive)
}

/** Ends them all at the same time: asked first, and then not asked any more. Fails where the system tells nothing of its processes. */
export const reap = Effect.fn("ProcessReaper.reap")(function* (
  records: ReadonlyArray<AgentRecord>,
  facts: ProcessFacts,
  grace: Grace = defaultGrace
) {
  /** The name that each process had when it was first seen, by its number and birth. */
  const names = new Map<string, string>()
  const nameOf = ({ birth, pid }: ProcessRow): string => {
    const key = `${pid} ${birth}`
    const name = names.get(key) ?? facts.nameOf(pid) ?? "?"
    names.set(key, name)
    return name
  }
  const found = new Map<AgentRecord, Map<number, { readonly name: string; readonly kept: boolean }>>()
  const look = Effect.try({
    try: () => {
      const rows = facts.list()
      const markers = markersOf(rows, facts)
      return records.flatMap((record) => {
        const known = found.get(record) ?? new Map<number, { readonly name: string; readonly kept: boolean }>()
        found.set(record, known)
        return survivorsOf(record, rows, markers).flatMap((row) => {
          const name = nameOf(row)
          const kept = record.keeps?.includes(name) === true
          known.set(row.pid, { name, kept })
          return kept ? [] : [{ record, row }]
        })
      })
    },
    catch: systemRefused
  })
  /** `again`: what has come meanwhile is ended as well. */
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

/** Looked at again right before: it was born when it was found to be the agent's. */
const signal = ({ birth, pid }: ProcessRow, name: NodeJS.Signals, facts: Pick<ProcessFacts, "birthOf">): void => {
  try {
    if (facts.birthOf(pid) === birth) process.kill(pid, name)
  } catch {
    // It ended in this moment, or became another user's: what is left of it is seen at the next look.
  }
}
