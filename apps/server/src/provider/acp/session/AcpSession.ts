/** One session of one agent process, with the operations that its adapter needs. */
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { AgentSessionChange, AgentSessionChanged } from "@signalbox/contracts/AgentSession"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { ProviderSession, StartSession, Steering as Interjection } from "../../Services/ProviderAdapter.ts"
import { ProviderError } from "../../../base/ProviderError.ts"
import { callTimeout } from "../connection/TimeoutProblems.ts"
import { failureProblem } from "../connection/AgentProblems.ts"
import type { AgentVisit } from "../visits/AgentVisit.ts"
import * as Cancellation from "./Cancellation.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import * as ProblemSecrets from "../connection/ProblemSecrets.ts"
import * as IdleEnd from "./IdleEnd.ts"
import * as SessionChange from "./SessionChange.ts"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionOver from "./SessionOver.ts"
import * as SessionStart from "./SessionStart.ts"
import * as SessionStop from "./SessionStop.ts"
import * as SettingChange from "./SettingChange.ts"
import * as Steering from "./Steering.ts"
import * as Turn from "./Turn.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EventSink from "../projection/EventSink.ts"

export interface AcpSession {
  readonly session: ProviderSession
  /** Whether the session still accepts calls. */
  readonly isLive: () => boolean
  /** Fails with the reason why the session accepts no calls. Used only after `isLive` is false. */
  readonly unavailable: Effect.Effect<never, ProviderError>
  /** Whether the session is idle and its last turn failed because a sign-in is missing. */
  readonly wantsLogin: () => boolean
  readonly prompt: (turn: {
    readonly turnId: TurnId
    readonly prompt: ReadonlyArray<PromptPart>
  }) => Effect.Effect<void, ProviderError>
  readonly steer: (steering: Interjection) => Effect.Effect<"taken" | "not-taken", ProviderError>
  /** Stops the turn. Returns `stuck` if the agent does not stop it; then only `escalate` helps. */
  readonly interrupt: (turnId: TurnId) => Effect.Effect<"ended" | "stuck">
  readonly escalate: Effect.Effect<void>
  readonly respond: OpenRequests["respond"]
  /** Chooses who answers requests until the session ends; undefined: as the settings say. Open requests may be answered by it. */
  readonly setProfile: (profile: PermissionProfile | undefined) => void
  readonly setSetting: (settingId: string, value: SettingValue) => Effect.Effect<void, ProviderError>
  /** Changes the session in the agent's own storage. */
  readonly change: (change: AgentSessionChange) => Effect.Effect<AgentSessionChanged, ProviderError>
  readonly view: () => Pick<ThreadView, "items" | "turns">
  /** Shows a problem of the session, even after its end. */
  readonly report: (problem: Problem) => void
  /** The input for a process that resumes this session at its present state. */
  readonly continuation: () => StartSession
  readonly stop: Effect.Effect<void>
  /** Completes when the session's end was emitted, for any cause. */
  readonly gone: Effect.Effect<void>
}

export const start = Effect.fn("AcpSession.start")(function* (
  input: StartSession,
  dependencies: SessionStart.Dependencies
): Effect.fn.Return<AcpSession, ProviderError, Scope.Scope> {
  const { core, origin, settable } = yield* SessionStart.start(input, dependencies)
  const { emission, memory, projection, secrets, status } = core
  const safely = <A>(call: Effect.Effect<A, ProviderError>) =>
    Effect.mapError(call, (error) => ProblemSecrets.withoutError(secrets, error))
  // Only one change runs at a time: with two, it is uncertain which response has the latest settings.
  const changing = yield* Semaphore.make(1)

  yield* IdleEnd.tooLong(core, dependencies.idleLimit).pipe(
    Effect.flatMap((idle) =>
      Effect.suspend(() => {
        emission.emit((projection) => Warnings.note(projection, IdleEnd.words(idle)))
        return SessionStop.stop(core)
      })
    ),
    Effect.forkScoped
  )

  return {
    session: {
      providerSessionId: core.providerSessionId,
      threadId: input.threadId,
      provider: input.provider,
      resumeToken: core.resumeToken,
      origin
    },
    isLive: () => !SessionPhase.isOver(status.phase),
    unavailable: SessionOver.unavailable(core),
    wantsLogin: () => status.phase === "refused" && status.turn === undefined,
    prompt: (turn) =>
      safely(Effect.suspend(() => (status.phase === "lost" ? SessionStop.leave(core) : Turn.prompt(core, turn)))),
    steer: (steering) => safely(Steering.steer(core, steering)),
    interrupt: (turnId) => Cancellation.interrupt(core, turnId),
    escalate: Cancellation.escalate(core),
    respond: core.requests.respond,
    setProfile: (chosen) => {
      status.profile = chosen
      core.requests.judgeAgain()
    },
    setSetting: (settingId, value) =>
      safely(changing.withPermits(1)(SettingChange.set(core, settable, settingId, value))),
    change: (change) => safely(changed(core, change)),
    view: core.record.view,
    report: (problem) => emission.emit(({ sink }) => EventSink.push(sink, { type: "runtime.error", problem })),
    continuation: () => {
      const { from: _, ...rest } = input
      const since = memory.prompts.slice(input.knownPrompts.length)
      const knownPrompts = [...input.knownPrompts, ...projection.replayed, ...since]
      return { ...rest, resume: core.resumeToken, knownPrompts, settings: memory.settings }
    },
    stop: SessionStop.stop(core),
    gone: Deferred.await(core.gone)
  }
})

const changeLimit = Duration.seconds(30)

const changed = (core: SessionCore, change: AgentSessionChange): Effect.Effect<AgentSessionChanged, ProviderError> =>
  Effect.suspend(() => {
    const { client, process, profile, resumeToken, status } = core
    if (SessionPhase.isOver(status.phase)) return SessionOver.unavailable(core)
    const ask: AgentVisit["ask"] = (method, call) =>
      call.pipe(
        Effect.mapError((failure) => new ProviderError({ problem: failureProblem(profile, method, failure) })),
        Effect.timeoutOrElse({
          duration: changeLimit,
          orElse: () =>
            Effect.fail(
              callTimeout(profile, method, Duration.toSeconds(changeLimit), { ...process.stderr(), stray: [] })
            )
        })
      )
    return SessionChange.change({ ask, client }, resumeToken, change)
  })
