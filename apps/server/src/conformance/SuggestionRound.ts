/** The questions for suggestions that most probes look at: asked once, in one session whose document changes. */
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type { RejectReason, Suggestion } from "@signalbox/acp/NesSchema"
import type { PositionEncoding } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { mostSuggestions } from "../editing/SuggestionCheck.ts"
import { type Liveness, liveness } from "./Liveness.ts"
import { listIn } from "./Messages.ts"
import type { Greeted } from "./OpenSession.ts"
import type { Processes } from "./Processes.ts"
import type { Editor, Question } from "./SuggestionEditor.ts"
import * as Sample from "./SuggestionSample.ts"
import type { Answer } from "./Wire.ts"

export interface Round {
  readonly encoding: PositionEncoding
  /** A question after the first change of the document. */
  readonly first: Question
  /** A question after the document became shorter, if the agent got so far. */
  readonly changed?: Question
  /** A question without any context, if the agent got so far. */
  readonly bare?: Question
  /** How the suggestions of the first answer ended, if there were any, and whether the agent lives on. */
  readonly ended?: { readonly accepted: number; readonly rejected: number; readonly state: Liveness }
  /** A question that was cancelled at once, and whether the agent lives on. */
  readonly cancelled?: { readonly answer: Answer; readonly state: Liveness }
}

/** Whether the agent left the first question open. It is not asked once more then. */
export const isSilent = ({ first }: Round): boolean => first.answer.type === "silence"

/** Whether the agent does not answer any more after the round. */
export const hasStopped = ({ cancelled, ended }: Round): boolean =>
  [cancelled, ended].some((step) => step !== undefined && step.state !== "lives")

const reasons: ReadonlyArray<RejectReason> = ["rejected", "ignored", "replaced", "cancelled"]

/** Opens an editor. Its session ends with the scope. */
type Opened = Effect.Effect<Editor, RequestFailure, Scope.Scope>

const begun = Effect.fnUntraced(function* (opened: Opened) {
  const editor = yield* opened
  yield* editor.change(Sample.firstChange)
  const first = yield* editor.ask(Sample.typed, "automatic", yield* editor.context)
  return { editor, round: { encoding: editor.encoding, first } satisfies Round }
})

/** Asks one question. None if the agent starts no session. */
export const short = (opened: Opened): Effect.Effect<Option.Option<Round>> =>
  begun(opened).pipe(
    Effect.map(({ round }) => round),
    Effect.scoped,
    Effect.option
  )

/** Asks all questions. None if the agent starts no session. */
export const whole = (agent: Greeted, processes: Processes, opened: Opened): Effect.Effect<Option.Option<Round>> =>
  Effect.gen(function* () {
    const { editor, round } = yield* begun(opened)
    const { answer, shown } = round.first
    if (isSilent(round)) return { ...round, cancelled: yield* cancelled(agent, processes, round.first) }
    if (answer.type !== "result") return round
    const ended = yield* ending(agent, processes, editor, shown)
    if (ended !== undefined && ended.state !== "lives") return { ...round, ended }
    yield* editor.change(Sample.secondChange)
    const changed = yield* editor.ask(0, "manual", yield* editor.context)
    const bare = yield* editor.ask(0, "manual")
    const all = { ...round, ...(ended && { ended }), changed, bare }
    return bare.answer.type === "gone" ? all : { ...all, cancelled: yield* cancelled(agent, processes, bare) }
  }).pipe(Effect.scoped, Effect.option)

/** Accepts the first suggestion, and rejects the others with each reason in turn. */
const ending = Effect.fnUntraced(function* (
  agent: Greeted,
  processes: Processes,
  { accept, reject }: Editor,
  [first, ...others]: ReadonlyArray<Suggestion>
) {
  if (first === undefined) return undefined
  yield* accept(first)
  for (const [index, { id }] of others.entries()) yield* reject(id, reasons[index % reasons.length] ?? "rejected")
  return { accepted: 1, rejected: others.length, state: yield* liveness(agent, processes) }
})

/** Asks a question once more, and cancels it at once. What comes nevertheless is rejected. */
const cancelled = Effect.fnUntraced(function* (agent: Greeted, processes: Processes, { params }: Question) {
  const { wire } = agent
  const { answer: answerWithin, id } = yield* wire.begin("nes/suggest", params)
  yield* wire.notify("$/cancel_request", { requestId: id })
  const answer = yield* answerWithin(processes.limits().suggestion)
  const late = answer.type === "result" ? listIn(answer.result, "suggestions").slice(0, mostSuggestions) : []
  const sessionId = Predicate.isObject(params) ? params["sessionId"] : undefined
  for (const { id } of late) yield* wire.notify("nes/reject", { sessionId, id, reason: "cancelled" })
  return { answer, state: yield* liveness(agent, processes) }
})
