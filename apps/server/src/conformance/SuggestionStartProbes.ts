/** What an agent claims about suggestions of the next edit, and how a session for them begins. */
import type { PositionEncoding } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { Examinee } from "./Examinee.ts"
import { type Json, objectIn } from "./Messages.ts"
import type { Greeted } from "./OpenSession.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  quirk,
  saying,
  tookTooLong,
  untried,
  wantsLogin,
  withAgent,
  words
} from "./Probe.ts"
import { shape } from "./SettingProbes.ts"
import { methodsOf } from "./StartProbes.ts"
import * as SuggestionOffer from "./SuggestionOffer.ts"
import { suggestionProbe, withSuggestions } from "./SuggestionProbe.ts"
import { named, wordOf } from "./WordOf.ts"

const start = Effect.fnUntraced(function* (agent: Greeted) {
  if (!agent.nes.isMade) return holds("not offered", false)
  const { answer, durationMs } = yield* agent.suggesting
  if (answer.type === "silence") return tookTooLong(answer.waitedMs, true)
  if (wantsLogin(answer)) {
    const finding =
      methodsOf(agent).length > 0
        ? untried("it needs a sign-in", true)
        : broken("it needs a sign-in", "It wants somebody to sign in, and offers no way to.", true)
    return saying(answer, finding)
  }
  if (answer.type === "gone")
    return broken(words(answer), "It offers suggestions, and ends when they are started.", true)
  if (answer.type === "error") {
    const why = answer.code === -32601 ? "does not know nes/start" : "refuses to start them"
    return saying(
      answer,
      broken(words(answer), `It offers suggestions (nes), and ${why}. Nobody gets any from it.`, true)
    )
  }
  const { sessionId } = answer.result
  return typeof sessionId === "string"
    ? { ...holds("works", true), durationMs }
    : broken("no id", "The answer to nes/start holds no id of a session.", true)
})

/** The keys under which something is wanted: a number of most entries, or a kind of changes, stands beside. */
const wanted = (wants: object): ReadonlyArray<string> =>
  Object.entries(wants).flatMap(([name, want]: [string, unknown]) => {
    if (typeof want !== "object" || want === null) return []
    const detail = Object.values(want).find((value) => typeof value === "string" || typeof value === "number")
    return [detail === undefined ? name : `${name} (${detail})`]
  })

const wants = ({ nes }: Greeted): Finding => {
  if (nes.wants === undefined) return broken("can't be read", "What it says under nes is not in the schema.")
  const events = SuggestionOffer.eventsIn(nes)
  const seen = [...wanted(events), ...wanted(nes.wants.context ?? {})].join(", ") || "nothing"
  if (nes.odd.length > 0) return quirk(seen, `The schema does not have this: ${named(new Set(nes.odd))}.`)
  return events.didChange?.syncKind === "incremental" && !events.didOpen
    ? quirk(seen, "It wants changes in parts, and not the texts that they are about.")
    : holds(seen)
}

/** The encoding that an answer to `initialize` names: `utf-16` if it names none. */
const encodingIn = (hello: Json): string => {
  const { positionEncoding } = objectIn(hello, "agentCapabilities")
  return wordOf(positionEncoding ?? "utf-16")
}

const encoding = Effect.fnUntraced(function* ({ agent, fresh, introduction, limits }: Examinee) {
  const chosenOf = Effect.fnUntraced(function* (positionEncodings: ReadonlyArray<PositionEncoding> | undefined) {
    const { wire } = yield* fresh
    const offer = { nes: {}, ...(positionEncodings && { positionEncodings }) }
    const answer = yield* wire.ask("initialize", introduction(1, offer), limits().initialize)
    return answer.type === "result" ? encodingIn(answer.result) : undefined
  }, Effect.scoped)
  const all = encodingIn((yield* agent).hello)
  const one = yield* chosenOf(["utf-8"])
  const none = yield* chosenOf(undefined)
  if (one === undefined || none === undefined) return untried("another process of it does not start")
  const seen = `all offered: ${all}, utf-8 only: ${one}, none: ${none}`
  const known: ReadonlyArray<string> = SuggestionOffer.everything.positionEncodings
  const isOffered = known.includes(all) && ["utf-16", "utf-8"].includes(one) && none === "utf-16"
  return isOffered ? holds(seen) : broken(seen, "It counts in an encoding that was not offered.")
})

export const suggestionStartProbes: ReadonlyArray<Probe> = [
  // Every agent has this row. It says whether there are suggestions at all.
  { ...suggestionProbe("start", "Starts suggestions", withAgent(start)), concerns: () => true },
  suggestionProbe(
    "wants",
    "What suggestions need",
    withAgent((agent) => Effect.succeed(wants(agent)))
  ),
  { ...suggestionProbe("encoding", "Encoding of positions", encoding), lane: "own" },
  suggestionProbe(
    "settings",
    "Settings of suggestions",
    withSuggestions((session) => Effect.succeed(shape(session)))
  )
]
