/**
 * Replays a tape through real adapters. The tape player acts as the agent, and the recorded acts of people are
 * repeated.
 */
import { type AgentRequest, optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import { ResumeToken, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { statSync } from "node:fs"
import type { StartSession } from "../provider/Services/ProviderAdapter.ts"
import type { ProviderAdapterRegistry } from "../provider/Services/ProviderAdapterRegistry.ts"
import type { ProviderError } from "../base/ProviderError.ts"
import * as Audience from "./Audience.ts"
import type { Act } from "./PeoplesPart.ts"
import type { Heard, RecordedRun } from "./RecordedRun.ts"
import type { Cue, Scene, Stage } from "./Stage.ts"
import type { TapeClock } from "./TapeClock.ts"

/** How the replay of a process ended. */
export type Ending =
  /** It ended like the recording. */
  | { readonly type: "played" }
  /** The tape does not say how the process ended. */
  | { readonly type: "short"; readonly reason: string }
  /** The session did not start. `onTape`: whether it started in the recording. */
  | { readonly type: "unstarted"; readonly problem: Problem; readonly onTape: boolean }
  /** The client sent another message than in the recording. */
  | { readonly type: "diverged"; readonly expected: Heard | undefined; readonly said: string }
  /** The client sent nothing. */
  | { readonly type: "silent"; readonly expected: Heard | undefined }
  /** The adapter refused a recorded act of people. */
  | { readonly type: "refused"; readonly heard: Heard; readonly problem: Problem }
  /** The session ended before the tape did. */
  | { readonly type: "early" }

/** Whether the following processes of the tape can be replayed after this ending. */
const isWhole = ({ type }: Ending): boolean => type === "played" || type === "short" || type === "unstarted"

export interface Options {
  readonly stage: Stage
  readonly clock: TapeClock
  readonly adapters: ProviderAdapterRegistry["Service"]
  readonly tell: Audience.Tell
  /** Called before and after each process. */
  readonly onBegin?: (run: RecordedRun) => void
  readonly onEnd?: (run: RecordedRun, ending: Ending) => void
  /** An existing folder, for sessions whose recorded folder is not on this machine. */
  readonly folder: string
  /** The longest wait for the client's next recorded message, in real time. */
  readonly patience: Duration.Input
}

/** Replays all processes of the tape, up to the first one that differs from its recording. */
export const replay = Effect.fn("Replay")(function* (options: Options): Effect.fn.Return<void, never, Scope.Scope> {
  const { adapters, onBegin, onEnd, stage, tell } = options
  const audience = yield* Audience.watch(adapters.all, stage, tell)
  const turns = { count: 0 }
  for (const scene of stage.scenes) {
    onBegin?.(scene.run)
    const ending = yield* Effect.scoped(play(scene, audience, turns, options))
    onEnd?.(scene.run, ending)
    if (!isWhole(ending)) return
  }
})

/** Milliseconds that the client's clock may have been ahead of the tape's clock. */
const early = 20

const play = Effect.fnUntraced(function* (
  scene: Scene,
  audience: Audience.Audience,
  turns: { count: number },
  { adapters, clock, folder, patience }: Options
): Effect.fn.Return<Ending, never, Scope.Scope> {
  const { cues, run } = scene
  const { threadId } = run
  const adapter = adapters.get(run.provider.kind)
  /** Runs an effect of the adapter with the tape's clock. */
  const then = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, Clock.Clock, clock.clock)
  const inBackground = <A>(effect: Effect.Effect<A, ProviderError>, failed: (problem: Problem) => Cue) =>
    then(effect).pipe(
      Effect.catchTag("ProviderError", ({ problem }) => Queue.offer(cues, failed(problem))),
      Effect.forkScoped({ startImmediately: true })
    )
  const stop = Effect.suspend(() => {
    clock.run()
    return then(adapter.stopSession(threadId))
  })

  let running = false
  let count = 0
  let turn: { readonly turnId: TurnId; cancelled: boolean } | undefined
  let expected: Heard | "end" | undefined

  yield* inBackground(
    Effect.andThen(
      adapter.startSession(inputOf(run, folder)),
      Queue.offer(cues, { type: "started", problem: undefined })
    ),
    (problem) => ({ type: "started", problem })
  )

  /** Waits until requests are shown. Preparing them takes real time, but no time on the tape. */
  const shown = (asked: number) =>
    asked === 0 ? Effect.void : Effect.timeoutOption(audience.request(scene, asked - 1), patience)

  /** Repeats the recorded act of a person. For a message that the client sends by itself, it only moves the clock. */
  const perform = (heard: Heard, act: Act | undefined) => {
    const refused = (problem: Problem): Cue => ({ type: "refused", heard, problem })
    clock.moveTo(heard.at, act === undefined ? early : 0)
    switch (act?.type) {
      case "prompt": {
        turns.count += 1
        const turnId = TurnId.make(`turn-${turns.count}`)
        turn = { turnId, cancelled: false }
        return inBackground(adapter.sendTurn(threadId, { turnId, prompt: act.prompt }), refused)
      }
      case "steer": {
        if (turn === undefined) return Effect.void
        turns.count += 1
        const steering = { turnId: TurnId.make(`turn-${turns.count}`), into: turn.turnId, prompt: act.prompt }
        // A failure is ignored: the recording doesn't always show whether the agent took it.
        return inBackground(Effect.ignore(adapter.steer(threadId, steering)), refused)
      }
      case "cancel": {
        if (turn === undefined || turn.cancelled) {
          clock.moveTo(heard.at, early)
          return Effect.void
        }
        turn.cancelled = true
        return inBackground(adapter.interruptTurn(threadId, turn.turnId), refused)
      }
      case "answer": {
        const { request, response } = act
        const answer = Effect.flatMap(audience.request(scene, request), (asked) =>
          adapter.respondToRequest(threadId, asked.requestId, asAsked(asked, response))
        )
        return inBackground(answer, refused)
      }
      case "setting":
        return inBackground(adapter.setSetting(threadId, act.settingId, act.value), refused)
      case undefined:
        return Effect.void
    }
  }

  for (;;) {
    const next = Queue.take(cues)
    const cue = Option.getOrUndefined(
      yield* expected === undefined ? Effect.asSome(next) : Effect.timeoutOption(next, patience)
    )
    if (cue === undefined) {
      yield* stop
      return { type: "silent", expected: expected === "end" ? undefined : expected }
    }
    switch (cue.type) {
      case "started":
        if (cue.problem !== undefined)
          return { type: "unstarted", problem: cue.problem, onTape: count < run.heard.size }
        running = true
        // The start did not send this message by itself, so a person caused it.
        if (expected !== undefined && expected !== "end") yield* perform(expected, expected.act)
        break
      case "due":
        if (cue.heard.number < count) break
        yield* shown(cue.heard.asked)
        expected = cue.heard
        if (running || cue.heard.act === undefined) yield* perform(cue.heard, cue.heard.act)
        else clock.moveTo(cue.heard.at, early)
        break
      case "heard":
        count = cue.count
        if (expected !== undefined && expected !== "end" && expected.number < count) expected = undefined
        break
      case "diverged":
        yield* stop
        return { type: "diverged", expected: cue.expected, said: cue.said }
      case "refused":
        yield* stop
        return { type: "refused", heard: cue.heard, problem: cue.problem }
      case "end": {
        expected = "end"
        yield* shown(run.asked)
        if (run.exit === undefined) {
          clock.moveTo(run.last.at + Audience.clearingUp)
          yield* stop
          return { type: "short", reason: run.fault?.reason ?? cutOff(run) }
        }
        clock.moveTo(run.last.at, early)
        if (run.exit.ended !== "itself" && run.exit.ended !== "stuck") yield* Effect.forkScoped(stop)
        else clock.run()
        break
      }
      case "exited": {
        // A process that was killed after its last cancel could not report the end of the tape.
        const ended = expected === "end" || (run.exit?.ended === "stuck" && count === run.heard.size)
        return { type: ended ? "played" : "early" }
      }
    }
  }
})

/** The recorded answer, applied to the request of this replay. */
const asAsked = (asked: AgentRequest, response: RequestResponse): RequestResponse =>
  asked.type === "approval" && response.type === "option" ? optionOf(asked, response.optionId) : response

const cutOff = ({ last }: RecordedRun): string =>
  `It ends after line ${last.place.line}, and not with the end of its session: it was cut off there, or the session still runs.`

const inputOf = (run: RecordedRun, folder: string): StartSession => {
  const { exit, knownPrompts, provider, start, threadId } = run
  return {
    threadId,
    provider,
    providerOptions: {},
    cwd: isFolder(start.cwd) ? start.cwd : folder,
    ...(start.resume !== undefined && { resume: ResumeToken.make(start.resume) }),
    ...(start.from !== undefined && { from: start.from }),
    ...(start.additionalDirectories !== undefined && { additionalDirectories: start.additionalDirectories }),
    ...(exit?.seal !== undefined && { seal: exit.seal }),
    knownPrompts,
    settings: start.settings ?? {}
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
