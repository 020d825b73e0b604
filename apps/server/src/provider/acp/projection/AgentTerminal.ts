/**
 * One terminal of the agent's own: it was never made here, and all that is known of it comes in `_meta` of tool calls. What it printed is
 * kept within the bounds of terminals that run here.
 */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as OutputBuffer from "../../../workspace/OutputBuffer.ts"

/** Bytes: kept and shown in the end, and shown while it prints. */
const most = 1024 * 1024
const shownWhileRunning = 8 * 1024

export interface AgentTerminal {
  /** The terminal as it is shown. */
  readonly view: ToolTerminal
  readonly isEnded: boolean
  /** Its call is over, as `leave` says. */
  readonly isLeft: boolean
  /** What it prints comes in pieces, each behind the one before. */
  readonly print: (data: string) => void
  readonly standIn: (cwd: string) => void
  readonly exit: (ending: Ending) => void
  /** Its call is over. Without an exit nobody knows how the terminal ended, or whether it did. */
  readonly leave: () => void
  /** Whether `view` lacks something, or was not taken since it changed. */
  readonly isFresh: boolean
  readonly refresh: () => void
}

export interface Ending {
  readonly exitCode?: number
  readonly signal?: string
}

/** Goes on from what a call showed of it last, if any. */
export const make = (terminalId: string, before: ToolTerminal | undefined): AgentTerminal => {
  let view: ToolTerminal = before ?? { terminalId, state: "unknown", output: "", truncated: false }
  let isLeft = false
  let isFresh = false
  /** There only while it prints: what has ended is kept in the view alone. */
  let buffer: OutputBuffer.OutputBuffer | undefined
  let isCut = view.truncated
  /** The first half of a character whose other half is to come. */
  let half = ""

  const change = (members: Partial<ToolTerminal>) => {
    view = { ...view, ...members }
    isFresh = true
  }

  const refresh = () => {
    isFresh = false
    const isOver = isLeft || view.state === "exited"
    if (buffer === undefined) return
    if (isOver && half !== "") {
      buffer.push(Buffer.from(half))
      half = ""
    }
    const { text, truncated } = buffer.last(isOver ? most : shownWhileRunning, isOver)
    view = { ...view, output: text, truncated: isCut || truncated }
    if (!isOver) return
    isCut = view.truncated
    buffer = undefined
  }

  return {
    get view() {
      return view
    },
    get isEnded() {
      return view.state === "exited"
    },
    get isLeft() {
      return isLeft
    },
    get isFresh() {
      return isFresh
    },
    print: (data) => {
      if (data === "") return
      if (buffer === undefined) {
        buffer = OutputBuffer.make(most)
        buffer.push(Buffer.from(view.output))
      }
      const text = half + data
      const whole = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length
      half = text.slice(whole)
      buffer.push(Buffer.from(text.slice(0, whole)))
      change(view.state === "unknown" && !isLeft ? { state: "running" } : {})
    },
    standIn: (cwd) => {
      if (view.cwd !== cwd) change({ cwd })
    },
    exit: (ending) => change({ ...ending, state: "exited" }),
    leave: () => {
      isLeft = true
      if (view.state === "running") change({ state: "unknown" })
    },
    refresh
  }
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
