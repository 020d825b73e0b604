/** What became of suggestions, as text for a terminal. */
import { refusalWords } from "@signalbox/contracts/RefusalWords"
import type { AgentSuggestions, SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import { oneLine } from "../../base/Plain.ts"
import { countText } from "../terminal/Amount.ts"
import { problemText } from "../terminal/ProblemText.ts"
import { type Column, table } from "../terminal/Table.ts"

/** Lines with an empty one before them. There are none where nobody has chosen or asked an agent for suggestions. */
export const suggestionsText = ({ agents, chosen, problem }: SuggestionQuality): ReadonlyArray<string> => [
  ...(problem === undefined ? [] : ["", problemText(problem)]),
  ...(agents.length > 0
    ? ["", "Suggestions in the last 30 days", "", ...table(columns, agents), ...agents.flatMap(refusedText)]
    : chosen === undefined || problem !== undefined
      ? []
      : ["", "No agent was asked for suggestions yet."])
]

/** Why suggestions of an agent were refused. */
const refusedText = ({ last30Days: { reasons, refused }, name }: AgentSuggestions): ReadonlyArray<string> => {
  if (refused === 0) return []
  const words = reasons.map(({ reason, times }) => `${times} ${refusalWords[reason] ?? oneLine(reason, 40)}`)
  return [
    "",
    `${countText(refused, "suggestion", "suggestions")} of ${oneLine(name, 24)} could not be shown:`,
    ...words.map((word) => `  ${word}`)
  ]
}

const columns: ReadonlyArray<Column<AgentSuggestions>> = [
  { heading: "AGENT", cell: ({ name }) => oneLine(name, 24) },
  { heading: "ACCEPTED", cell: ({ last30Days }) => String(last30Days.accepted), right: true },
  { heading: "DISMISSED", cell: ({ last30Days }) => String(last30Days.dismissed), right: true },
  { heading: "UNUSED", cell: ({ last30Days }) => String(last30Days.ignored + last30Days.replaced), right: true },
  { heading: "LATE", cell: ({ last30Days }) => String(last30Days.stale), right: true },
  { heading: "REFUSED", cell: ({ last30Days }) => String(last30Days.refused), right: true },
  { heading: "P50", cell: ({ last30Days }) => latencyText(last30Days.latency?.p50), right: true },
  { heading: "P95", cell: ({ last30Days }) => latencyText(last30Days.latency?.p95), right: true }
]

const latencyText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "-" : `${milliseconds} ms`
