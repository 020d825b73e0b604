/**
 * Does what was committed: turns a thread's intents into calls of its agent, and the failures of those calls into events.
 * Runs beside the thread, never in its lane, so that nothing that an agent is slow at holds up a command.
 */
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { hasEnded, isRunning } from "@signalbox/contracts/TurnState"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/contracts/TurnQueue"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderError } from "../provider/Services/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { notSent } from "./Decider.ts"
import * as Interjection from "./Interjection.ts"
import { endless, problemOf, stoppedMeanwhile, takenBack } from "./ReactionProblems.ts"
import type { ReactingThread, Report } from "./ReactingThread.ts"
import * as SessionRestarts from "./SessionRestarts.ts"
import * as StartNotes from "./StartNotes.ts"

type SettingRequested = Extract<OrchestrationEvent, { readonly type: "setting.requested" }>
type Answered = Extract<OrchestrationEvent, { readonly type: "request.answered" }>

export interface ProviderCommandReactor {
  /** Follows one committed event through; called in the order of the log. What fails is on the thread's record when this returns. */
  readonly react: (event: OrchestrationEvent) => Effect.Effect<void>
  /** Takes note of what is committed. */
  readonly note: (event: ThreadEvent) => void
  /** Starts the agent as if somebody had asked for it. */
  readonly start: Effect.Effect<void>
  /** Starts the agent again after it ended by itself, in its time, and until it has ended too often. Leaves that to a turn, if one waits. */
  readonly revive: Effect.Effect<void>
  /** Runs the turn that is next to its end; does nothing where it is not the next any more by the time that the agent is there for it. */
  readonly runTurn: (turnId: TurnId) => Effect.Effect<void>
  /**
   * Gives a prompt to the agent in the middle of its turn. Where that does not take it, it makes way for this one. Returns when the
   * prompt is settled, or the agent is at work on it: then another may come between.
   */
  readonly interject: (turnId: TurnId) => Effect.Effect<void>
  /** Ends the agent; returns when the log has taken in that it and its turn have ended. What waits is left. */
  readonly end: Effect.Effect<void>
}

/** A turn on its way to the agent, and whether a person stopped the session since: then no agent is started for it. */
interface Run {
  readonly turnId: TurnId
  stopped: boolean
}

/** How long what was emitted may take to arrive in the log before we say that it does not come. */
const arrival = "30 seconds"

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread
): Effect.fn.Return<ProviderCommandReactor, never, ProviderService | ProviderCatalog> {
  const provider = yield* ProviderService
  const catalog = yield* ProviderCatalog
  const { append, threadId, until } = thread
  const restarts = SessionRestarts.make(thread)
  /** Starting, stopping and setting happen one after the other, in the order in which they were asked for. */
  const inSessionLane = Semaphore.withPermit(yield* Semaphore.make(1))
  /** The turn that the adapter has been given: from here on Stop is the adapter's to carry out. */
  let handedOver: TurnId | undefined
  /** The agent is given one prompt after the other. */
  const inTurnLane = Semaphore.withPermit(yield* Semaphore.make(1))
  /** The turns that are being run. */
  const runs = new Set<Run>()
  /** How often a person stopped the session. */
  let stops = 0
  /** What was chosen last and not refused, for each setting that was changed. */
  const accepted = new Map<string, SettingValue | undefined>()

  const turnOf = (head: ThreadHead, turnId: TurnId): TurnView | undefined =>
    head.turns.find((turn) => turn.turnId === turnId)
  const isOver = (turnId: TurnId) => (head: ThreadHead) => {
    const turn = turnOf(head, turnId)
    return turn === undefined || hasEnded(turn.status)
  }
  const isClosed = (requestId: RequestId) => (head: ThreadHead) =>
    !head.requests.some(({ request }) => request.requestId === requestId)

  const failTurn = (turnId: TurnId, problem: Problem) =>
    append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.failed", turnId, problem }]))

  /**
   * Starts the agent unless it runs, somebody stopped it since this was asked for, or, by the time that it is its turn, nobody
   * needs it any more. Returns when the log has taken in that it runs, and what it told of its past.
   */
  const ensureSession = Effect.fn("ProviderCommandReactor.ensureSession")(function* (
    isWanted: () => boolean,
    isNeeded: (head: ThreadHead) => boolean = () => true
  ) {
    if (!isWanted() || !isNeeded(thread.head()) || (yield* provider.hasSession(threadId))) return
    yield* append((head) => (head.session.state === "starting" ? [] : [{ type: "session.start.requested" }]))
    // While it waits for others to start, nobody may come to need it: then it does not start.
    const noUse = (head: ThreadHead) =>
      head.session.waiting !== undefined && !isNeeded(head) && TurnQueue.next(head) === undefined
    yield* startSession.pipe(
      Effect.raceFirst(
        until(noUse).pipe(
          Effect.andThen(provider.stopSession(threadId)),
          Effect.andThen(Effect.suspend(() => Effect.fail(takenBack(thread.head()))))
        )
      ),
      Effect.tapError(() => restarts.failed),
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

  const notes = yield* StartNotes.make(thread)

  const startSession = Effect.gen(function* () {
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

  /** On record before the agent sees it: whatever happens next, it is not sent again. Says whether it still `isDue`. */
  const dispatch = Effect.fn("ProviderCommandReactor.dispatch")(
    (turnId: TurnId, isDue: (head: ThreadHead) => boolean) =>
      append((head) => (isDue(head) ? [{ type: "turn.dispatched", turnId }] : []))
  )

  /** Gives the prompt to the agent, unless Stop was pressed before, on the turn or the session. */
  const handOver = Effect.fn("ProviderCommandReactor.handOver")(({
    stopped,
    turnId
  }: Run): Effect.Effect<void, ProviderError> => {
    const turn = turnOf(thread.head(), turnId)
    if (turn !== undefined && stopped) return Effect.asVoid(failTurn(turnId, notSent))
    if (turn?.status !== "sent")
      return Effect.asVoid(append((head) => (isOver(turnId)(head) ? [] : [{ type: "turn.withdrawn", turnId }])))
    handedOver = turnId
    return provider.sendTurn(threadId, { turnId, prompt: turn.prompt }).pipe(
      // An end that is on record is an end, even if the adapter does not come back from it.
      Effect.raceFirst(Effect.andThen(until(isOver(turnId)), Effect.sleep("5 seconds"))),
      Effect.ensuring(Effect.sync(() => (handedOver = undefined)))
    )
  })

  /** Hands over what is dispatched, and sees the turn to its end. */
  const deliver = Effect.fnUntraced(function* (run: Run) {
    const { turnId } = run
    yield* handOver(run).pipe(
      // The agent went away unnoticed and never saw the prompt, so this is no second sending.
      Effect.catchIf(isSessionGone, () => Effect.andThen(sessionFor(run), handOver(run)))
    )
    const ended = yield* Effect.timeoutOption(until(isOver(turnId)), arrival)
    if (Option.isNone(ended)) yield* failTurn(turnId, endless(thread.head()))
  })

  const sessionFor = (run: Run) =>
    ensureSession(
      () => !run.stopped,
      (head) => !isOver(run.turnId)(head)
    )

  /** A turn that waited when its agent ended by itself does not hurry the next agent. */
  const afterCrash = Effect.fnUntraced(function* (turnId: TurnId) {
    if (yield* provider.hasSession(threadId)) return
    // The end of an agent that is gone may still be on its way.
    yield* Effect.timeoutOption(
      until(({ session }) => session.state !== "ready"),
      "1 second"
    )
    const crashedAt = restarts.crashedAt()
    const turn = turnOf(thread.head(), turnId)
    if (turn && crashedAt !== undefined && turn.queuedAt < crashedAt) yield* restarts.whenDue(isOver(turnId))
  })

  const runTurn = Effect.fn("ProviderCommandReactor.runTurn")(function* (run: Run) {
    const { turnId } = run
    yield* afterCrash(turnId)
    if (isOver(turnId)(thread.head())) return
    const started = yield* Effect.exit(sessionFor(run))
    if (Exit.isFailure(started)) {
      const problem = problemOf(started.cause)
      yield* append((head) =>
        isOver(turnId)(head) ? startFailed(head, problem) : [{ type: "turn.failed", turnId, problem }]
      )
      return
    }
    if (run.stopped) return yield* Effect.asVoid(failTurn(turnId, notSent))
    // It may be held by now, or another may have been put before it.
    if (yield* dispatch(turnId, (head) => TurnQueue.next(head)?.turnId === turnId)) yield* deliver(run)
  }, inTurnLane)

  const interrupt = Effect.fn("ProviderCommandReactor.interrupt")(function* (turnId: TurnId) {
    while (!isOver(turnId)(thread.head())) {
      const stopped = handedOver === turnId ? yield* Effect.exit(provider.interruptTurn(threadId, turnId)) : Exit.void
      // A turn that the adapter has only just been given may not be one to it yet: then Stop is repeated.
      const ended = yield* Effect.timeoutOption(until(isOver(turnId)), "1 second")
      // Also where the thread was removed: its turn ends no more.
      if (Option.isSome(ended)) return
      if (Exit.isFailure(stopped) && handedOver === turnId) yield* failTurn(turnId, problemOf(stopped.cause))
    }
  })

  const interject = Effect.fn("ProviderCommandReactor.interject")(function* (run: Run) {
    const { turnId } = run
    let into: TurnId | undefined
    const isDue = (head: ThreadHead) => {
      const due = Interjection.next(head)
      into = due?.turn.turnId === turnId ? due.into.turnId : undefined
      return into !== undefined
    }
    const dispatched = yield* dispatch(turnId, isDue)
    const turn = turnOf(thread.head(), turnId)
    if (!dispatched || into === undefined || turn === undefined) return
    const running = into
    if ((yield* provider.steer(threadId, { turnId, into, prompt: turn.prompt })) === "taken") {
      yield* append((head) =>
        isOver(turnId)(head) ? [] : [{ type: "turn.steered", turnId, way: "agent", into: running }]
      )
      return
    }
    // Its end may be on its way.
    yield* Effect.timeoutOption(until(isOver(running)), "1 second")
    const isSent = (head: ThreadHead) => turnOf(head, turnId)?.status === "sent"
    if (yield* append((head) => (isSent(head) ? Interjection.makeWay(head, turnId) : []))) yield* interrupt(running)
    // One that was stopped meanwhile need not wait for the turn before it.
    yield* isSent(thread.head()) ? inTurnLane(deliver(run)) : handOver(run)
  })

  const expire = (requestId: RequestId, problem: Problem) =>
    // A request that ended by itself meanwhile has its own end on the way.
    Effect.timeoutOption(until(isClosed(requestId)), "1 second").pipe(
      Effect.andThen(
        append((head) =>
          isClosed(requestId)(head)
            ? []
            : [{ type: "request.expired", requestId, reason: `${problem.title} ${problem.cause}` }]
        )
      )
    )

  const respond = Effect.fn("ProviderCommandReactor.respond")(({ client, requestId, response }: Answered) =>
    provider.respondToRequest(threadId, requestId, response, client).pipe(
      // Its change is on the way, and opens the request again.
      reporting((problem) => (problem.code === "request-changed" ? Effect.void : expire(requestId, problem)))
    )
  )

  const start = (isWanted: () => boolean) =>
    ensureSession(isWanted).pipe(
      Effect.andThen(append((head) => (isWanted() ? [] : startFailed(head, stoppedMeanwhile(head))))),
      Effect.asVoid,
      reporting((problem) => append((head) => startFailed(head, problem)))
    )

  /** Not in the lane: what holds it up may be what the session is stopped for. */
  const stop = Effect.fn("ProviderCommandReactor.stop")(() => provider.stopSession(threadId))

  const noteStop = (): void => {
    stops += 1
    for (const run of runs) run.stopped = true
  }

  const configure = ({ previous, settingId, value }: SettingRequested) => {
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

  const startNow = () => {
    const asked = stops
    return start(() => stops === asked)
  }

  const keepUp = Effect.gen(function* () {
    const asked = stops
    const isMoot = (head: ThreadHead) =>
      stops !== asked || TurnQueue.next(head) !== undefined || ThreadProjection.runningTurn(head) !== undefined
    while (!(yield* provider.hasSession(threadId)) && !isMoot(thread.head())) {
      yield* restarts.whenDue(isMoot)
      if (isMoot(thread.head()) || thread.head().session.state !== "exited") return
      yield* start(() => stops === asked)
    }
  }).pipe(reporting((problem) => append(() => [{ type: "session.start.failed", problem }])))

  let reviving = false
  /** One at a time: who starts an agent again also sees it end meanwhile. */
  const revive = Effect.suspend(() => {
    if (reviving) return Effect.void
    reviving = true
    return Effect.ensuring(
      keepUp,
      Effect.sync(() => (reviving = false))
    )
  })

  const react = (event: OrchestrationEvent): Effect.Effect<void> => {
    if (event.type === "turn.interrupt.requested") return interrupt(event.turnId)
    if (event.type === "request.answered") return respond(event)
    if (event.type === "setting.requested") return configure(event)
    if (event.type === "session.start.requested") return startNow()
    if (event.type === "session.stop.requested") return stop()
    return Effect.void
  }

  const running = (turnId: TurnId, through: (run: Run) => Effect.Effect<void, ProviderError>) =>
    Effect.suspend(() => {
      const run: Run = { turnId, stopped: false }
      runs.add(run)
      return through(run).pipe(
        reporting((problem) => failTurn(turnId, problem)),
        Effect.ensuring(Effect.sync(() => runs.delete(run)))
      )
    })

  const isIdle = ({ session, turns }: ThreadHead): boolean =>
    session.state !== "starting" && session.state !== "ready" && !turns.some(({ status }) => isRunning(status))

  return {
    react,
    note: (event) => {
      if (event.type === "session.stop.requested") noteStop()
      restarts.note(event)
    },
    start: Effect.andThen(
      append(({ session }) => (session.state === "starting" ? [] : [{ type: "session.start.requested" }])),
      Effect.suspend(startNow)
    ),
    revive,
    end: Effect.gen(function* () {
      noteStop()
      // An agent that is just about to be started is not there to be stopped yet: then it is tried again.
      do yield* stop()
      while (Option.isNone(yield* Effect.timeoutOption(until(isIdle), "250 millis")))
    }),
    runTurn: (turnId) => running(turnId, runTurn),
    interject: Effect.fnUntraced(function* (turnId) {
      const over = yield* Deferred.make<void>()
      const isAtWork = (head: ThreadHead) => {
        const status = turnOf(head, turnId)?.status
        return status === "working" || status === "waiting"
      }
      yield* thread.fork(Effect.ensuring(running(turnId, interject), Deferred.succeed(over, undefined)))
      yield* Effect.raceFirst(Deferred.await(over), until(isAtWork))
    })
  }
})

/** Hands every failure, defects included, to `report`. Being interrupted is none: the server ends. */
const reporting =
  (report: (problem: Problem) => Effect.Effect<unknown>) =>
  <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
    Effect.catchCause(effect, (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.asVoid(report(problemOf(cause)))
    )

/** Of a prompt that did not reach the agent: there is no session that takes it. */
const isSessionGone = ({ problem: { code } }: ProviderError): boolean =>
  code === "session-not-found" || code === "agent-output-closed"

/** A start that a turn or a command was waiting for; nothing if it has been settled already. */
const startFailed = (head: ThreadHead, problem: Problem): ReadonlyArray<Report> =>
  head.session.state === "starting" ? [{ type: "session.start.failed", problem }] : []

/** The options of the agent on this machine, and over them those of the thread. */
const overlay = (machine: ProviderOptions, thread: ProviderOptions): ProviderOptions => {
  const acp = thread.acp ?? machine.acp
  const cursor = machine.cursor || thread.cursor ? { ...machine.cursor, ...thread.cursor } : undefined
  return { ...(cursor && { cursor }), ...(acp && { acp }) }
}
