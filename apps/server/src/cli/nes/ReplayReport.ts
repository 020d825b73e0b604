/** The report of a replay, for people and for programs. */
import type { Overview } from "../../recording/RecordingReader.ts"
import { oneLine } from "../../base/Plain.ts"
import { countText } from "../terminal/Amount.ts"
import { jsonText } from "../terminal/JsonText.ts"
import type { PlayedQuestion } from "./ReplayPlayer.ts"
import type { Answer, Figures, Match } from "./ReplayScore.ts"

export interface Replayed {
  readonly overview: Overview
  /** The other agent, as it names itself. */
  readonly agent: string
  readonly figures: Figures
}

const matchWords: Readonly<Record<Match, string>> = {
  first: "the same suggestion first",
  other: "the same suggestion, further down",
  different: "other suggestions",
  onlyRecorded: "suggestions in the recording only",
  onlyReplayed: "suggestions in the replay only",
  nothing: "nothing from both"
}

/** A few lines for a terminal. What did not occur has no line. */
export const text = ({ agent, figures, overview }: Replayed): string => {
  const { accepted, compared, dismissed, latency } = figures
  const rows = matches(figures).map(({ match, times }) => [shareText(times, compared), matchWords[match]])
  return [
    ...aligned([
      ["Recorded", `${namesOf(overview)}, ${spanText(overview)}`],
      ["", `${countText(overview.changes, "change")} in ${countText(overview.documents, "document")}`],
      ["Replayed", oneLine(agent)]
    ]),
    "",
    `${countText(figures.questions, "question")}, ${compared} answered by both`,
    ...aligned(rows, "  "),
    ...leftOut(figures),
    "",
    ...aligned([
      ["Accepted", againText(accepted)],
      ...(dismissed.all > 0 ? [["Dismissed", againText(dismissed)]] : []),
      ...(latency === undefined
        ? []
        : [
            ["Latency", `recorded  ${latencyText(latency.recorded)}`],
            ["", `replayed  ${latencyText(latency.replayed)}`]
          ])
    ]),
    ""
  ].join("\n")
}

/** The agents of the recording, with their versions if they ran. */
const namesOf = ({ agents, begun }: Overview): string =>
  oneLine(agents.length === 0 ? begun.agent.name : agents.join(", "))

const matches = (figures: Figures): ReadonlyArray<{ readonly match: Match; readonly times: number }> =>
  (["first", "other", "different", "onlyRecorded", "onlyReplayed", "nothing"] as const)
    .map((match) => ({ match, times: figures[match] }))
    .filter(({ times }) => times > 0)

/** Why the other questions are not compared, and what was left out of the answers. */
const leftOut = ({ failedReplayed, refused, unansweredRecorded, withheld }: Figures): ReadonlyArray<string> => {
  const lines = [
    [unansweredRecorded, `without an answer in the recording`],
    [failedReplayed, `without an answer in the replay`],
    [withheld, `about a file that is not sent any more`]
  ] as const
  return [
    ...lines.flatMap(([times, words]) => (times === 0 ? [] : [`${countText(times, "question")} ${words}`])),
    ...(refused.recorded + refused.replayed === 0
      ? []
      : [
          `${countText(refused.recorded, "suggestion")} of the recording and ${refused.replayed} of the replay could not be shown`
        ])
  ]
}

const againText = ({ again, all, first }: Figures["accepted"]): string => {
  if (all === 0) return "none in the recording"
  if (again === 0) return `${all} in the recording, none suggested again`
  const firsts = first === again ? "" : `, ${first} of them first`
  return `${all} in the recording, ${again} suggested again (${percentText(again, all)})${firsts}`
}

const latencyText = ({ p50, p95 }: { readonly p50: number; readonly p95: number }): string =>
  `p50 ${p50} ms, p95 ${p95} ms`

const shareText = (times: number, all: number): string => `${times}  ${percentText(times, all).padStart(5)}`

const percentText = (times: number, all: number): string => {
  const percent = (times * 100) / all
  // Not all is never 100 %, and some are never 0 %.
  return `${times === all ? 100 : Math.min(99, Math.max(times > 0 ? 1 : 0, Math.round(percent)))} %`
}

const spanText = ({ begun, lastAt }: Overview): string => {
  const [from = "", to = ""] = [begun.at, lastAt].map((at) => new Date(at).toISOString().slice(0, 16).replace("T", " "))
  if (to === from) return `${from} UTC`
  return `${from} to ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to} UTC`
}

/** Rows whose first column is as wide as its widest cell. Numbers stand right. */
const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>, indent = ""): ReadonlyArray<string> => {
  const width = Math.max(0, ...rows.map(([first = ""]) => first.length))
  return rows.map(([first = "", rest = ""]) =>
    `${indent}${/^\d/.test(first) ? first.padStart(width) : first.padEnd(width)}  ${rest}`.trimEnd()
  )
}

/** The last line of `--json`. */
export const json = ({ agent, figures, overview }: Replayed): string =>
  jsonText({
    type: "report",
    recorded: { agent: overview.begun.agent, names: overview.agents, path: overview.path, ending: overview.ending },
    replayed: agent,
    ...figures
  })

/** A line of `--json` for each question. Suggestions are named where they are not the same. */
export const questionJson = ({ asked, line, match, recorded, replayed }: PlayedQuestion): string => {
  const { position, trigger, uri } = asked
  const isShown = match !== "first" && match !== "nothing"
  return jsonText({
    type: "question",
    line,
    uri,
    position,
    trigger,
    ...(match !== undefined && { match }),
    recorded: answerOf(recorded, isShown),
    replayed: answerOf(replayed, isShown)
  })
}

const answerOf = (answer: Answer, isShown: boolean): object =>
  answer.type === "answered"
    ? { latencyMs: answer.latencyMs, ...(isShown && { suggestions: answer.suggestions }) }
    : { none: answer.type }
