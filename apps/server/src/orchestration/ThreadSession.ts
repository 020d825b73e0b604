/** The session of a thread's agent: started when it is needed, changed and ended when people ask for that, revived after a crash. */
import type { Timestamp } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Semaphore from "effect/Semaphore"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { reporting, stoppedMeanwhile, takenBack } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import type { Report } from "@signalbox/threads/Report"
import * as SessionHistory from "./SessionHistory.ts"
import * as SessionRestarts from "./SessionRestarts.ts"
import * as StartNotes from "./StartNotes.ts"

type SettingRequested = Extract<OrchestrationEvent, { readonly type: "setting.requested" }>

export interface ThreadSession {
  /**
   * Starts the agent, unless it runs or somebody stopped it since this was asked for. When its turn comes and nobody needs it any more, it
   * is not started. Returns when the log has taken in that it runs, and what it told of its past.
   */
  readonly ensure: (
    isWanted: () => boolean,
    isNeeded?: (head: ThreadHead) => boolean
  ) => Effect.Effect<void, ProviderError>
  /** Starts the agent because somebody asked for it now: a stop that comes after this call takes that back. */
  readonly start: () => Effect.Effect<void>
  /** Puts on record that the agent starts, and starts it. */
  readonly reopen: Effect.Effect<void>
  /** Starts the agent again after it ended by itself, in its time, and until it has ended too often. Leaves that to a turn, if one waits. */
  readonly revive: Effect.Effect<void>
  /** Waits until an agent that ended by itself may be started again for what has waited since before then. It ends early when `isMoot`. */
  readonly afterCrash: (
    waitingSince: () => Timestamp | undefined,
    isMoot: (head: ThreadHead) => boolean
  ) => Effect.Effect<void, ProviderError>
  readonly stop: () => Effect.Effect<void>
  readonly configure: (requested: SettingRequested) => Effect.Effect<void>
}

/** How long what a start emitted may take to arrive in the log. */
const arrival = "30 seconds"

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>
): Effect.fn.Return<ThreadSession, never, ProviderService | ProviderCatalog> {
  const provider = yield* ProviderService
  const catalog = yield* ProviderCatalog
  const { append, threadId, until } = thread
  const notes = yield* StartNotes.make(thread)
  /** Starting, stopping and setting happen one after the other, in the order in which they were asked for. */
  const inSessionLane = Semaphore.withPermit(yield* Semaphore.make(1))
  /** What was chosen last and not refused, for each setting that was changed. */
  const accepted = new Map<string, SettingValue | undefined>()

  /** A check that holds until somebody stops the session. */
  const untilStopped = () => {
    const { stops } = history.current
    return () => history.current.stops === stops
  }
  const whenDue = (isMoot: (head: ThreadHead) => boolean) => SessionRestarts.whenDue(thread, history, isMoot)
  const noteFailure = Effect.map(Clock.currentTimeMillis, (at) =>
    MutableRef.update(history, (before) => SessionHistory.failed(before, at))
  )

  /** Returns when the log has taken in that the agent runs. */
  const begin = Effect.gen(function* () {
    const head = thread.head()
    const { options, provider: ref } = yield* catalog.get(head.provider.id)
    const session = yield* provider.startSession({
      threadId,
      provider: ref,
      providerOptions: overlay(options, thread.providerOptions()),
      cwd: head.cwd,
      knownPrompts: yield* thread.prompts,
      settings: head.desired,
      // Until there is a session on record: what it tells of its past must not be lost with a start that was cut off.
      ...(head.from !== undefined && head.session.sessionId === undefined && { from: head.from }),
      ...(head.additionalDirectories !== undefined && { additionalDirectories: head.additionalDirectories }),
      ...(head.mcpServers !== undefined && { mcpServers: head.mcpServers }),
      ...notes
    })
    yield* until(({ session: { providerSessionId } }) => providerSessionId === session.providerSessionId).pipe(
      Effect.timeoutOption(arrival)
    )
  })

  const ensure = Effect.fn("ThreadSession.ensure")(function* (
    isWanted: () => boolean,
    isNeeded: (head: ThreadHead) => boolean = () => true
  ) {
    if (!isWanted() || !isNeeded(thread.head()) || (yield* provider.hasSession(threadId))) return
    yield* append((head) => (head.session.state === "starting" ? [] : [{ type: "session.start.requested" }]))
    // While it waits for others to start, nobody may come to need it: then it does not start.
    const noUse = (head: ThreadHead) =>
      head.session.waiting !== undefined && !isNeeded(head) && TurnQueue.next(head) === undefined
    yield* begin.pipe(
      Effect.raceFirst(
        until(noUse).pipe(
          Effect.andThen(provider.stopSession(threadId)),
          Effect.andThen(Effect.suspend(() => Effect.fail(takenBack(thread.head()))))
        )
      ),
      Effect.tapError(() => noteFailure),
      Effect.catchIf(
        () => !isWanted(),
        () => Effect.void
      )
    )
    if (isWanted()) return
    // It was stopped before there was anything to stop.
    yield* provider.stopSession(threadId)
    yield* append((head) => startFailed(head, stoppedMeanwhile(head)))
  }, inSessionLane)

  const startWhile = (isWanted: () => boolean) =>
    ensure(isWanted).pipe(
      Effect.andThen(append((head) => (isWanted() ? [] : startFailed(head, stoppedMeanwhile(head))))),
      Effect.asVoid,
      reporting((problem) => append((head) => startFailed(head, problem)))
    )

  const start = () => startWhile(untilStopped())

  const reopen = Effect.andThen(
    append(({ session }) => (session.state === "starting" ? [] : [{ type: "session.start.requested" }])),
    Effect.suspend(start)
  )

  const revive = Effect.gen(function* () {
    const isWanted = untilStopped()
    const isMoot = (head: ThreadHead) =>
      !isWanted() || TurnQueue.next(head) !== undefined || ThreadProjection.runningTurn(head) !== undefined
    while (!(yield* provider.hasSession(threadId)) && !isMoot(thread.head())) {
      yield* whenDue(isMoot)
      if (isMoot(thread.head()) || thread.head().session.state !== "exited") return
      yield* startWhile(isWanted)
    }
  }).pipe(reporting((problem) => append(() => [{ type: "session.start.failed", problem }])))

  const afterCrash: ThreadSession["afterCrash"] = Effect.fnUntraced(function* (waitingSince, isMoot) {
    if (yield* provider.hasSession(threadId)) return
    // The end of an agent that is gone may still be on its way.
    yield* Effect.timeoutOption(
      until(({ session }) => session.state !== "ready"),
      "1 second"
    )
    const { crashedAt } = history.current
    const since = waitingSince()
    if (since !== undefined && crashedAt !== undefined && since < crashedAt) yield* whenDue(isMoot)
  })

  /** Not in the lane: what holds it up may be what the session is stopped for. */
  const stop = Effect.fn("ThreadSession.stop")(() => provider.stopSession(threadId))

  const configure: ThreadSession["configure"] = ({ previous, settingId, value }) => {
    if (!accepted.has(settingId)) accepted.set(settingId, previous)
    return provider.hasSession(threadId).pipe(
      // Without a session the choice is kept, and put in place when one starts.
      Effect.flatMap((has) => (has ? provider.setSetting(threadId, settingId, value) : Effect.void)),
      Effect.andThen(Effect.sync(() => void accepted.set(settingId, value))),
      inSessionLane,
      reporting((problem) =>
        append((head) => {
          const asked = head.desired[settingId]
          const desired = asked === value ? accepted.get(settingId) : asked
          return [{ type: "setting.failed", settingId, problem, ...(desired !== undefined && { desired }) }]
        })
      )
    )
  }

  return { ensure, start, reopen, revive, afterCrash, stop, configure }
})

/** A start that a turn or a command was waiting for; nothing if it has been settled already. */
export const startFailed = (head: ThreadHead, problem: Problem): ReadonlyArray<Report> =>
  head.session.state === "starting" ? [{ type: "session.start.failed", problem }] : []

/** The options of the agent on this machine, and over them those of the thread. */
const overlay = (machine: ProviderOptions, thread: ProviderOptions): ProviderOptions => {
  const acp = thread.acp ?? machine.acp
  const cursor = machine.cursor || thread.cursor ? { ...machine.cursor, ...thread.cursor } : undefined
  return { ...(cursor && { cursor }), ...(acp && { acp }) }
}
