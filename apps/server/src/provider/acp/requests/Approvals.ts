/**
 * Approvals of calls. Each is bound to what its call would do. When that changes, the request is shown again, and
 * answers to its earlier form are refused.
 */
import { type AnsweringClient, optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { RuleRef } from "@signalbox/contracts/Judgement"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import * as AnswerCheck from "@signalbox/threads/AnswerCheck"
import * as Effect from "effect/Effect"
import * as AnswerWords from "../../../audit/AnswerWords.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import * as RequestFacts from "@signalbox/permission/RequestFacts"
import type * as RuleOffer from "@signalbox/permission/rules/RuleOffer"
import * as Judgements from "@signalbox/permission/rules/Judgements"
import * as Offers from "@signalbox/permission/rules/Offers"
import type { JudgedLook } from "@signalbox/permission/RequestLook"
import { refusal } from "../connection/AgentProblems.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import * as RequestBook from "./RequestBook.ts"
import * as RequestEvents from "./RequestEvents.ts"

/** An answer that people have given beforehand. */
export interface GivenAnswer {
  readonly optionId: string
  readonly by: "settings" | "rules"
  /** A sentence. */
  readonly why: string
  readonly rule?: RuleRef
  readonly profile?: PermissionProfile
  readonly until?: "session"
}

/** The decisions that a session makes about calls. */
export interface Judge {
  /** Whether the turn is being stopped: then new requests are cancelled at once. */
  readonly isCancelling: () => boolean
  /** What a call would do, as far as it is known. */
  readonly look: (
    tool: ToolCall,
    request: Pick<RequestBook.Approval, "requestId" | "onlyPeople">
  ) => Effect.Effect<JudgedLook>
  /** Uses up the rules that answer this one request. False if another request has used one: then it has to be looked at again. */
  readonly use: (request: RequestBook.Approval, look: JudgedLook) => Effect.Effect<boolean>
  /** The answer of the rules or the settings. Undefined if people are asked. */
  readonly decide: (request: RequestBook.Approval, look: JudgedLook) => GivenAnswer | undefined
  readonly likes: Likes
}

/** The answers of people to like requests. */
export interface Likes {
  /** A rule to offer for the call. */
  readonly offer: (look: JudgedLook) => RuleOffer.Offer | undefined
  /** A person has taken an option of this kind. */
  readonly add: (look: JudgedLook, kind: string) => void
}

/** Examines the call, until it stays unchanged during one look. */
export const lookAgain = (
  book: RequestBook.RequestBook,
  entry: RequestBook.OpenApproval,
  judge: Judge
): Effect.Effect<void> =>
  Effect.suspend(() => {
    entry.changed.closeUnsafe()
    const tool = entry.now()
    return Effect.flatMap(
      looked(entry, judge, tool, () => true),
      (look) => {
        if (!RequestBook.isOpen(book, entry)) return Effect.void
        if (!RequestFacts.isSameCall(tool, entry.now())) return lookAgain(book, entry, judge)
        takeIn(book, entry, judge, tool, look)
        if (RequestBook.isOpen(book, entry)) answerAsGiven(book, entry, judge, look)
        return Effect.void
      }
    )
  })

/**
 * Examines the call. Rules that will answer it are used up before: whatever happens next, they answer no other request.
 */
const looked = Effect.fnUntraced(function* (
  entry: RequestBook.OpenApproval,
  judge: Judge,
  tool: ToolCall,
  isForRules: (look: JudgedLook) => boolean
) {
  const { request } = entry
  for (;;) {
    const look = yield* judge.look(tool, request)
    const isDecided = !judge.isCancelling() && isForRules(look)
    if (!isDecided || (yield* judge.use(entry.request, look))) return look
  }
})

/** Takes the answer that people have given beforehand, if there is one by now. */
const answerAsGiven = (
  book: RequestBook.RequestBook,
  entry: RequestBook.OpenApproval,
  { decide }: Judge,
  look: JudgedLook
): void => {
  const given = decide(entry.request, look)
  if (given === undefined) return
  const { optionId, ...who } = given
  // What can't be recorded stays with people, who have been asked.
  RequestBook.answerByItself(book, entry, optionOf(entry.request, optionId), who, [])
}

/** Examines the call again whenever it has changed, or what people have said beforehand. */
export const watch = (
  book: RequestBook.RequestBook,
  entry: RequestBook.OpenApproval,
  judge: Judge
): Effect.Effect<never> => Effect.forever(Effect.andThen(entry.changed.await, lookAgain(book, entry, judge)))

/** Shows the request's present form if it differs from the shown one, and lets the rules and the settings decide. */
const takeIn = (
  book: RequestBook.RequestBook,
  entry: RequestBook.OpenApproval,
  { decide, isCancelling, likes }: Judge,
  tool: ToolCall,
  look: JudgedLook
): void => {
  const { consequences, limit } = book
  const { look: before, place, request } = entry
  const digest = RequestFacts.digestOf(look.facts)
  entry.look = look
  if (digest === request.digest) {
    entry.request = { ...request, tool }
    return
  }
  const { revision = 0 } = request
  if (revision >= maxRevisions) return RequestBook.settle(book, entry, { type: "expired", reason: restless })
  entry.request = putAnew(request, tool, digest, look, before, likes.offer(look))
  if (before === undefined && !limit.opens(entry.request, place)) return RequestBook.drop(book, entry)
  if (before !== undefined && !limit.changes(entry.request))
    return RequestBook.settle(book, entry, { type: "expired", reason: tooLarge })
  const told: EventDraft =
    before === undefined
      ? RequestEvents.requested(entry.request, place)
      : { type: "approval.changed", ...place, request: entry.request }
  entry.shown = true
  const given = decide(entry.request, look)
  // One batch has both the request and its end, so nobody can answer between them.
  if (isCancelling()) return RequestBook.settle(book, entry, { type: "cancelled" }, [told])
  if (given === undefined) return consequences.emit(told)
  const { optionId, ...who } = given
  const unrecorded = RequestBook.answerByItself(book, entry, optionOf(entry.request, optionId), who, [told])
  if (unrecorded !== undefined)
    consequences.emit(told, {
      type: "runtime.warning",
      ...place,
      message: "You are asked, since an answer without you could not be recorded.",
      detail: `${unrecorded.title} ${unrecorded.cause}`
    })
}

/** The request with the latest findings. `before`: the findings of the last look, if there was one. */
const putAnew = (
  request: RequestBook.Approval,
  tool: ToolCall,
  digest: string,
  { decision, facts, paths, profile, roots }: JudgedLook,
  before: RequestBook.OpenApproval["look"],
  offer: RuleOffer.Offer | undefined
): RequestBook.Approval => {
  const { links: _links, offers: _offers, revision = 0, suggestion: _suggestion, ...rest } = request
  const offers = Offers.of(decision)
  const leading = RequestFacts.linksOf({ folder: facts.folder, paths }, roots)
  return {
    ...rest,
    tool,
    digest,
    revision: before === undefined ? 0 : revision + 1,
    ...(before !== undefined && { changed: RequestFacts.changesBetween(before.facts, facts) }),
    ...(leading.length > 0 && { links: leading }),
    judgement: Judgements.of(decision, { folder: facts.folder, roots }),
    profile,
    ...(offers !== undefined && { offers }),
    ...(offer !== undefined && { suggestion: { ...offer, folder: roots[0] ?? facts.folder } })
  }
}

/**
 * Answers an approval. It follows the call's paths again, since a link may have changed while the person read.
 * `otherwise` answers if the request has ended in the meantime.
 */
export const respond = (
  book: RequestBook.RequestBook,
  entry: RequestBook.OpenApproval,
  judge: Judge,
  response: RequestResponse,
  who: { readonly client?: AnsweringClient },
  otherwise: Effect.Effect<void, ProviderError>
): Effect.Effect<void, ProviderError> => {
  const isAboutThis = () =>
    response.type === "option" && response.digest === entry.request.digest && RequestBook.isAsLookedAt(entry)
  if (!isAboutThis()) return Effect.fail(outdated)
  const { tool } = entry.request
  // What people say now counts more than what they have said beforehand, unless the request is another one by now.
  const isAnother = ({ facts }: JudgedLook) => RequestFacts.digestOf(facts) !== entry.request.digest
  return Effect.flatMap(looked(entry, judge, tool, isAnother), (look) => {
    // From here until the answer everything is synchronous, so nothing else can run in between.
    if (RequestBook.isOpen(book, entry) && isAboutThis()) takeIn(book, entry, judge, tool, look)
    if (!RequestBook.isOpen(book, entry)) return otherwise
    if (!isAboutThis()) return Effect.fail(outdated)
    const kind = entry.request.options.find(({ optionId }) => optionId === optionIdOf(response))?.kind
    // A flag is no person: what it allows has to be on record first.
    const unrecorded =
      AnswerWords.flagOf(who.client) === undefined
        ? RequestBook.answer(book, entry, response, who)
        : RequestBook.answerByItself(book, entry, response, who, [])
    if (unrecorded !== undefined) return Effect.fail(refusal("storage", unrecorded.title, unrecorded.cause))
    if (kind !== undefined) judge.likes.add(look, kind)
    return Effect.void
  })
}

const optionIdOf = (response: RequestResponse): string | undefined =>
  response.type === "option" ? response.optionId : undefined

/** Most changes of a request. People can't read one that changes all the time, and each change is stored. */
const maxRevisions = 100
const restless = `It changed more than ${maxRevisions} times while it was open. The agent was told that it is withdrawn.`
const tooLarge = "It grew larger than requests may be. The agent was told that it is withdrawn."

const outdated = refusal("request-changed", AnswerCheck.outdated.title, AnswerCheck.outdated.cause)
