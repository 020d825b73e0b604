/** Figures of agents, from the rows of the file. Pure. */
import { ProviderId } from "@signalbox/contracts/Provider"
import type { AgentSuggestions, SuggestionFigures } from "@signalbox/contracts/SuggestionQuality"
import type { SuggestionsToday } from "@signalbox/contracts/Suggestions"
import { percentile } from "../base/Percentile.ts"
import type { Row, What } from "./TallyFile.ts"

/** The figures of each agent. The rows of an agent follow each other. */
export const ofRows = (rows: ReadonlyArray<Row>): ReadonlyArray<AgentSuggestions> => {
  const agents = new Map<string, Array<Row>>()
  for (const row of rows) {
    const key = JSON.stringify([row.provider, row.program])
    const found = agents.get(key)
    if (found === undefined) agents.set(key, [row])
    else found.push(row)
  }
  return [...agents.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { name, provider, since } = first
    return {
      providerId: ProviderId.make(provider),
      name,
      since,
      last30Days: figuresOf(own.map(({ detail, lately, what }) => ({ detail, what, times: lately }))),
      all: figuresOf(own.map(({ all, detail, what }) => ({ detail, what, times: all })))
    }
  })
}

/** How often something happened. */
export interface Times {
  readonly what: string
  readonly detail: number | string
  readonly times: number
}

/** What has become of suggestions that could be shown. */
export const ofToday = (counts: ReadonlyArray<Pick<Times, "times" | "what">>): SuggestionsToday => {
  const { accepted, dismissed, ignored, replaced } = figuresOf(counts.map((one) => ({ ...one, detail: "" })))
  return { accepted, dismissed, unused: ignored + replaced }
}

export const figuresOf = (counts: ReadonlyArray<Times>): SuggestionFigures => {
  const of = (wanted: What) => counts.filter(({ times, what }) => what === wanted && times > 0)
  const sum = (wanted: What) => of(wanted).reduce((total, { times }) => total + times, 0)
  const answers = of("answered")
    .map(({ detail, times }) => ({ value: Number(detail), times }))
    .toSorted((one, other) => one.value - other.value)
  const [p50, p95] = [percentile(answers, 50), percentile(answers, 95)]
  return {
    accepted: sum("accepted"),
    dismissed: sum("rejected"),
    ignored: sum("ignored"),
    replaced: sum("replaced"),
    stale: sum("cancelled"),
    refused: sum("refused"),
    reasons: of("refused")
      .map(({ detail, times }) => ({ reason: String(detail), times }))
      .toSorted((one, other) => other.times - one.times || (one.reason < other.reason ? -1 : 1)),
    answered: sum("answered"),
    overtaken: sum("overtaken"),
    failed: sum("failed"),
    ...(p50 !== undefined && p95 !== undefined && { latency: { p50, p95 } })
  }
}
