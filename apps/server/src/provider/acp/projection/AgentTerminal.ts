/**
 * One terminal that the agent runs itself. Signalbox never made it, and knows it only from `_meta` of tool calls. Its
 * output is kept within the limits of terminals that run here.
 */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as OutputBuffer from "@signalbox/process/OutputBuffer"

/** Bytes of output: what is kept and shown after the end, and what is shown while it runs. */
const most = 1024 * 1024
const shownWhileRunning = 8 * 1024

export interface AgentTerminal {
  /** The terminal as people see it. */
  readonly view: ToolTerminal
  readonly isEnded: boolean
  /** Whether the terminal's call is over: `leave` was called. */
  readonly isLeft: boolean
  /** Adds the next piece of output. */
  readonly print: (data: string) => void
  readonly standIn: (cwd: string) => void
  readonly exit: (ending: Ending) => void
  /**
   * Ends the watch with the terminal's call. Without a reported exit, the end is unknown: the state becomes `unknown`.
   */
  readonly leave: () => void
  /** Whether `view` has changed since the last `refresh`, or lacks output. */
  readonly isFresh: boolean
  readonly refresh: () => void
}

export interface Ending {
  readonly exitCode?: number
  readonly signal?: string
}

/** Makes a terminal. `before`: the state that the call showed last, if any; the output continues from it. */
export const make = (terminalId: string, before: ToolTerminal | undefined): AgentTerminal => {
  let view: ToolTerminal = before ?? { terminalId, state: "unknown", output: "", truncated: false }
  let isLeft = false
  let isFresh = false
  /** Exists only while output comes: afterwards the view alone holds the output. */
  let buffer: OutputBuffer.OutputBuffer | undefined
  let isCut = view.truncated
  /** The first half of a surrogate pair whose second half is still to come. */
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
