/**
 * Plays a recording at a desk: the same events in the same order, each at its recorded time of day, without the pauses.
 * The agent is asked at the same points, and each answer is waited for.
 */
import type { Lines } from "@signalbox/acp/Positions"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ProviderError } from "../../base/ProviderError.ts"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import type { LineOf } from "../../recording/Recording.ts"
import { type Numbered, type Overview, read, RecordingFault } from "../../recording/RecordingReader.ts"
import type { Answer, Match, ReplayScore } from "./ReplayScore.ts"

/** A question that both agents were asked. */
export interface PlayedQuestion {
  /** The line of the recording. */
  readonly line: number
  readonly asked: LineOf<"asked">
  readonly recorded: Answer
  readonly replayed: Answer
  /** Undefined if one of them has not answered. */
  readonly match: Match | undefined
}

export interface Options<E> {
  readonly desk: SuggestionDesk
  readonly score: ReplayScore
  /** Takes the text of a file that was not open. */
  readonly onRead: (line: LineOf<"read">) => void
  /** Runs before each question. */
  readonly onAsk: Effect.Effect<void>
  readonly onAnswered: (question: PlayedQuestion) => Effect.Effect<void, E>
}

/** A question whose recorded answer comes further down. */
interface Pending {
  readonly line: number
  readonly asked: LineOf<"asked">
  readonly replayed: Answer
  /** The texts that both agents had. */
  readonly texts: ReadonlyMap<string, Lines>
}

/** Failures in a row after which the agent is not asked any more. */
const mostFailures = 5

/** Plays to the end of the recording. Fails when the agent has gone, or answers nothing any more. */
export const play = Effect.fn("ReplayPlayer.play")(function* <E>(
  overview: Overview,
  { desk, onAnswered, onAsk, onRead, score }: Options<E>
): Effect.fn.Return<void, E | ProviderError | RecordingFault> {
  const clock = yield* Clock.Clock
  let pending: Pending | undefined
  let failures = 0
  /** The process that was asked last. */
  let asked: ReturnType<SuggestionDesk["agent"]>

  const ask = Effect.fnUntraced(function* (line: number, recorded: LineOf<"asked">) {
    const { position, selection, trigger, uri, version } = recorded
    const document = desk.get(uri)
    if (document === undefined || (document.version !== version && document.withheld === undefined))
      return yield* unfitting(overview, line)
    // Another process would know less than this one did.
    if (asked !== undefined && desk.agent() !== asked) return yield* gone(desk)
    const texts = new Map(desk.all().map((one) => [one.uri, one.lines]))
    yield* onAsk
    const question = { uri, position, trigger, isAtOnce: true, ...(selection !== undefined && { selection }) }
    const replayed = yield* desk.suggest(question).pipe(
      Effect.map((answer): Answer => {
        failures = 0
        if (answer.type !== "suggestions") return { type: answer.type === "withheld" ? "withheld" : "failed" }
        score.refused("replayed", answer.dropped.length)
        return { type: "answered", suggestions: answer.suggestions, latencyMs: answer.latencyMs }
      }),
      Effect.catchTag("ProviderError", (error): Effect.Effect<Answer, ProviderError> => {
        failures += 1
        const isOver = failures >= mostFailures || desk.agent() === undefined || !isAboutOneQuestion(error)
        return isOver ? Effect.fail(error) : Effect.succeed({ type: "failed" })
      })
    )
    asked = desk.agent()
    pending = { line, asked: recorded, replayed, texts }
  })

  /** Compares the answers to the question that is open. */
  const settle = Effect.fnUntraced(function* (recorded: Answer) {
    if (pending === undefined) return
    const { asked, line, replayed, texts } = pending
    pending = undefined
    const match = score.add(recorded, replayed, texts)
    yield* onAnswered({ line, asked, recorded, replayed, match })
  })
  const isOpen = (question: number) => pending?.asked.question === question

  const ended = ({ end, id }: LineOf<"ended">): Effect.Effect<unknown> => {
    const same = score.ended(id, end)
    if (same === undefined) return Effect.void
    return end === "accepted" ? desk.accept(same) : desk.reject(same, end)
  }

  const step = ({ line, number }: Numbered) => {
    const at = <A, E>(event: Effect.Effect<A, E>) =>
      Effect.provideService(event, Clock.Clock, timeOfDay(clock, line.at))
    switch (line.type) {
      case "opened": {
        const { languageId, text, uri, version } = line
        return at(desk.open({ uri, languageId, version, text }))
      }
      case "changed":
        return at(desk.change({ uri: line.uri, version: line.version, changes: line.changes }))
      case "closed":
        return at(desk.close({ uri: line.uri }))
      case "saved":
        return at(desk.save({ uri: line.uri }))
      case "focused":
        return at(desk.focus({ uri: line.uri, position: line.position, visibleRange: line.visibleRange }))
      case "diagnosed":
        return desk.diagnose({ uri: line.uri }, line.diagnostics)
      case "read":
        return Effect.sync(() => onRead(line))
      case "asked":
        // The outcome of the one before was never written, where whoever wrote was killed.
        return Effect.andThen(settle({ type: "overtaken" }), ask(number, line))
      case "answered":
        score.refused("recorded", line.refused)
        return isOpen(line.question)
          ? settle({ type: "answered", suggestions: line.suggestions, latencyMs: line.latencyMs })
          : Effect.void
      case "unanswered":
        return isOpen(line.question) ? settle({ type: line.why }) : Effect.void
      case "ended":
        return ended(line)
      case "left":
        asked = undefined
        return desk.rest
      case "recording":
      case "started":
      case "over":
        return Effect.void
    }
  }

  const played = read(overview).pipe(
    Stream.runForEach((one) =>
      Effect.catchTag(Effect.asVoid(step(one)), "DocumentRefused", () => unfitting(overview, one.number))
    ),
    Effect.andThen(Effect.suspend(() => settle({ type: "overtaken" })))
  )
  yield* Effect.raceFirst(played, gone(desk))
})

/** Fails when the agent has ended by itself, also where nobody asks. */
const gone = ({ states }: SuggestionDesk): Effect.Effect<never, ProviderError> =>
  states.pipe(
    Stream.map(({ agent, doing }) =>
      agent === undefined && doing.type === "failed" ? Option.some(doing.problem) : Option.none()
    ),
    Stream.flatMap(Option.match({ onNone: () => Stream.empty, onSome: Stream.make })),
    Stream.runHead,
    Effect.flatMap(
      Option.match({ onNone: () => Effect.never, onSome: (problem) => Effect.fail(new ProviderError({ problem })) })
    )
  )

/** Whether the agent may well answer the next question. */
const isAboutOneQuestion = ({ problem: { code } }: ProviderError): boolean =>
  code === "request-failed" || code === "agent-reported-error" || code === "timed-out" || code === "protocol-violation"

const unfitting = ({ path }: Overview, line: number) =>
  Effect.fail(new RecordingFault({ path, message: `Line ${line} does not fit what stands before it.` }))

/** A clock with another time of day. Sleeps and timeouts last as in real time. */
const timeOfDay = (real: Clock.Clock, at: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => at,
  currentTimeMillis: Effect.succeed(at),
  currentTimeNanosUnsafe: () => BigInt(Math.round(at)) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(Math.round(at)) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: real.monotonicTimeNanos,
  sleep: (duration) => real.sleep(duration)
})
