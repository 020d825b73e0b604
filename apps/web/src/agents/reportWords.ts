/** A report of what an agent does of the protocol, in words. Pure. */
import { type ConformanceReport, ProbeArea, type ProbeResult, type Verdict } from "@signalbox/contracts/Conformance"
import type { LampStatus } from "../design/status.ts"
import { count } from "../words/figures.ts"

export const areaName: { readonly [Area in ProbeArea]: string } = {
  connection: "Connection",
  start: "Start",
  login: "Sign-in",
  sessions: "Sessions",
  settings: "Settings",
  prompts: "Prompts",
  suggestions: "Suggestions",
  lines: "What it writes",
  end: "End"
}

export const verdictWord: { readonly [V in Verdict]: string } = {
  holds: "Holds",
  quirk: "Quirk",
  broken: "Broken",
  untried: "Not tried"
}

export const verdictLamp: { readonly [V in Verdict]: LampStatus } = {
  holds: "completed",
  quirk: "limited",
  broken: "failed",
  untried: "todo"
}

/** What the agent says of itself; nothing where there is nothing to say. */
export const claimWord = ({ claimed }: ProbeResult): string => (claimed === undefined ? "" : claimed ? "yes" : "no")

/** "31 hold, 4 quirks, 1 broken, 6 not tried", without what there is none of. */
export const summaryOf = (results: ReadonlyArray<ProbeResult>): string => {
  const of = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  const parts = [
    ...(of("holds") > 0 ? [`${of("holds")} ${of("holds") === 1 ? "holds" : "hold"}`] : []),
    ...(of("quirk") > 0 ? [count(of("quirk"), "quirk")] : []),
    ...(of("broken") > 0 ? [`${of("broken")} broken`] : []),
    ...(of("untried") > 0 ? [`${of("untried")} not tried`] : [])
  ]
  return parts.length === 0 ? "Nothing was tried" : parts.join(", ")
}

/** The results by what they look at, in the order of a report. While it is made they come as they are known. */
export const byArea = (
  results: ReadonlyArray<ProbeResult>
): ReadonlyArray<readonly [ProbeArea, ReadonlyArray<ProbeResult>]> => {
  const of = Map.groupBy(results, ({ area }) => area)
  return ProbeArea.literals.flatMap((area) => {
    const those = of.get(area)
    return those === undefined ? [] : [[area, those] as const]
  })
}

/** Who was looked at: "keeper 1.0.0". */
export const agentWords = ({ agent: { name, version } }: ConformanceReport): string =>
  [name, version].filter((part) => part !== undefined).join(" ")
