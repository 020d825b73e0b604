/** The state of one tool call, and the status that follows from it. */
import { type FileDiff, type ToolCall, type ToolStatus, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { ToolOutcome } from "./ToolOutput.ts"

type WireStatus = "pending" | "in_progress" | "completed" | "failed"

/** The state of one tool call, and which of its events were emitted. */
export interface ToolEntry {
  readonly toolCallId: string
  tool: ToolCall
  input: unknown
  outcome: ToolOutcome
  /** The agent's name for the tool. */
  name: string | undefined
  /** Diffs that only a permission request has shown. */
  asked: ReadonlyArray<FileDiff>
  /** The existing terminals that the call names or reports, in their latest state. */
  readonly terminals: Map<string, ToolTerminal>
  /** Whether a terminal came or changed since `tool` was built. */
  isFresh: boolean
  /** The agent's own status. It only advances. */
  wire: WireStatus
  /** How Signalbox closed the call, if the agent did not. */
  closedAs: "cancelled" | "unfinished" | undefined
  /** Whether the last decision here refused it. */
  refusedHere: boolean
  started: boolean
  ended: boolean
  /** The call of requests that reuse this id after the agent ended this call. */
  next: ToolEntry | undefined
  /** The calls of requests that came with this id while another request of it was open. */
  others: ReadonlyArray<ToolEntry>
  /** Whether a request has said itself what this call does, and not only named it. */
  isSaid: boolean
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
  next: undefined,
  others: [],
  isSaid: false
})

/** A call that has this id, too, and begins as this one is now. What requests add to one of them, the other does not have. */
export const another = (entry: ToolEntry): ToolEntry => ({
  ...entry,
  terminals: new Map(entry.terminals),
  next: undefined,
  others: [],
  isSaid: false
})

/** Whether the agent reported the call's end. */
export const isOver = ({ wire }: ToolEntry): boolean => rank[wire] >= rank.completed

/** Applies the agent's own status. It only advances. */
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
 * Whether a refused call clearly ran in spite of that: it has an exit code, or a command's output. A status is only the
 * agent's claim, a diff shows only an intention, and text may report the refusal.
 */
const ranAllTheSame = ({ outcome: { refused, result }, terminals, wire }: ToolEntry): boolean => {
  if (refused || wire === "failed") return false
  const printed = Boolean(result?.stdout) || Boolean(result?.stderr)
  return printed || result?.exitCode !== undefined || [...terminals.values()].some(hasRun)
}

/** Whether a terminal has run. One that Signalbox made has; the agent's own is only announced until it reports more. */
const hasRun = ({ command, exitCode, output, signal }: ToolTerminal): boolean =>
  command !== undefined || exitCode !== undefined || signal !== undefined || output !== ""
