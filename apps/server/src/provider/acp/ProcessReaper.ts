/**
 * Ends what is left of agents whose Signalbox is gone. Nothing is ended on the strength of a number alone: either the group's
 * leader lives and was born when the record says, or a member carries the record's marker.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { markerVariable } from "../Services/ProcessLedger.ts"
import type { ProcessFacts, ProcessRow } from "./ProcessFacts.ts"
import type { AgentRecord } from "./ProcessLedgerFolder.ts"

/** What was found of an agent, and whether all of it is gone now. */
export interface Reaped {
  readonly record: AgentRecord
  readonly processes: number
  readonly gone: boolean
}

export interface Grace {
  /** After SIGTERM, before SIGKILL. */
  readonly terminate: Duration.Input
  /** After SIGKILL: what is stuck in the kernel is not waited for any longer. */
  readonly kill: Duration.Input
}

export const defaultGrace: Grace = { terminate: "1500 millis", kill: "1 second" }

const pollEvery = Duration.millis(20)

/** The living members of the process groups that certainly are this agent's. */
export const survivorsOf = (
  { agent, marker }: Pick<AgentRecord, "agent" | "marker">,
  rows: ReadonlyArray<ProcessRow>,
  facts: Pick<ProcessFacts, "carries">
): ReadonlyArray<ProcessRow> => {
  const marked = ({ pid }: ProcessRow) => facts.carries(pid, markerVariable, marker)
  const ours = (): ReadonlySet<number> => {
    // It had no time to do more than to start, so that all that carries the marker is what it started with.
    if (agent === undefined) return new Set(rows.filter(marked).map(({ group }) => group))
    const leader = rows.find(({ pid }) => pid === agent.pid)
    const members = rows.filter(({ group }) => group === agent.pid)
    const known = leader === undefined ? members.some(marked) : leader.birth === agent.birth
    return new Set(known ? [agent.pid] : [])
  }
  const groups = ours()
  const members = rows.filter(({ group }) => groups.has(group))
  // Started by that very agent, we are no judge of it.
  const own = members.find(({ pid }) => pid === process.pid)?.group
  return members.filter(({ alive, group }) => alive && group !== own)
}

/** The system does not say which processes there are. */
export class ProcessesUnknown extends Schema.TaggedError<ProcessesUnknown>()("ProcessesUnknown", {
  message: Schema.String
}) {}

/** Ends them all at the same time: asked first, and then not asked any more. Fails where the system tells nothing of its processes. */
export const reap = Effect.fn("ProcessReaper.reap")(function* (
  records: ReadonlyArray<AgentRecord>,
  facts: ProcessFacts,
  grace: Grace = defaultGrace
) {
  const look = Effect.try({
    try: () => {
      const rows = facts.list()
      return new Map(records.map((record) => [record, survivorsOf(record, rows, facts)]))
    },
    catch: (error) => new ProcessesUnknown({ message: error instanceof Error ? error.message : String(error) })
  })
  const end = Effect.fnUntraced(function* (signal: NodeJS.Signals, within: Duration.Input) {
    const found = yield* look
    const groups = new Set([...found.values()].flat().map(({ group }) => group))
    if (groups.size === 0) return found
    for (const group of groups) signalGroup(group, signal)
    yield* look.pipe(
      Effect.repeat({
        until: (left) => [...left.values()].every((members) => members.length === 0),
        schedule: Schedule.spaced(pollEvery)
      }),
      Effect.timeoutOption(within)
    )
    return found
  })
  const found = yield* end("SIGTERM", grace.terminate)
  yield* end("SIGKILL", grace.kill)
  const left = yield* look
  return records.map((record): Reaped => {
    const processes = found.get(record)?.length ?? 0
    return { record, processes, gone: (left.get(record)?.length ?? 0) === 0 }
  })
})

const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal)
  } catch {
    // It ended in this moment, or became another user's: what is left of it is seen at the next look.
  }
}
