/** How sessions for suggestions live beside each other, take what has no answer, and end. No suggestion is asked for. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { stopped, withoutAnswer } from "./Aftermath.ts"
import { isUnknown } from "./Claims.ts"
import { liveness } from "./Liveness.ts"
import { sessionOf } from "./OpenSession.ts"
import { broken, type Finding, holds, type Probe, quirk, showing, type Telling, untried, words } from "./Probe.ts"
import * as SuggestionOffer from "./SuggestionOffer.ts"
import { suggestionProbe, withOwnSuggestions, withSuggestions } from "./SuggestionProbe.ts"
import * as Sample from "./SuggestionSample.ts"
import * as SuggestionSession from "./SuggestionSession.ts"

const sideBySide = withSuggestions(({ sessionId }, agent, examinee) =>
  Effect.gen(function* () {
    const second = yield* SuggestionSession.another(agent, examinee)
    const third = yield* SuggestionSession.another(agent, examinee)
    const chat = sessionOf(agent, (yield* agent.opening).answer)
    if (second.session === undefined || third.session === undefined) {
      const { answer } = second.session === undefined ? second.opening : third.opening
      return showing((answer) => quirk(words(answer), "A client may have any number of sessions for suggestions."))(
        answer
      )
    }
    const ids = [sessionId, second.session.sessionId, third.session.sessionId]
    if (Option.isSome(chat)) ids.push(chat.value.sessionId)
    if (new Set(ids).size < ids.length) return broken("the same id", "Two sessions have the same id.")
    yield* second.session.close
    // Closing one ends no other.
    const closed = yield* third.session.close
    return showing((answer) =>
      answer.type === "result"
        ? holds(Option.isSome(chat) ? "3, beside a chat" : "3")
        : broken(words(answer), "A session for suggestions ends with another one.")
    )(closed)
  })
)

const close = withOwnSuggestions((session, agent, examinee) =>
  Effect.gen(function* () {
    const answer = yield* session.close
    if (answer.type !== "result") return showing(notClosed)(answer)
    const again = yield* session.close
    if (again.type === "gone") return broken("ends", "It does not get over closing a session that is closed.")
    if (again.type !== "silence") return holds(`works, then ${words(again)}`)
    const state = yield* liveness(agent, examinee)
    return state === "lives"
      ? broken("no answer", "Closing a session that is closed is to be answered, or refused.")
      : stopped(state, examinee)
  })
)

const notClosed = (answer: Telling): Finding =>
  isUnknown(answer)
    ? broken(words(answer), "It offers suggestions (nes), and does not know nes/close.")
    : broken(words(answer), "It does not end a session for suggestions.")

/** Opens, edits, saves and closes documents in a further session. The agent gets the events that it wants. */
const events = withSuggestions((_, agent, examinee) =>
  Effect.gen(function* () {
    const wanted = Object.values(SuggestionOffer.eventsIn(agent.nes)).filter((want) => want).length
    if (wanted === 0) return untried("it wants none")
    let isSent = false
    const edited = Effect.gen(function* () {
      const editor = yield* examinee.editor(agent, SuggestionOffer.everything)
      yield* editor.change(Sample.firstChange)
      yield* editor.change(Sample.secondChange)
      yield* editor.change((lines) => ({ from: 0, to: lines.length, text: "" }))
      yield* editor.change(() => ({ from: 0, to: 0, text: "// cafe\u0301 \u{1f600}\r\n\r\n" }))
      yield* editor.save
      yield* editor.close
      isSent = true
    }).pipe(Effect.scoped, Effect.ignore)
    const finding = yield* withoutAnswer(agent, examinee, edited, `${wanted} ${wanted === 1 ? "kind" : "kinds"} taken`)
    return isSent ? finding : untried("it starts no further session")
  })
)

const unknownId = "_signalbox_no_such_suggestion"

/** Accepts and rejects what was never suggested, also in a session that does not exist. */
const unknownIds = withOwnSuggestions(({ sessionId }, agent, examinee) => {
  const { wire } = agent
  const ends = Effect.forEach(
    [sessionId, Sample.noSession],
    (sessionId) =>
      Effect.andThen(
        wire.notify("nes/accept", { sessionId, id: unknownId }),
        wire.notify("nes/reject", { sessionId, id: unknownId, reason: "rejected" })
      ),
    { discard: true }
  )
  return withoutAnswer(agent, examinee, ends, "ignored")
})

export const suggestionSessionProbes: ReadonlyArray<Probe> = [
  suggestionProbe("sessions", "Suggestions side by side", sideBySide),
  suggestionProbe("events", "Reports of documents", events),
  suggestionProbe("unknown-ids", "Accept of no suggestion", unknownIds),
  suggestionProbe("close", "Ends suggestions", close)
]
