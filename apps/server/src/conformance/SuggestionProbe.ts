/** How a probe about suggestions of the next edit is made, and its finding where the agent starts no session. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Examinee } from "./Examinee.ts"
import { stopped } from "./Aftermath.ts"
import { liveness } from "./Liveness.ts"
import { listIn } from "./Messages.ts"
import type { Opening } from "./Opening.ts"
import type { Greeted } from "./OpenSession.ts"
import { broken, type Finding, holds, type Probe, quirk, saying, untried, wantsLogin, words } from "./Probe.ts"
import { isSilent, type Round } from "./SuggestionRound.ts"
import * as SuggestionSession from "./SuggestionSession.ts"
import type { Answer } from "./Wire.ts"

/** Makes a probe of an agent that offers suggestions. Other agents have no such row in their report. */
export const suggestionProbe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `suggestions/${name}`,
  area: "suggestions",
  capability,
  concerns: ({ nes }) => nes.isMade,
  look
})

/** Makes a probe that asks for suggestions, which the agent's model may answer. */
export const askingProbe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  ...suggestionProbe(name, capability, look),
  model: true,
  limit: "5 minutes"
})

/** The finding from an answer that started no session for suggestions. */
const noSuggestions = ({ answer }: Opening): Finding => {
  if (wantsLogin(answer)) return untried("it needs a sign-in")
  return untried(answer.type === "silence" ? "their start took too long" : "it starts none")
}

type Look = (
  session: SuggestionSession.SuggestionSession,
  agent: Greeted,
  examinee: Examinee
) => ReturnType<Probe["look"]>

/** Runs a probe with a session for suggestions, which other probes use, too. */
export const withSuggestions =
  (look: Look): Probe["look"] =>
  (examinee) =>
    Effect.gen(function* () {
      const agent = yield* examinee.agent
      const opening = yield* agent.suggesting
      const session = SuggestionSession.of(agent, examinee, opening)
      return session === undefined ? noSuggestions(opening) : yield* look(session, agent, examinee)
    })

/** Runs a probe with a session of its own, beside the one that other probes use. */
export const withOwnSuggestions = (look: Look): Probe["look"] =>
  withSuggestions((_, agent, examinee) =>
    Effect.gen(function* () {
      const { opening, session } = yield* SuggestionSession.another(agent, examinee)
      return session === undefined ? noSuggestions(opening) : yield* look(session, agent, examinee)
    })
  )

/** Runs a probe that asks in a session of its own, unless the agent has left a usual question open. */
export const withQuestion = (look: Look): Probe["look"] =>
  withSuggestions((_, __, examinee) =>
    Effect.flatMap(examinee.suggestions, (round) =>
      Option.exists(round, isSilent)
        ? Effect.succeed(untried("it answers no question"))
        : withOwnSuggestions(look)(examinee)
    )
  )

/** Runs a probe with the questions that were asked for all probes. */
export const withRound = (look: (round: Round, examinee: Examinee, agent: Greeted) => Finding): Probe["look"] =>
  withSuggestions((_, agent, examinee) =>
    Effect.map(
      examinee.suggestions,
      Option.match({
        onNone: () => untried("its offer can't be read"),
        onSome: (round) => look(round, examinee, agent)
      })
    )
  )

/** How many suggestions an answer has. */
const countIn = (answer: Answer): number => (answer.type === "result" ? listIn(answer.result, "suggestions").length : 0)

/** The finding from a question that the agent should refuse. `suggests`: the finding if it has suggestions for it. */
export const refusedQuestion = Effect.fnUntraced(function* (
  answer: Answer,
  agent: Greeted,
  examinee: Examinee,
  suggests: string
) {
  if (answer.type === "error") return saying(answer, holds(words(answer)))
  if (answer.type === "gone") return broken("ends", "It does not get over the question.")
  if (answer.type === "silence") {
    const state = yield* liveness(agent, examinee)
    return state === "lives" ? broken("no answer", "What it can't answer it has to refuse.") : stopped(state, examinee)
  }
  return countIn(answer) === 0 ? holds("suggests nothing") : quirk(`suggests ${countIn(answer)}`, suggests)
})
