/** What a notification says of an agent's request. Pure. */
import { readTool } from "@signalbox/contracts/ToolReading"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { hidesItself, plain } from "../words/Plain.ts"
import type { WaitingRequest, WaitingThread } from "@signalbox/contracts/Waiting"

/** An answer that the agent offers, with its own name for it. */
export interface Answer {
  readonly optionId: string
  readonly name: string
}

export interface RequestText {
  readonly text: string
  /** Empty where the notification cannot show all that an answer would be about: then people look at the card first. */
  readonly answers: ReadonlyArray<Answer>
}

/** The longest that is shown whole. A notification cuts longer ones. */
const mostCharacters = 240

const asks = {
  question: "asks a question",
  plan: "proposes a plan",
  form: "asks you to fill in a form",
  url: "asks you to open an address"
} as const

/** Without the request itself, which may be too long for a list, only that there is one is said. */
export const textOf = (
  { cwd, provider, title }: Pick<WaitingThread, "cwd" | "provider" | "title">,
  { request, type }: Pick<WaitingRequest, "request" | "type">
): RequestText => {
  const agent = plain(provider.name)
  const where = `in “${plain(title)}”`
  if (type !== "approval") return { text: `${agent} ${asks[type]} ${where}.`, answers: [] }
  const wish = request?.type === "approval" ? wishOf(request.tool, cwd) : undefined
  const names = request?.type === "approval" ? request.options.map(({ name }) => plain(name)) : []
  if (wish === undefined || request?.type !== "approval" || wish.length > mostCharacters || !areClear(names))
    return { text: `${agent} asks for your approval ${where}.`, answers: [] }
  return {
    text: `${agent} wants to ${wish} ${where}.`,
    answers: request.options.map(({ name, optionId }) => ({ optionId, name: plain(name) }))
  }
}

/** The longest name of an answer that a button shows whole. */
const longestName = 40

/** Whether people see which answer is which. */
const areClear = (names: ReadonlyArray<string>): boolean =>
  new Set(names).size === names.length && names.every((name) => name !== "" && name.length <= longestName)

/** All that the call would do, in a few words. Undefined where that needs more room: changes of files, inputs of tools. */
const wishOf = (tool: ToolCall, cwd: string): string | undefined => {
  const { alsoNames, diffs, facts, gaps, subject, unread, words } = readTool(tool, cwd)
  if ([alsoNames, diffs, facts, gaps, unread, words].some(({ length }) => length > 0)) return undefined
  if (subject.type === "command" && hidesItself(subject.command)) return undefined
  if (subject.type === "command") return `run: ${plain(subject.command)}`
  return subject.type === "url" ? `fetch ${plain(subject.url)}` : undefined
}
