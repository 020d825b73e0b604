/** What is known of one call, and the status that follows from it. */
import { type FileDiff, type ToolCall, type ToolStatus, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { ToolOutcome } from "./ToolOutput.ts"

type WireStatus = "pending" | "in_progress" | "completed" | "failed"

/** What is known of one call, and how far it has been told. */
export interface ToolEntry {
  readonly toolCallId: string
  tool: ToolCall
  input: unknown
  outcome: ToolOutcome
  /** The tool that is called, by the agent's name for it. */
  name: string | undefined
  /** The changes that only a request for permission told of. */
  asked: ReadonlyArray<FileDiff>
  /** The terminals that it names or tells of and that there are, as they are now. */
  readonly terminals: Map<string, ToolTerminal>
  /** One of them is there, or has changed, since the call was put together. */
  isFresh: boolean
  /** The agent's own status. It only goes forward. */
  wire: WireStatus
  /** How we closed it when the agent did not. */
  closedAs: "cancelled" | "unfinished" | undefined
  /** The last answer that was given here refused it. */
  refusedHere: boolean
  started: boolean
  ended: boolean
  /** What requests ask about under this id since the agent said that the call is over. */
  next: ToolEntry | undefined
}

const nothing: ToolOutcome = { result: undefined, refused: false }
const rank: Readonly<Record<WireStatus, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 3 }

export const make = (toolCallId: string, at: number): ToolEntry => ({
  toolCallId,
  tool: {
    toolCallId,
    title: "",
    kind: "other",
    status: "pending",
    subject: { type: "none" },
    diffs: [],
    content: [],
    locations: [],
    startedAt: at
  },
  input: undefined,
  outcome: nothing,
  name: undefined,
  asked: [],
  terminals: new Map(),
  isFresh: false,
  wire: "pending",
  closedAs: undefined,
  refusedHere: false,
  started: false,
  ended: false,
  next: undefined
})

/** Whether the call is over, by the agent's own word. */
export const isOver = ({ wire }: ToolEntry): boolean => rank[wire] >= rank.completed

/** Takes in the agent's own status. It only goes forward. */
export const progress = (entry: ToolEntry, status: WireStatus | null | undefined): void => {
  if (status !== undefined && status !== null && rank[status] > rank[entry.wire]) entry.wire = status
}

/** The status that follows from all that is known. */
export const statusOf = (entry: ToolEntry): ToolStatus => {
  const { closedAs, outcome, refusedHere, wire } = entry
  if (wire === "pending" || wire === "in_progress") {
    if (closedAs === undefined) return wire
    return refusedHere ? "rejected" : closedAs
  }
  if (refusedHere && !ranAllTheSame(entry)) return "rejected"
  if (wire === "failed" || outcome.result?.error !== undefined) return "failed"
  return "completed"
}

/**
 * Whether something of a refused call shows that it was done in spite of that: an exit code, or what a command printed. A status is only the
 * agent's word, and a diff says what was wanted. A text may as well report the refusal.
 */
const ranAllTheSame = ({ outcome: { refused, result }, terminals, wire }: ToolEntry): boolean => {
  if (refused || wire === "failed") return false
  const printed = Boolean(result?.stdout) || Boolean(result?.stderr)
  return printed || result?.exitCode !== undefined || [...terminals.values()].some(hasRun)
}

/** One that we made has run for certain. One of the agent's own is only announced until it tells more. */
const hasRun = ({ command, exitCode, output, signal }: ToolTerminal): boolean =>
  command !== undefined || exitCode !== undefined || signal !== undefined || output !== ""
