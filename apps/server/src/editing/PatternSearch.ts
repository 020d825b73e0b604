/**
 * Runs regular expressions of agents in a thread of their own, which is ended at a deadline. No pattern can hold up the
 * server.
 */
import * as SearchAndReplace from "@signalbox/acp/SearchAndReplace"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { Worker } from "node:worker_threads"

/** How long a search may take, without the start of its thread. */
const defaultDeadline = Duration.seconds(1)

/** Most megabytes of the thread's memory. */
const mostMemoryMb = 256

/**
 * Most characters in the groups of all matches, where each group counts as some more. The deadline does not cover the
 * time in which the answer is read here.
 */
const mostFound = 4 * 1024 * 1024
const groupWeight = 32

/** Runs in the thread. It is text, so that a bundle needs no file for it. */
const program = `
const { parentPort, workerData: { groupWeight, most, mostFound, pattern, text } } = require("node:worker_threads")
const compiled = () => {
  try { return new RegExp(pattern, "gmu") } catch { return new RegExp(pattern, "gm") }
}
const answer = () => {
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
parentPort.postMessage("ready")
parentPort.postMessage(answer())
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
  (deadline: Duration.Input = defaultDeadline, onStart?: (thread: Worker) => void): SearchAndReplace.Matcher =>
  (search) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const resourceLimits = { maxOldGenerationSizeMb: mostMemoryMb }
        const workerData = { ...search, groupWeight, mostFound }
        const worker = new Worker(program, { eval: true, env: {}, execArgv: [], workerData, resourceLimits })
        onStart?.(worker)
        return worker
      }),
      (worker) => answered(worker, deadline),
      (worker) => Effect.promise(() => worker.terminate())
    )

const answered = (worker: Worker, deadline: Duration.Input) =>
  Effect.gen(function* () {
    const ready = Deferred.makeUnsafe<void, SearchAndReplace.SearchRefused>()
    const found = Deferred.makeUnsafe<Found, SearchAndReplace.SearchRefused>()
    const fail = (detail: string) => {
      const exit = Exit.fail(SearchAndReplace.refused("failed", detail))
      Deferred.doneUnsafe(ready, exit)
      Deferred.doneUnsafe(found, exit)
    }
    worker.on("message", (message: unknown) => {
      if (message === "ready") Deferred.doneUnsafe(ready, Exit.void)
      else Deferred.doneUnsafe(found, outcome(message))
    })
    worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error)))
    worker.on("exit", () => fail("its thread has ended"))
    yield* Deferred.await(ready)
    return yield* Effect.timeoutOrElse(Deferred.await(found), {
      duration: deadline,
      orElse: () => Effect.fail(SearchAndReplace.refused("tooSlow"))
    })
  })

const outcome = (message: unknown): Exit.Exit<Found, SearchAndReplace.SearchRefused> => {
  const answer = readAnswer(message)
  if (answer._tag === "None") return Exit.fail(SearchAndReplace.refused("failed", "its answer can't be read"))
  if ("large" in answer.value)
    return Exit.fail(SearchAndReplace.refused("failed", "it finds more text than can be looked at"))
  return "matches" in answer.value
    ? Exit.succeed(answer.value.matches)
    : Exit.fail(SearchAndReplace.refused("invalid", answer.value.invalid))
}
