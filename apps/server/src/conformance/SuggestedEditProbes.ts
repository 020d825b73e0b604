/** Whether what an agent suggests can be shown and applied: kinds, places, ids, files, sizes, patterns. */
import type { Reason } from "@signalbox/acp/Nes"
import * as SearchAndReplace from "@signalbox/acp/SearchAndReplace"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fileURLToPath } from "node:url"
import * as PatternSearch from "../editing/PatternSearch.ts"
import { mostCharacters, mostEdits, mostSuggestions } from "../editing/SuggestionCheck.ts"
import type { Examinee } from "./Examinee.ts"
import { broken, type Finding, holds, type Probe, quirk, untried } from "./Probe.ts"
import * as Suggested from "./Suggested.ts"
import type { Question } from "./SuggestionEditor.ts"
import { askingProbe, withSuggestions } from "./SuggestionProbe.ts"
import { isSilent, type Round } from "./SuggestionRound.ts"
import { named, wordOf } from "./WordOf.ts"

/** The two rounds: with all kinds offered, and with edits only. The latter counts in another encoding if it can. */
interface Rounds {
  readonly rounds: ReadonlyArray<Round>
  readonly questions: ReadonlyArray<Question>
}

/** Runs a probe with all questions that had suggestions. */
const withSuggested = (look: (rounds: Rounds, examinee: Examinee) => Effect.Effect<Finding>): Probe["look"] =>
  withSuggestions((_, __, examinee) =>
    Effect.gen(function* () {
      const whole = yield* examinee.suggestions
      const plain = Option.exists(whole, isSilent) ? Option.none() : yield* examinee.plainSuggestions
      const rounds = [...Option.toArray(whole), ...Option.toArray(plain)]
      const questions = rounds
        .flatMap(({ bare, changed, first }) => [first, changed, bare])
        .filter((question) => question !== undefined)
        .filter((question) => Suggested.rawIn(question).length > 0)
      return questions.length === 0 ? untried("it suggested nothing") : yield* look({ rounds, questions }, examinee)
    })
  )

const judging = (look: (rounds: Rounds, examinee: Examinee) => Finding): Probe["look"] =>
  withSuggested((rounds, examinee) => Effect.succeed(look(rounds, examinee)))

const refusedFor = (questions: ReadonlyArray<Question>, ...reasons: ReadonlyArray<Reason>) =>
  questions.flatMap(({ refused }) => refused.filter(({ reason }) => reasons.includes(reason)))

const kindsIn = (suggestions: ReadonlyArray<{ readonly kind?: unknown }>) =>
  named(new Set(suggestions.map(({ kind }) => wordOf(kind))))

const kinds = ({ questions }: Rounds): Finding => {
  const notOffered = refusedFor(questions, "notOffered")
  const unknown = refusedFor(questions, "unknownKind")
  if (notOffered.length > 0) return broken(kindsIn(notOffered), "It suggests what the client does not offer to show.")
  if (unknown.length > 0) return broken(kindsIn(unknown), "There is no such kind of suggestions.")
  return holds(kindsIn(questions.flatMap(Suggested.rawIn)))
}

const faults = {
  outOfRange: "It names lines that the text does not have.",
  insideCharacter: "It begins or ends within a character.",
  inverted: "A range ends before it begins.",
  overlapping: "Edits of one suggestion change the same text."
} as const satisfies Partial<Record<Reason, string>>

const isFault = (reason: Reason): reason is keyof typeof faults => Object.hasOwn(faults, reason)

/** Only the first answers count. Later ones may be about a text of before, which another probe looks at. */
const places = ({ rounds }: Rounds): Finding => {
  const firsts = rounds.map(({ first }) => first)
  const found = firsts.flatMap(({ refused }) => refused.map(({ reason }) => reason).filter(isFault))
  const encodings = [...new Set(rounds.map(({ encoding }) => encoding))].join(" and ")
  if (found.length > 0) {
    const sentences = [...new Set(found)].map((reason) => faults[reason])
    return broken(`${found.length} can't be applied`, `${sentences.join(" ")} They count in ${encodings}.`)
  }
  const isIdle = firsts.some(({ lines, shown }) =>
    shown.some((one) => one.kind === "edit" && lines.edit(one.edits).text === lines.text)
  )
  return isIdle ? quirk("some change nothing", "An edit leaves the text as it is.") : holds(`fit, in ${encodings}`)
}

const ids = ({ questions, rounds }: Rounds): Finding => {
  const twice = refusedFor(questions, "duplicateId").length
  if (twice > 0) return broken(`${twice} with the id of another`, "Nobody can accept one of two with the same id.")
  const isAgain = rounds.some(({ bare, changed, first }) => {
    const all = [first, changed, bare].flatMap((question) => (question ? Suggested.rawIn(question) : []))
    return new Set(all.map(({ id }) => id)).size < all.length
  })
  return isAgain
    ? quirk("come again", "An answer has the id of a suggestion of an earlier answer.")
    : holds("each its own")
}

/** The path of a `file:` URI. Undefined for anything else. */
const pathOf = (uri: unknown): string | undefined => {
  try {
    return fileURLToPath(wordOf(uri))
  } catch {
    return undefined
  }
}

const files = ({ questions }: Rounds, { folder }: Examinee): Finding => {
  const uris = new Set(questions.flatMap(Suggested.rawIn).map(({ uri }) => uri))
  const paths = [...uris].map(pathOf)
  const none = paths.filter((path) => path === undefined).length
  if (none > 0) return broken(`${none} of ${uris.size} are no file`, "It suggests changes of what no file can be.")
  const outside = paths.filter((path) => path !== undefined && !isWithin(folder, path)).length
  if (outside > 0)
    return quirk(`${outside} of ${uris.size} elsewhere`, "It suggests changes of files outside of the workspace.")
  return refusedFor(questions, "notOpen").length > 0
    ? quirk("one that is missing", "It suggests changes of a file that is neither open nor on the disk.")
    : holds("all in the workspace")
}

const size = ({ questions }: Rounds): Finding => {
  const most = Math.max(...questions.map((question) => Suggested.rawIn(question).length))
  const told = `up to ${most} at once`
  if (refusedFor(questions, "tooLarge").length > 0)
    return quirk("too large", `Signalbox takes up to ${mostCharacters} characters and ${mostEdits} edits of each.`)
  if (refusedFor(questions, "tooMany").length > 0)
    return quirk(told, `Signalbox takes the first ${mostSuggestions} of an answer.`)
  return refusedFor(questions, "empty").length > 0
    ? quirk("some are empty", "A suggestion without edits, or without a word to search for, changes nothing.")
    : holds(told)
}

const patterns = withSuggested(({ questions }) =>
  Effect.gen(function* () {
    const searches = questions.flatMap(({ lines, shown }) =>
      shown.flatMap((one) => (one.kind === "searchAndReplace" ? [{ one, lines }] : []))
    )
    if (searches.length === 0) return untried("it suggested no search")
    for (const { lines, one } of searches.slice(0, mostSearches)) {
      const found = yield* Effect.result(SearchAndReplace.placesIn(one, lines.text, PatternSearch.matcher()))
      if (found._tag === "Success") continue
      const { message, reason } = found.failure
      return reason === "invalid" ? broken("no pattern", `${message}.`) : quirk("can't be used", `${message}.`)
    }
    return holds(`${searches.length} tried`)
  })
)

/** Most searches that are tried. */
const mostSearches = 5

export const suggestedEditProbes: ReadonlyArray<Probe> = [
  askingProbe("kinds", "Kinds of suggestions", judging(kinds)),
  askingProbe("places", "Places of edits", judging(places)),
  askingProbe("ids", "Ids of suggestions", judging(ids)),
  askingProbe("files", "Files of suggestions", judging(files)),
  askingProbe("size", "Size of suggestions", judging(size)),
  askingProbe("patterns", "Searches of suggestions", patterns)
]
