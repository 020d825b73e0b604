/**
 * The ledger in a folder. When a Signalbox begins, it ends agents whose owner is gone. Several may share the folder:
 * each handles only the agents of owners that are gone.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { attempt, SystemRefused } from "@signalbox/system/SystemError"
import * as ProcessFacts from "./ProcessFacts.ts"
import * as LedgerFolder from "./ProcessLedgerFolder.ts"
import * as ProcessReaper from "./ProcessReaper.ts"
import * as SystemLimit from "./SystemLimit.ts"
import { listOf } from "./LeftoverWords.ts"
import { type FoundAgent, type LedgerEntry, ProcessLedger } from "./ProcessLedger.ts"
import type { Refused } from "@signalbox/contracts/Refused"
import { refused } from "./StartRefused.ts"

export interface Options {
  /** The absolute folder. Made if it is missing. */
  readonly folder: string
  /** Whether an agent starts if it can't be entered in the ledger. Default: `refuse`. */
  readonly unrecorded?: "refuse" | "start"
  readonly facts?: ProcessFacts.ProcessFacts
  readonly grace?: ProcessReaper.Grace
}

/** Moves a file that is no record aside, with a warning. */
const setAside = ({ path, reason }: LedgerFolder.Contents["strange"][number]) =>
  attempt(() => LedgerFolder.setAside(path)).pipe(
    Effect.flatMap((aside) =>
      Effect.logWarning(`${path} is no record of a program (${reason}). It was put aside as ${aside}.`)
    ),
    Effect.catch(({ message }) =>
      Effect.logWarning(`${path} is no record of a program (${reason}), and could not be put aside: ${message}`)
    )
  )

/** Ends the agents that other Signalboxes have left. */
const reap = Effect.fn("ProcessLedger.reap")(function* (
  folder: string,
  facts: ProcessFacts.ProcessFacts,
  grace: ProcessReaper.Grace | undefined
): Effect.fn.Return<ReadonlyArray<FoundAgent>, SystemRefused> {
  const { records, strange } = yield* attempt(() => {
    LedgerFolder.make(folder)
    return LedgerFolder.read(folder)
  })
  yield* Effect.forEach(strange, setAside, { discard: true })
  const abandoned = yield* attempt(() => records.filter(({ owner }) => facts.birthOf(owner.pid) !== owner.birth))
  if (abandoned.length === 0) return []
  const reaped = yield* ProcessReaper.reap(abandoned, facts, grace)
  return yield* Effect.forEach(
    reaped,
    Effect.fnUntraced(function* ({ ended: endedNow, kept, left, record }) {
      const noted = yield* Effect.orElseSucceed(
        attempt(() => LedgerFolder.readEnded(folder, record.marker)),
        () => []
      )
      // The last process that the guard noted may still be dying now.
      const ended = [...noted, ...endedNow.filter(({ pid }) => !noted.some((other) => other.pid === pid))]
      const { command, threadId: runsFor } = record
      const agent = runsFor === undefined ? command : `${command} (for ${runsFor})`
      if (ended.length > 0) yield* Effect.logWarning(`Ended what was left of ${agent}: ${listOf(ended)}.`)
      if (kept.length > 0) yield* Effect.logInfo(`Left running, as settings say, of ${agent}: ${listOf(kept)}.`)
      // The record stays, so that the next Signalbox tries again.
      if (left.length > 0) yield* Effect.logWarning(`Not all that is left of ${agent} could be ended: ${listOf(left)}.`)
      else yield* attempt(() => LedgerFolder.remove(folder, record))
      return { ...(runsFor !== undefined && { runsFor }), command, ended, kept, left }
    })
  )
})

const make = Effect.fnUntraced(function* ({
  facts = ProcessFacts.ofThisSystem,
  folder,
  grace,
  unrecorded = "refuse"
}: Options) {
  const found = yield* reap(folder, facts, grace).pipe(
    Effect.catch(({ message }) =>
      Effect.as(
        Effect.logWarning(`What earlier programs have left could not be looked over: ${message}`),
        [] satisfies ReadonlyArray<FoundAgent>
      )
    )
  )
  const reaped = found.reduce((sum, { ended, left }) => sum + ended.length + left.length, 0)
  const identify = (pid: number): ProcessFacts.ProcessIdentity | undefined => {
    const birth = facts.birthOf(pid)
    return birth === undefined ? undefined : { pid, birth }
  }
  const owner = identify(process.pid)

  const enter = Effect.fnUntraced(function* ({
    command,
    keeps,
    runsFor
  }: Parameters<ProcessLedger["Service"]["enter"]>[0]) {
    const refuse = (failed: SystemRefused) => Effect.fail(notRecorded(folder, failed))
    if (owner === undefined)
      return yield* refuse(new SystemRefused({ message: "The system does not report when we were started." }))
    const record: LedgerFolder.AgentRecord = {
      version: 1,
      marker: randomUUID(),
      ...(runsFor !== undefined && { threadId: runsFor }),
      command,
      ...(keeps !== undefined && keeps.length > 0 && { keeps }),
      owner
    }
    const put = (more: Partial<LedgerFolder.AgentRecord>) =>
      attempt(() => LedgerFolder.write(folder, { ...record, ...more })).pipe(Effect.catch(refuse))
    yield* put({})
    return {
      marker: record.marker,
      endedList: LedgerFolder.endedList(folder, record.marker),
      started: (pid) =>
        attempt(() => identify(pid)).pipe(
          Effect.catch(refuse),
          // A process that has already ended is known by its marker, if it has left any others.
          Effect.flatMap((agent) => (agent === undefined ? Effect.void : put({ agent })))
        ),
      close: attempt(() => LedgerFolder.remove(folder, record)).pipe(
        Effect.catch(({ message }) => Effect.logWarning(`A program that has ended stays on record: ${message}`))
      )
    } satisfies LedgerEntry
  })

  const warn = ({ problem }: Refused) =>
    Effect.logWarning(`A program is started without being on record. ${problem.cause}`)
  /** Enters an agent into the ledger if possible. */
  const tryToEnter = (agent: Parameters<typeof enter>[0]): Effect.Effect<LedgerEntry> =>
    enter(agent).pipe(
      Effect.map((entry) => ({ ...entry, started: (pid: number) => entry.started(pid).pipe(Effect.catch(warn)) })),
      Effect.catch((failure) => Effect.as(warn(failure), offRecord()))
    )

  return ProcessLedger.of({ reaped, found, enter: unrecorded === "refuse" ? enter : tryToEnter })
})

const notRecorded = (folder: string, { code = "", message }: SystemRefused): Refused => {
  const limit = SystemLimit.limitOf(code)
  return refused(
    "agent-start-failed",
    "The program was not started.",
    `It could not be put on record. ${limit?.cause ?? `The reason: ${message}.`} If Signalbox were killed, nobody would know that it has to be ended.`,
    {
      evidence: { path: folder },
      nextSteps: limit?.nextSteps ?? [
        { action: "set-option", label: `Make ${folder} writable, or choose another state folder` }
      ]
    }
  )
}

const offRecord = (): LedgerEntry => ({ marker: randomUUID(), started: () => Effect.void, close: Effect.void })

/** Ends what earlier Signalboxes have left. Never fails: an unusable folder is reported at each start of an agent. */
export const layer = (options: Options): Layer.Layer<ProcessLedger> => Layer.effect(ProcessLedger, make(options))

/** A ledger that stores nothing. */
export const layerDisabled: Layer.Layer<ProcessLedger> = Layer.succeed(
  ProcessLedger,
  ProcessLedger.of({ enter: () => Effect.sync(offRecord), reaped: 0, found: [] })
)
