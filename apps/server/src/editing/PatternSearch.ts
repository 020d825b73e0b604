/**
 * Runs regular expressions of agents in a thread of their own, which is ended at a deadline. No pattern can hold up the
 * server.
 */
import * as SearchAndReplace from "@signalbox/acp/SearchAndReplace"
import * as StoppableThread from "@signalbox/system/StoppableThread"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** How long a search may take, without the start of its thread. */
const defaultDeadline = Duration.seconds(1)

/**
 * Most characters in the groups of all matches, where each group counts as some more. The deadline does not cover the
 * time in which the answer is read here.
 */
const mostFound = 4 * 1024 * 1024
const groupWeight = 32

/** Runs in the thread. */
const program = `
const answer = ({ groupWeight, most, mostFound, pattern, text }) => {
  const compiled = () => {
    try { return new RegExp(pattern, "gmu") } catch { return new RegExp(pattern, "gm") }
  }
  let regex
  try { regex = compiled() } catch (error) { return { invalid: String(error.message) } }
  const matches = []
  let weight = 0
  for (const match of text.matchAll(regex)) {
    const { 0: found, index: start, groups } = match
    for (const group of match.slice(1)) weight += groupWeight + (group?.length ?? 0)
    if (weight > mostFound) return { large: true }
    matches.push({ start, end: start + found.length, groups: match.slice(1), named: { ...groups } })
    if (matches.length >= most) break
  }
  return { matches }
}
`

const textOrNone = Schema.UndefinedOr(Schema.String)
const Match = Schema.Struct({
  start: Schema.Finite,
  end: Schema.Finite,
  groups: Schema.Array(textOrNone),
  named: Schema.Record(Schema.String, textOrNone)
})
const readAnswer = Schema.decodeUnknownOption(
  Schema.Union([
    Schema.Struct({ matches: Schema.Array(Match) }),
    Schema.Struct({ invalid: Schema.String }),
    Schema.Struct({ large: Schema.Literal(true) })
  ])
)

type Found = ReadonlyArray<SearchAndReplace.Match>

/** Makes a matcher with a deadline. `onStart` gets each thread, which has ended when its search has. */
export const matcher =
  (
    deadline: Duration.Input = defaultDeadline,
    onStart?: StoppableThread.Options["onStart"]
  ): SearchAndReplace.Matcher =>
  (search) =>
    StoppableThread.run({ program, data: { ...search, groupWeight, mostFound }, deadline, onStart }).pipe(
      Effect.mapError(({ message, reason }) =>
        reason === "tooSlow" ? SearchAndReplace.refused("tooSlow") : SearchAndReplace.refused("failed", message)
      ),
      Effect.flatMap(outcome)
    )

/** How long all searches for one answer may take together, with the start of their threads. */
const defaultBudget = Duration.seconds(2)

/** Makes a matcher for all patterns of one answer. When their time is used up, the others are refused as too slow. */
export const matcherForAnswer = (budget: Duration.Input = defaultBudget): SearchAndReplace.Matcher => {
  let leftMs = Duration.toMillis(budget)
  return (search) =>
    Effect.gen(function* () {
      if (leftMs <= 0) return yield* Effect.fail(SearchAndReplace.refused("noTime"))
      const deadline = Duration.min(defaultDeadline, Duration.millis(leftMs))
      const [took, exit] = yield* Effect.timed(Effect.exit(matcher(deadline)(search)))
      leftMs -= Duration.toMillis(took)
      return yield* exit
    })
}

const outcome = (message: unknown): Effect.Effect<Found, SearchAndReplace.SearchRefused> => {
  const answer = readAnswer(message)
  if (answer._tag === "None") return Effect.fail(SearchAndReplace.refused("failed", "its answer can't be read"))
  if ("large" in answer.value)
    return Effect.fail(SearchAndReplace.refused("failed", "it finds more text than can be looked at"))
  return "matches" in answer.value
    ? Effect.succeed(answer.value.matches)
    : Effect.fail(SearchAndReplace.refused("invalid", answer.value.invalid))
}
