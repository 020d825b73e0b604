/** All probes about suggestions of the next edit, a frozen extension of the protocol, in the order of a report. */
import type { Probe } from "./Probe.ts"
import { suggestedEditProbes } from "./SuggestedEditProbes.ts"
import { suggestionAnswerProbes } from "./SuggestionAnswerProbes.ts"
import { suggestionRefusalProbes } from "./SuggestionRefusalProbes.ts"
import { suggestionSessionProbes } from "./SuggestionSessionProbes.ts"
import { suggestionStartProbes } from "./SuggestionStartProbes.ts"

export const suggestionProbes: ReadonlyArray<Probe> = [
  ...suggestionStartProbes,
  ...suggestionSessionProbes,
  ...suggestionAnswerProbes,
  ...suggestedEditProbes,
  ...suggestionRefusalProbes
]
