/** Requests in the words of the inbox. Titles are ours; what agents say stands in the cards only. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { outside, placeOf } from "@signalbox/contracts/Paths"
import type { WaitingRequest } from "@signalbox/contracts/Waiting"
import { inputOf, readTool, type ToolReading } from "@signalbox/contracts/ToolReading"
import { readCommand } from "../requests/command.ts"
import { isAlarming } from "../requests/Verdict.tsx"
import { approvalWish } from "../requests/approvalWords.ts"
import { count } from "../words/figures.ts"
import { elapsed } from "../words/time.ts"
import type { InboxRow } from "./inboxRows.ts"

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const titles: Readonly<Record<WaitingRequest["type"], string>> = {
  approval: "Approve a request",
  question: "Answer a question",
  plan: "Accept a plan",
  form: "Fill in a form",
  url: "Open an address"
}

/** What is asked, such as "Run a command in 3 parts". `code`: the one command, as it was sent. */
export const titleOf = ({ request, type }: WaitingRequest): { readonly title: string; readonly code?: string } => {
  if (request === undefined) return { title: titles[type] }
  switch (request.type) {
    case "approval": {
      const { subject } = inputOf(request.tool)
      return subject.type === "command" && readCommand(subject.command).parts.length === 1
        ? { title: "Run", code: subject.command }
        : { title: capital(approvalWish(request.tool)) }
    }
    case "question":
      return { title: request.questions.length > 1 ? `Answer ${request.questions.length} questions` : titles.question }
    case "plan": {
      const steps = request.entries.length
      return { title: steps === 0 ? titles.plan : `Accept a plan of ${count(steps, "step")}` }
    }
    case "form":
    case "url":
      return { title: titles[request.type] }
  }
}

/** What is special about it, in a line. `isWarning`: it leaves the project, or can't be seen through. */
export const noteOf = ({ members }: InboxRow): { readonly note: string; readonly isWarning?: true } | undefined => {
  const [{ thread, waiting }] = members
  const warning = waiting.request && warningOf(waiting.request, thread.cwd)
  if (warning !== undefined) return { note: warning, isWarning: true }
  if (members.length > 1) return { note: `${members.length} equal requests, answered together or one by one` }
  if (waiting.request === undefined) return { note: "Too long for this list" }
  return { note: usualNote(waiting.request) }
}

/** What the card marks, in the same words. */
const warningOf = (request: AgentRequest, cwd: string): string | undefined => {
  if (request.type !== "approval") return undefined
  const { judgement, links = [], revision = 0, tool } = request
  if (revision > 0) return "Changed while it was open"
  const reading = readTool(tool, cwd)
  const marks = pathsIn(reading).flatMap((path) => placeOf(path, cwd).mark ?? [])
  const leaves = links.some((link) => link.outside) || judgement?.commands.some(isAlarming)
  if (leaves || judgement?.paths.some((path) => path.outside) || marks.includes(outside)) return outside
  const isReadable = judgement?.inspectable !== false && (judgement?.obstacles ?? []).length + reading.gaps.length === 0
  if (!isReadable) return "Can’t be inspected"
  return marks[0]
}

/** All paths that the card of a request shows with their place. */
const pathsIn = ({ alsoNames, diffs, facts, subject }: ToolReading): ReadonlyArray<string> => [
  ...(subject.type === "file" ? [subject.path] : []),
  ...(subject.type === "search" && subject.path !== undefined ? [subject.path] : []),
  ...(subject.type === "command" && subject.cwd !== undefined ? [subject.cwd] : []),
  ...diffs.map(({ path }) => path),
  ...facts.flatMap(({ is, value }) => (is === "path" ? [value] : [])),
  ...alsoNames
]

const usualNote = (request: AgentRequest): string => {
  switch (request.type) {
    case "approval":
      return request.judgement?.rule === undefined ? "No rule matches" : "A rule asks"
    case "question": {
      const [question] = request.questions
      return request.questions.length === 1 && question !== undefined
        ? `Question with ${count(question.options.length, "option")}`
        : count(request.questions.length, "question")
    }
    case "plan":
      return "Nothing is changed yet"
    case "form":
      return `Form with ${count(request.fields.length, "field")}`
    case "url":
      return "Signalbox doesn’t open it"
  }
}

/** How long something waits: 1:19, and from 10 minutes on 11 m, 2 h, 3 d. */
export const waited = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 10) return elapsed(ms)
  if (minutes < 60) return `${minutes} m`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}
