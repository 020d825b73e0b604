/** A conformance report as a table for people. */
import type { ConformanceReport, ProbeResult, Verdict } from "@signalbox/contracts/Conformance"
import { oneLine } from "../../base/Plain.ts"
import { countText } from "../terminal/Amount.ts"
import { wrapped } from "../terminal/LineBreaks.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

const marks: Readonly<Record<Verdict, string>> = { holds: "✓", quirk: "!", broken: "✗", untried: "–" }

const columns: ReadonlyArray<Column<ProbeResult>> = [
  { heading: "", cell: ({ verdict }) => marks[verdict] },
  { heading: "CAPABILITY", cell: ({ capability }) => capability },
  { heading: "CLAIMED", cell: ({ claimed }) => (claimed === undefined ? "" : claimed ? "yes" : "no") },
  { heading: "SEEN", cell: ({ durationMs, seen }) => oneLine([seen, ...timeText(durationMs)].join(", "), 200) }
]

const timeText = (ms: number | undefined): ReadonlyArray<string> => {
  if (ms === undefined) return []
  return [ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`]
}

/** The report as text. Quirks stand below their result, and column widths fit the whole report. */
export const reportText = (report: ConformanceReport, width = Terminal.width()): string => {
  const { agent, commandLine, processes, protocolVersion, results, withModel } = report
  const [headings = "", ...rows] = table(columns, results, width)
  const version = agent.version === undefined ? "" : ` ${agent.version}`
  const spoken = protocolVersion === undefined ? "" : `, version ${protocolVersion} of the protocol`
  const lines = [
    wrapped(oneLine(`${agent.name ?? "An agent"}${version}${spoken}`, 400), width),
    wrapped(oneLine(commandLine, 400), width),
    "",
    headings,
    ...results.flatMap((result, index) => [
      rows[index] ?? "",
      ...notes(result).map((note) => wrapped(`     ${oneLine(note, 400)}`, width))
    ]),
    "",
    ...(processes === undefined ? [] : [wrapped(oneLine(processes, 1000), width), ""]),
    wrapped(summary(results, withModel), width)
  ]
  return lines.join("\n")
}

/** The quirk of a result. A failed result also quotes the agent. */
const notes = ({ quirk, said, verdict }: ProbeResult): ReadonlyArray<string> => [
  ...(quirk === undefined ? [] : [quirk]),
  ...(said === undefined || verdict === "holds" ? [] : [`It says: ${said}`])
]

const summary = (results: ReadonlyArray<ProbeResult>, withModel: boolean): string => {
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length
  const counts = `${marks.holds} ${count("holds")} as it should be, ${marks.quirk} ${countText(count("quirk"), "quirk")}, ${marks.broken} ${count("broken")} broken, ${marks.untried} ${count("untried")} not tried.`
  return withModel ? counts : `${counts} Its model was asked for nothing: --model does that.`
}
