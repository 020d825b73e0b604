/**
 * Cursor reports many failures of a turn as a message, and then ends the turn with `end_turn` as if all were well. What a
 * turn ends with is taken for such a report only if its whole last run of text is one: it starts with `Error:`, or it is
 * one of the sentences that Cursor is known to end with. Text that merely speaks of errors is never one.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Problems from "./CursorProblems.ts"

/** The text and stop reason that a turn ended with → the problem, where it certainly is one. */
export const problemIn = (lastText: string, stopReason: string): Problem | undefined => {
  if (stopReason !== "end_turn") return undefined
  const text = lastText.trim()
  if (isReport(text)) return classify(text)
  const sentence = text.replace(/[.!]$/, "")
  return sentences.get(sentence)?.(`It ended the turn with the sentence “${sentence}”.`)
}

/** The same for an error that came as one (`data.details` of −32603), which says what it is. */
export const problemInDetails = (details: string): Problem | undefined => {
  const text = details.trim().replace(/^Error:\s*/, "")
  if (!named.test(text) && !isTelling(text)) return undefined
  return classify(`Error: ${text}`)
}

const reportMark = "Error:"

/** `RetriableError: [unavailable] …`, `ConnectError: [aborted] …`, minified `T: [internal] …`, `[unauthenticated] …`. */
const named = /^(?:(?:Retriable|NonRetriable|ActionRequired|Cancelled|Connect)Error\b|(?:[A-Z]\w*: )?\[[a-z_]+\])/

/** A report is one paragraph; only an error that bears one of Cursor's own names may be followed by more. */
const isReport = (text: string): boolean =>
  text.startsWith(reportMark) &&
  text.length > reportMark.length &&
  (!/\n\s*\n/.test(text) || named.test(text.slice(reportMark.length).trimStart()))

const sentences: ReadonlyMap<string, (cause: string) => Problem> = new Map([
  ["Please sign in to continue", (cause) => Problems.authRequired(cause)],
  ["Upgrade your plan to continue", (cause) => Problems.usageLimit(cause)],
  ["Add a payment method to continue", (cause) => Problems.usageLimit(cause)],
  [
    "Check your settings to continue",
    (cause: string) => Problems.reportedError(cause, [{ action: "set-option", label: "Change the session's settings" }])
  ]
])

const modelMissing = /AI Model Not Found/i
const unauthenticated = /\[unauthenticated\]|Authentication required|sign in to continue/i
const limited = /\[resource_exhausted\]|usage limit|Upgrade your plan to continue|Add a payment method to continue/i
/** Cursor itself says that the same prompt would fail in the same way. */
const lasting = /^Error:\s*(?:NonRetriable|ActionRequired)Error\b/

const isTelling = (text: string): boolean => [modelMissing, unauthenticated, limited].some((mark) => mark.test(text))

const classify = (text: string): Problem => {
  const cause = `It said: “${text}”`
  if (modelMissing.test(text)) return Problems.modelRefused(/Model name is not valid: "([^"]+)"/.exec(text)?.[1], cause)
  if (unauthenticated.test(text)) return Problems.authRequired(cause)
  if (limited.test(text)) return Problems.usageLimit(cause)
  return Problems.reportedError(cause, lasting.test(text) ? [] : [Problems.sendAgain])
}
