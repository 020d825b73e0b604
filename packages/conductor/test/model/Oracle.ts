/** Says what is wrong with what was played. Each direction is a plain list: what one end has said, less what proxies keep. */
import * as Exit from "effect/Exit"
import type { Heard, Said } from "./End.ts"
import type { Dead, Played } from "./Play.ts"
import { type By, type Leaf, leavesOf, type Scenario } from "./Scenario.ts"
import * as Words from "./Words.ts"

const other = { client: "agent", agent: "client" } as const

/** What becomes of what is said on its way through these proxies. */
type Fate = { readonly arrives: string } | { readonly answeredBy: number } | { readonly isKept: true }

const through = (words: Words.Words, path: ReadonlyArray<Leaf>): string =>
  JSON.stringify(path.reduce((now, { habit, name }) => (habit === "change" ? Words.changed(now, name) : now), words))

const fateOf = ({ isTouched, kind, n, words }: Said, path: ReadonlyArray<Leaf>): Fate => {
  if (words === undefined) return { arrives: Words.refusal(n) }
  if (!isTouched) return { arrives: JSON.stringify(words) }
  if (kind === "note" && path.some(({ habit }) => Words.isKept(habit, n))) return { isKept: true }
  const answeredBy = kind === "ask" ? path.findIndex(({ habit }) => Words.isAnswered(habit, n)) : -1
  return answeredBy === -1 ? { arrives: through(words, path) } : { answeredBy }
}

/** Requests that are intercepted, and their answers, run in fibers of their own: what comes behind them may come before them. */
const isLoose = ({ isTouched, kind }: Said): boolean => kind === "cancel" || (isTouched && kind !== "note")

const keyOf = ({ kind, n }: Pick<Said, "kind" | "n">): string => `${kind} ${n}`

const short = (value: unknown): string => JSON.stringify(value)?.replaceAll(/x{100,}/g, "x…") ?? "nothing"

/** What is wrong; empty if all is as it should be. */
export const complaints = (scenario: Scenario, played: Played): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const leaves = leavesOf(scenario.members)
  direction("client", leaves, played, wrong)
  direction("agent", leaves.toReversed(), played, wrong)
  ending(played, wrong)
  wrong.push(...played.issues)
  return wrong
}

/** Compares what `by` has said with what the other end has heard. */
const direction = (by: By, path: ReadonlyArray<Leaf>, played: Played, wrong: Array<string>): void => {
  const { said } = played.ends[by]
  const heard = played.ends[other[by]].heard
  const isWhole = played.dead === undefined
  const wasSaid = new Map(said.map((each) => [keyOf(each), each]))
  const places = new Map<string, number>()
  const strict: Array<string> = []

  for (const [place, each] of heard.entries()) {
    const key = keyOf(each)
    const source = wasSaid.get(key)
    const fate = source && fateOf(source, path)
    if (each.kind === "answer" && (fate === undefined || !("arrives" in fate) || fate.arrives !== each.text)) continue
    if (source === undefined) wrong.push(`${other[by]} heard ${key}, and ${by} never said it`)
    else if (places.has(key)) wrong.push(`${other[by]} heard ${key} twice`)
    else if (each.kind !== "cancel" && !(fate && "arrives" in fate && fate.arrives === each.text))
      wrong.push(`${other[by]} heard ${key} as ${short(each.text)}, instead of ${short(fate)}`)
    places.set(key, place)
    if (source !== undefined && !isLoose(source)) strict.push(key)
  }

  const due = said.filter(
    (each) =>
      each.kind !== "cancel" &&
      "arrives" in fateOf(each, path) &&
      (places.has(keyOf(each)) || !mayEndOnItsWay(by, each, played))
  )
  const inOrder = due.filter((each) => !isLoose(each)).map(keyOf)
  const expected = isWhole ? inOrder : inOrder.slice(0, strict.length)
  if (short(strict) !== short(expected))
    wrong.push(`${other[by]} heard ${short(strict)} of ${by}, instead of ${short(expected)}`)

  let before = -1
  for (const each of said) {
    const place = places.get(keyOf(each))
    if (!isLoose(each)) before = place ?? before
    else if (place !== undefined && place < before)
      wrong.push(`${keyOf(each)} of ${by} came before what was said before it`)
    else if (place === undefined && isWhole && each.kind !== "cancel" && due.includes(each))
      wrong.push(`${other[by]} never heard ${keyOf(each)} of ${by}`)
  }
  for (const n of played.heldWhenCancelled[by])
    if (isWhole && !places.has(`cancel ${n}`)) wrong.push(`${other[by]} never heard that ${by} cancelled ${n}`)
  answers(by, path, played, wrong)
}

/** A request that is cancelled on its way through an interceptor, or before the chain is ready, may end there. */
const mayEndOnItsWay = (by: By, { isTouched, kind, n }: Said, { cancelledEarly, ends }: Played): boolean =>
  kind === "ask" && (isTouched ? ends[by].cancelled.has(n) : cancelledEarly.has(n))

const valueOf = (text: string | undefined): { code?: unknown; data?: { component?: unknown } } =>
  JSON.parse(text ?? "null") ?? {}

/** Checks that each request of `by` has one answer, and the right one. */
const answers = (by: By, path: ReadonlyArray<Leaf>, played: Played, wrong: Array<string>): void => {
  const { heard, said } = played.ends[by]
  const there = played.ends[other[by]]
  const { dead } = played
  for (const [place, asked] of said.entries()) {
    if (asked.kind !== "ask") continue
    const given = heard.filter((each) => each.kind === "answer" && each.n === asked.n)
    const [settled] = given
    if (settled === undefined || given.length !== 1) {
      wrong.push(`ask ${asked.n} of ${by} has ${given.length} answers`)
      continue
    }
    const answer = there.said.find((each) => each.kind === "answer" && each.n === asked.n)
    const fate = fateOf(asked, path)
    const back = path.toReversed()
    const isRight =
      "answeredBy" in fate
        ? settled.text ===
          through(Words.words(asked.n, 0, path[fate.answeredBy]?.name), path.slice(0, fate.answeredBy).toReversed())
        : answer !== undefined && short(fateOf(answer, back)) === short({ arrives: settled.text })
    if (isRight) continue
    const wasHeard = there.heard.some((each) => each.kind === "ask" && each.n === asked.n)
    const { code, data } = valueOf(settled.text)
    if (code === -32800 && mayEndOnItsWay(by, asked, played) && !wasHeard) continue
    if (dead !== undefined && isExcused(by, place, dead, settled, data?.component)) continue
    wrong.push(`ask ${asked.n} of ${by} was answered with ${short(settled.settled)}`)
  }
}

/** Whether a death explains this answer to what was asked at this place of all that the end has said. */
const isExcused = (by: By, place: number, dead: Dead, { settled }: Heard, component: unknown): boolean => {
  const isClosed = settled !== undefined && "closed" in settled
  // A request to a component that reads no more ends when the client leaves.
  if (by === "agent" || dead.how === "stall") return isClosed || (settled !== undefined && "error" in settled)
  // The chain answers requests that it had read before a death with the reason. Later ones may find the connection closed.
  return isClosed ? place >= dead.clientRead : dead.within.some((name) => name === component)
}

/** Checks how all ended. */
const ending = ({ dead, endedAlone, exit, initialized, living, unanswered }: Played, wrong: Array<string>): void => {
  if (dead === undefined && unanswered.length > 0) wrong.push(`These were not answered: ${short(unanswered)}`)
  if (living.length > 0) wrong.push(`These live on: ${short(living)}`)
  if (initialized === undefined) wrong.push("initialize was never answered")
  if (exit === undefined) return void wrong.push("The conductor never ended")
  if (Exit.isFailure(exit)) return void wrong.push(`The conductor ended with ${String(exit.cause)}`)
  const failure = exit.value
  if (dead === undefined || (dead.how === "stall" && dead.wasReady)) {
    if (failure !== undefined) wrong.push(`The chain failed: ${failure.message}`)
    if (endedAlone) wrong.push("The conductor ended before its client left")
  } else if (dead.how !== "stall") {
    if (failure === undefined) wrong.push(`${short(dead.within)} died, and the chain did not fail`)
    // A chain within the chain refuses its initialization with the reason.
    else if (!dead.within.some((name) => name === failure.component || failure.message.includes(`"${name}"`)))
      wrong.push(`${short(dead.within)} died, and the reason is ${failure.message}`)
    if (dead.wasReady && !endedAlone) wrong.push("The conductor goes on when a component has died")
  }
}
