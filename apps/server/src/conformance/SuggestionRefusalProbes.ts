/** What an agent does with questions for suggestions that have no answer: no session, no document, after the end. */
import * as Effect from "effect/Effect"
import { broken, holds, type Probe, showing, untried, words } from "./Probe.ts"
import { keepsDocuments } from "./SuggestionOffer.ts"
import { askingProbe, refusedQuestion, withQuestion } from "./SuggestionProbe.ts"
import * as Sample from "./SuggestionSample.ts"
import * as SuggestionSession from "./SuggestionSession.ts"

const unknownSession = withQuestion((_, agent, examinee) =>
  Effect.gen(function* () {
    const question = SuggestionSession.questionAbout(Sample.make(examinee.folder).main)
    const params = { sessionId: Sample.noSession, ...question }
    const answer = yield* agent.wire.ask("nes/suggest", params, examinee.limits().suggestion)
    return yield* refusedQuestion(answer, agent, examinee, "It answers in a session that never was.")
  })
)

/** Asks about a document that is open in another session. */
const unopened = withQuestion((own, agent, examinee) =>
  Effect.gen(function* () {
    if (!keepsDocuments(agent.nes)) return untried("it keeps no documents")
    const { session } = yield* SuggestionSession.another(agent, examinee)
    const { main } = Sample.make(examinee.folder)
    if (session !== undefined) yield* session.didOpen(main)
    const answer = yield* own.ask(main)
    return yield* refusedQuestion(answer, agent, examinee, "It suggests changes of what this session has not opened.")
  })
)

/** Ends another session that has the same document open. */
const apart = withQuestion((own, agent, examinee) =>
  Effect.gen(function* () {
    const { session } = yield* SuggestionSession.another(agent, examinee)
    if (session === undefined) return untried("it has one session at a time")
    const { main } = Sample.make(examinee.folder)
    yield* session.didOpen(main)
    yield* own.didOpen(main)
    yield* session.close
    return showing((answer) =>
      answer.type === "result"
        ? holds("goes on")
        : broken(words(answer), "It answers no question after another session has ended.")
    )(yield* own.ask(main))
  })
)

const closed = withQuestion((own, agent, examinee) =>
  Effect.gen(function* () {
    const { main } = Sample.make(examinee.folder)
    yield* own.didOpen(main)
    yield* own.close
    const answer = yield* own.ask(main)
    return yield* refusedQuestion(answer, agent, examinee, "It answers in a session that was closed.")
  })
)

export const suggestionRefusalProbes: ReadonlyArray<Probe> = [
  askingProbe("unknown-session", "Question to no session", unknownSession),
  askingProbe("unopened", "Question about no open file", unopened),
  askingProbe("apart", "Question after another's end", apart),
  askingProbe("closed", "Question after the end", closed)
]
