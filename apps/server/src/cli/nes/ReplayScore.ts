/** What came of a replay, in numbers: the answers of two agents to the same questions. Plain data, counted by one owner. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import { percentile } from "../../base/Percentile.ts"
import type { End } from "../../recording/Recording.ts"
import { placesIn, type Texts } from "./SameSuggestion.ts"

/** How the answers to one question compare. `other`: some are the same, but not the first ones. */
export type Match = "first" | "other" | "different" | "onlyRecorded" | "onlyReplayed" | "nothing"

/** The answer of one agent to one question. */
export type Answer =
  | { readonly type: "answered"; readonly suggestions: ReadonlyArray<Suggestion>; readonly latencyMs: number }
  /** `overtaken`: the person went on. `withheld`: the file is not sent any more. */
  | { readonly type: "failed" | "overtaken" | "withheld" }

type Answered = Extract<Answer, { readonly type: "answered" }>

interface Again {
  readonly all: number
  /** How many of them the other agent suggests too, and how many of these as its first suggestion. */
  readonly again: number
  readonly first: number
}

interface Latency {
  readonly p50: number
  readonly p95: number
}

export interface Figures extends Readonly<Record<Match, number>> {
  readonly questions: number
  /** Questions that both agents have answered. */
  readonly compared: number
  /** Questions that were overtaken or failed in the recording. */
  readonly unansweredRecorded: number
  /** Questions that the other agent did not answer. */
  readonly failedReplayed: number
  readonly withheld: number
  /** Suggestions that could not be shown. */
  readonly refused: { readonly recorded: number; readonly replayed: number }
  readonly accepted: Again
  readonly dismissed: Again
  /** How long the compared answers took, in milliseconds. Undefined if there were none. */
  readonly latency: { readonly recorded: Latency; readonly replayed: Latency } | undefined
}

export interface ReplayScore {
  /** Takes both answers to a question. Returns how they compare; undefined if one is missing. */
  readonly add: (recorded: Answer, replayed: Answer, texts: Texts) => Match | undefined
  readonly refused: (by: "recorded" | "replayed", times: number) => void
  /** A person has ended a recorded suggestion. Returns the other agent's id of the same one; undefined if it has none. */
  readonly ended: (id: string, end: End) => string | undefined
  readonly figures: () => Figures
}

/** Most recorded suggestions that a person may still end. Those of a few answers are open at any time. */
const mostOpen = 5000

export const make = (): ReplayScore => {
  const matches: Record<Match, number> = {
    first: 0,
    other: 0,
    different: 0,
    onlyRecorded: 0,
    onlyReplayed: 0,
    nothing: 0
  }
  const accepted = { all: 0, again: 0, first: 0 }
  const dismissed = { all: 0, again: 0, first: 0 }
  const refused = { recorded: 0, replayed: 0 }
  const latencies = { recorded: new Map<number, number>(), replayed: new Map<number, number>() }
  let [questions, compared, unansweredRecorded, failedReplayed, withheld] = [0, 0, 0, 0, 0]
  /** The recorded suggestions, and the same ones of the other agent. */
  const open = new Map<string, { readonly id: string; readonly isFirst: boolean } | undefined>()

  const offer = (
    recorded: ReadonlyArray<Suggestion>,
    replayed: ReadonlyArray<Suggestion>,
    places: ReadonlyArray<number>
  ) => {
    recorded.forEach(({ id }, index) => {
      const at = places[index] ?? -1
      const same = replayed[at]
      open.set(id, same && { id: same.id, isFirst: at === 0 })
    })
    for (const oldest of open.keys()) {
      if (open.size <= mostOpen) break
      open.delete(oldest)
    }
  }

  const compare = (recorded: Answered, replayed: Answered, texts: Texts): Match => {
    const places = placesIn(recorded.suggestions, replayed.suggestions, texts)
    offer(recorded.suggestions, replayed.suggestions, places)
    if (recorded.suggestions.length === 0) return replayed.suggestions.length === 0 ? "nothing" : "onlyReplayed"
    if (replayed.suggestions.length === 0) return "onlyRecorded"
    if (places[0] === 0) return "first"
    return places.some((place) => place >= 0) ? "other" : "different"
  }

  return {
    add: (recorded, replayed, texts) => {
      questions += 1
      if (replayed.type === "withheld") withheld += 1
      else if (replayed.type !== "answered") failedReplayed += 1
      if (recorded.type !== "answered") {
        unansweredRecorded += 1
        return undefined
      }
      if (replayed.type !== "answered") {
        offer(recorded.suggestions, [], [])
        return undefined
      }
      compared += 1
      count(latencies.recorded, recorded.latencyMs)
      count(latencies.replayed, replayed.latencyMs)
      const match = compare(recorded, replayed, texts)
      matches[match] += 1
      return match
    },
    refused: (by, times) => {
      refused[by] += times
    },
    ended: (id, end) => {
      if (!open.has(id)) return undefined
      const same = open.get(id)
      open.delete(id)
      const counts = end === "accepted" ? accepted : end === "rejected" ? dismissed : undefined
      if (counts !== undefined) {
        counts.all += 1
        if (same !== undefined) counts.again += 1
        if (same?.isFirst === true) counts.first += 1
      }
      return same?.id
    },
    figures: () => {
      const [recorded, replayed] = [latencyOf(latencies.recorded), latencyOf(latencies.replayed)]
      return {
        questions,
        compared,
        ...matches,
        unansweredRecorded,
        failedReplayed,
        withheld,
        refused: { ...refused },
        accepted: { ...accepted },
        dismissed: { ...dismissed },
        latency: recorded && replayed && { recorded, replayed }
      }
    }
  }
}

const count = (times: Map<number, number>, milliseconds: number): void => {
  const value = Math.round(milliseconds)
  times.set(value, (times.get(value) ?? 0) + 1)
}

const latencyOf = (times: ReadonlyMap<number, number>): Latency | undefined => {
  const values = [...times]
    .map(([value, times]) => ({ value, times }))
    .toSorted((one, other) => one.value - other.value)
  const [p50, p95] = [percentile(values, 50), percentile(values, 95)]
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 }
}
