/** What a notification says of an agent's request. Pure. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import { readTool } from "@signalbox/contracts/ToolReading"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
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
  const agent = provider.name
  const where = `in “${shown(title)}”`
  if (type !== "approval") return { text: `${agent} ${asks[type]} ${where}.`, answers: [] }
  const wish = request?.type === "approval" ? wishOf(request.tool, cwd) : undefined
  if (wish === undefined || request?.type !== "approval" || wish.length > mostCharacters)
    return { text: `${agent} asks for your approval ${where}.`, answers: [] }
  return {
    text: `${agent} wants to ${wish} ${where}.`,
    answers: request.options.map(({ name, optionId }) => ({ optionId, name: shown(name) }))
  }
}

/** All that the call would do, in a few words. Undefined where that needs more room: changes of files, inputs of tools. */
const wishOf = (tool: ToolCall, cwd: string): string | undefined => {
  const { alsoNames, diffs, facts, gaps, subject, unread, words } = readTool(tool, cwd)
  if ([alsoNames, diffs, facts, gaps, unread, words].some(({ length }) => length > 0)) return undefined
  if (subject.type === "command") return `run: ${shown(subject.command)}`
  return subject.type === "url" ? `fetch ${shown(subject.url)}` : undefined
}

const shown = (text: string): string => inText(revealAll(text))
