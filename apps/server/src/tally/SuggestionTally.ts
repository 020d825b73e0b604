/**
 * Counts what becomes of suggestions, by agent. Counting is one step in memory, so that it is one with what is counted.
 * What was counted is written soon after, by a fiber of its own: nobody who types waits for the disk.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import type { SuggestionsToday } from "@signalbox/contracts/Suggestions"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { existsSync } from "node:fs"
import { whileLocked } from "../storage/Sqlite.ts"
import { type StorageError, storageError } from "../storage/StorageError.ts"
import * as Figures from "./Figures.ts"
import * as TallyFile from "./TallyFile.ts"

/** How a suggestion that could be shown has ended. */
export type SuggestionEnd = "accepted" | "cancelled" | "ignored" | "rejected" | "replaced"

/** The counts of one agent. Each call counts one. */
export interface AgentTally {
  readonly ended: (end: SuggestionEnd) => void
  /** `reason`: a name of `refusalWords`. */
  readonly refused: (reason: string) => void
  readonly answered: (latencyMs: number) => void
  readonly unanswered: (why: "failed" | "overtaken") => void
}

export interface SuggestionTally {
  readonly of: (provider: ProviderRef) => AgentTally
  /** All figures, with what was counted until now. */
  readonly read: Effect.Effect<SuggestionQuality>
  /**
   * What has become of an agent's suggestions today: now, after each change that was written here, and at midnight.
   * Undefined while the file can't be read.
   */
  readonly today: (provider: ProviderRef) => Stream.Stream<SuggestionsToday | undefined>
}

const ignoring: AgentTally = { ended: () => {}, refused: () => {}, answered: () => {}, unanswered: () => {} }

/** Nothing is counted where no folder is known for it. */
export const SuggestionTally = Context.Reference<SuggestionTally>("@signalbox/server/tally/SuggestionTally", {
  defaultValue: () => ({ of: () => ignoring, read: Effect.succeed({ agents: [] }), today: () => Stream.empty })
})

/** Between two writes. What is counted first after a pause is written at once. */
const pause = "200 millis"
/** Between two tries while the file can't be written. */
const longPause = "2 seconds"

const problemOf = (error: StorageError): Problem => ({
  ...error.problem,
  title: "Suggestions can't be counted.",
  ...(error.reason === "corrupt" && {
    nextSteps: [
      { action: "set-option", label: `Move ${error.path} away. A new one is begun, without the earlier counts.` }
    ]
  })
})

const make = Effect.fnUntraced(function* (path: string) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const wake = Latch.makeUnsafe(false)
  const agents = new Map<string, TallyFile.CountedAgent>()
  /** What is not written yet. Its size is bounded like that of the file: the same thing counts up. */
  const waiting = new Map<string, TallyFile.Addition>()
  let file: TallyFile.TallyFile | undefined
  let failing: StorageError | undefined
  /** Changes with each write. */
  const written = yield* SubscriptionRef.make(0)

  const count = (agent: TallyFile.CountedAgent, what: TallyFile.What, detail: number | string = "") => {
    const day = TallyFile.dayOf(now())
    const key = JSON.stringify([agent.provider, agent.program, day, what, detail])
    waiting.set(key, { agent, day, what, detail, times: (waiting.get(key)?.times ?? 0) + 1 })
    wake.openUnsafe()
  }

  /** The open file. One that was taken away is made anew. */
  const opened = (): TallyFile.TallyFile => {
    if (file?.isThere() === false) close()
    return (file ??= TallyFile.open(path))
  }
  const close = () => {
    file?.close()
    file = undefined
  }

  /** Synchronous, so that nothing is counted meanwhile. */
  const write = Effect.try({
    try: () => {
      if (waiting.size > 0) opened().add([...waiting.values()], now())
      waiting.clear()
    },
    catch: storageError(path)
  })

  const noted = write.pipe(
    Effect.tap(() => (failing === undefined ? Effect.void : Effect.logInfo("Suggestions are counted again."))),
    Effect.andThen(
      Effect.suspend(() => {
        failing = undefined
        return SubscriptionRef.update(written, (times) => times + 1)
      })
    ),
    Effect.tapError((error) =>
      Effect.suspend(() => {
        const isNew = failing?.reason !== error.reason
        failing = error
        // Another program writes for a moment.
        return isNew && error.reason !== "locked"
          ? Effect.logWarning(`Suggestions can't be counted. ${error.message}`)
          : Effect.void
      })
    )
  )

  const writing = Effect.gen(function* () {
    yield* wake.await
    wake.closeUnsafe()
    const isWritten = yield* Effect.isSuccess(noted)
    if (!isWritten) wake.openUnsafe()
    yield* Effect.sleep(isWritten || failing?.reason === "locked" ? pause : longPause)
  })

  yield* Effect.addFinalizer(() =>
    write.pipe(
      Effect.retry(whileLocked),
      Effect.catch(({ message }) => Effect.logWarning(`The latest suggestions are not counted: ${message}`)),
      Effect.andThen(Effect.sync(close))
    )
  )
  yield* Effect.forkScoped(Effect.forever(writing))

  const rows = Effect.try({
    try: () => (existsSync(path) ? opened().read(now()) : []),
    catch: storageError(path)
  })

  const countedOf = ({ id, name }: ProviderRef): TallyFile.CountedAgent => {
    // Commands name any program so.
    const program = id === "custom" ? name : ""
    const key = JSON.stringify([id, program, name])
    const agent = agents.get(key) ?? { provider: id, program, name }
    agents.set(key, agent)
    return agent
  }

  const midnights = Stream.fromEffectRepeat(Effect.suspend(() => Effect.sleep(TallyFile.restOfDay(now()))))

  return {
    of: (provider) => {
      const agent = countedOf(provider)
      return {
        ended: (end) => count(agent, end),
        refused: (reason) =>
          count(agent, reason === "stale" ? "cancelled" : "refused", reason === "stale" ? "" : reason),
        answered: (latencyMs) => count(agent, "answered", Math.max(0, Math.round(latencyMs))),
        unanswered: (why) => count(agent, why)
      }
    },
    today: (provider) => {
      const agent = countedOf(provider)
      const read = Effect.try({
        try: () => Figures.ofToday(existsSync(path) ? opened().today(agent, now()) : []),
        catch: storageError(path)
      })
      return Stream.merge(SubscriptionRef.changes(written), midnights).pipe(
        Stream.mapEffect(() => Effect.orElseSucceed(read, () => undefined))
      )
    },
    read: Effect.ignore(noted).pipe(
      Effect.andThen(Effect.result(rows)),
      Effect.map((read): SuggestionQuality => {
        const error = Result.isFailure(read) ? read.failure : failing
        return {
          agents: Result.isSuccess(read) ? Figures.ofRows(read.success) : [],
          ...(error !== undefined && { problem: problemOf(error) })
        }
      })
    )
  } satisfies SuggestionTally
})

/** The counts in the file at a path. The file is made with the first count. */
export const layer = (path: string) => Layer.effect(SuggestionTally, make(path))
