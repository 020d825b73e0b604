/** Whether an agent answers questions for suggestions: in time, after a change, without context, cancelled. */
import * as Duration from "effect/Duration"
import { isUnknown } from "./Claims.ts"
import type { Examinee } from "./Examinee.ts"
import { seconds } from "./Limits.ts"
import { stopped } from "./Aftermath.ts"
import type { Greeted } from "./OpenSession.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  quirk,
  saying,
  showing,
  type Telling,
  tookTooLong,
  untried,
  words
} from "./Probe.ts"
import * as Suggested from "./Suggested.ts"
import type { Question } from "./SuggestionEditor.ts"
import { takesTexts } from "./SuggestionOffer.ts"
import { askingProbe, withRound } from "./SuggestionProbe.ts"
import type { Round } from "./SuggestionRound.ts"

/** The finding from an answer that is no result. */
const notAnswered = (answer: Exclude<Telling, { readonly type: "result" }>, sentence: string): Finding => {
  if (answer.type === "gone") return broken("ends", "It does not get over a question for suggestions.")
  return isUnknown(answer)
    ? broken(words(answer), "It offers suggestions (nes), and does not know nes/suggest. Nobody gets any from it.")
    : broken(words(answer), sentence)
}

const answered = ({ cancelled, first }: Round, examinee: Examinee, { nes }: Greeted): Finding => {
  const { answer, durationMs, refused } = first
  if (answer.type === "silence") {
    if (cancelled?.state !== "lives") return stopped(cancelled?.state ?? "slow", examinee)
    const waited = seconds(answer.waitedMs)
    return quirk("no answer", `Nothing came for ${waited}, although it answered something else then.`)
  }
  const finding = showing((answer) => {
    if (answer.type === "error" && !isUnknown(answer) && !takesTexts(nes))
      return untried("it takes no texts, and none is on the disk")
    if (answer.type !== "result") return notAnswered(answer, "It answers no question about an open document.")
    const seen = Suggested.counted(first)
    if (!Array.isArray(answer.result["suggestions"]))
      return broken("no list", "The answer holds no list of suggestions.")
    const malformed = refused.filter(({ reason }) => reason === "malformed").length
    if (malformed > 0) return quirk(seen, `${malformed} of them are not in the schema, and are left out.`)
    const timely = Duration.toMillis(examinee.limits().timely)
    return durationMs > timely
      ? quirk(seen, `An answer after more than ${seconds(timely)} comes when people have gone on.`)
      : holds(seen)
  })(answer)
  return answer.type === "result" ? { ...finding, durationMs } : finding
}

/** Judges a question that is asked only after an earlier one was answered. */
const further = (question: Question | undefined, sentence: string, look: (question: Question) => Finding): Finding => {
  if (question === undefined) return untried("it got no further")
  const { answer } = question
  return answer.type === "silence"
    ? tookTooLong(answer.waitedMs)
    : showing((answer) => (answer.type === "result" ? look(question) : notAnswered(answer, sentence)))(answer)
}

/** Whether suggestions are about the document as it is. After the change it has fewer lines than before. */
const afterChange = ({ changed }: Round): Finding =>
  further(changed, "It answers no question after a change.", (question) =>
    Suggested.isAboutBefore(question)
      ? broken("about the text before", "It names lines that only the text before the last change had.")
      : holds(Suggested.counted(question))
  )

const withoutContext = ({ bare }: Round): Finding =>
  further(bare, "It refuses a question without context, which is optional.", (question) =>
    holds(Suggested.counted(question))
  )

const ended = ({ ended }: Round, examinee: Examinee): Finding => {
  if (ended === undefined) return untried("it suggested nothing that can be shown")
  const { accepted, rejected, state } = ended
  return state === "lives" ? holds(`${accepted} accepted, ${rejected} rejected`) : stopped(state, examinee)
}

const cancelCode = -32800

const cancelled = ({ cancelled }: Round, examinee: Examinee): Finding => {
  if (cancelled === undefined) return untried("it got no further")
  const { answer, state } = cancelled
  if (state !== "lives") return stopped(state, examinee)
  if (answer.type === "silence")
    return broken("no answer", `${seconds(answer.waitedMs)} after the cancel, the question is still open.`)
  return showing((answer) => {
    if (answer.type === "gone") return broken("ends", "It does not get over a cancelled question.")
    if (answer.type === "result") return holds("answered")
    return answer.code === cancelCode
      ? holds(words(answer))
      : saying(answer, quirk(words(answer), `The code for a cancelled request is ${cancelCode}.`))
  })(answer)
}

export const suggestionAnswerProbes: ReadonlyArray<Probe> = [
  askingProbe("answer", "Suggests edits", withRound(answered)),
  askingProbe("after-change", "Suggests after a change", withRound(afterChange)),
  askingProbe("without-context", "Suggests without context", withRound(withoutContext)),
  askingProbe("ends", "Accept and reject", withRound(ended)),
  askingProbe("cancel", "Cancels a question", withRound(cancelled))
]
