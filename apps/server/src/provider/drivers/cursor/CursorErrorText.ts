/**
 * Cursor reports many failures of a turn as a message. Then it ends the turn with `end_turn` as if all were well. The last run of text of a
 * turn is taken for such a report only if it starts with `Error:`. So are the sentences that Cursor is known to end with. Where Cursor fails
 * in the middle of an answer, it appends its report as a paragraph: that counts only under one of Cursor's own names for errors, at the very
 * end. It does not count where the text quotes it. Text that merely speaks of errors is never a report.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Problems from "./CursorProblems.ts"

/** The text and stop reason that a turn ended with → the problem, where it certainly is one. */
export const problemIn = (lastText: string, stopReason: string): Problem | undefined => {
  if (stopReason !== "end_turn") return undefined
  const text = lastText.trim()
  const report = isReport(text) ? text : appendedReport(text)
  if (report !== undefined) return classify(report)
  if (usageSentence.test(text)) return Problems.usageLimit(`It ended the turn with “${text}”.`)
  const sentence = text.replace(/[.!]$/, "")
  return sentences.get(sentence)?.(`It ended the turn with the sentence “${sentence}”.`)
}

/** The problem in an error's `data.details` (−32603). Undefined if the text is not recognised. */
export const problemInDetails = (details: string): Problem | undefined => {
  const text = details.trim().replace(/^Error:\s*/, "")
  if (!named.test(text) && !isTelling(text)) return undefined
  return classify(`Error: ${text}`)
}

const reportMark = "Error:"

/**
 * Matches Cursor's names for errors: `RetriableError: [unavailable] …`, minified `T: [internal] …`, `[unauthenticated]
 * …`, and two without such a name.
 */
const named =
  /^(?:(?:Retriable|NonRetriable|ActionRequired|Cancelled|Connect)Error\b|(?:[A-Z]\w*: )?\[[a-z_]+\]|AI Model Not Found\b|getaddrinfo E)/

const isNamed = (report: string): boolean => named.test(report.slice(reportMark.length).trimStart())

/**
 * Whether a text is a report. A report is one paragraph; only one with a name of Cursor's errors may be followed by
 * more.
 */
const isReport = (text: string): boolean =>
  text.startsWith(reportMark) && text.length > reportMark.length && (!/\n\s*\n/.test(text) || isNamed(text))

const appendedReport = (text: string): string | undefined => {
  const start = text.lastIndexOf(`\n\n${reportMark}`)
  if (start === -1) return undefined
  const before = text.slice(0, start).trimEnd()
  const report = text.slice(start).trimStart()
  const quoted = before.endsWith(":") || before.split("```").length % 2 === 0
  return isNamed(report) && !quoted && !/\n\s*\n/.test(report) ? report : undefined
}

/** Matches the text about usage: Cursor varies it after its beginning. */
const usageSentence = /^You(?:'|’)ve hit your usage limit\b[^\n]*$/

const changeSettings = { action: "set-option", label: "Change the session's settings" } as const

const sentences: ReadonlyMap<string, (cause: string) => Problem> = new Map([
  ["Please sign in to continue", (cause) => Problems.authRequired(cause)],
  ["Upgrade your plan to continue", (cause) => Problems.usageLimit(cause)],
  ["Add a payment method to continue", (cause) => Problems.usageLimit(cause)],
  ["Check your settings to continue", (cause: string) => Problems.reportedError(cause, [changeSettings])]
])

const modelMissing = /AI Model Not Found/i
const unauthenticated = /\[unauthenticated\]|Authentication required|sign in to continue/i
const limited = /\[resource_exhausted\]|usage limit|Upgrade your plan to continue|Add a payment method to continue/i
/** Matches errors that would occur again with the same prompt, in Cursor's own judgement. */
const lasting = /^Error:\s*(?:NonRetriable|ActionRequired)Error\b/

const isTelling = (text: string): boolean => [modelMissing, unauthenticated, limited].some((mark) => mark.test(text))

const classify = (text: string): Problem => {
  const cause = `It said: “${text}”`
  if (modelMissing.test(text)) return Problems.modelRefused(/Model name is not valid: "([^"]+)"/.exec(text)?.[1], cause)
  if (unauthenticated.test(text)) return Problems.authRequired(cause)
  if (limited.test(text)) return Problems.usageLimit(cause)
  if (text.includes("Check your settings to continue")) return Problems.reportedError(cause, [changeSettings])
  return Problems.reportedError(cause, lasting.test(text) ? [] : [Problems.sendAgain])
}
