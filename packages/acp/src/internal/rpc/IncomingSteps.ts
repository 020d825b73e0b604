/** What arrives, as steps to do in the order of the wire: a batch of notifications, or one other message. */
import { type Cancellation, classify, type Incoming } from "./Incoming.ts"
import type { Notification } from "./JsonRpc.ts"
import * as LineSplitter from "./LineSplitter.ts"
import * as Nesting from "./Nesting.ts"
import type { Line, WireLines } from "./WireLines.ts"

/** A message that is a step by itself. */
export type Single = Exclude<Incoming, { readonly _tag: "Notification" | "Noise" }>

export type Step =
  /** `lines` are those that are still to be shown to the tap. */
  | { readonly _tag: "Batch"; readonly notifications: Array<Notification>; readonly lines: Array<Line> | undefined }
  | { readonly _tag: "Oversized"; readonly head: string }
  | { readonly _tag: "Noise"; readonly line: Line }
  /** `message` may be looked at in its outermost members only. */
  | { readonly _tag: "Deep"; readonly line: Line; readonly message: unknown }
  | { readonly _tag: "Message"; readonly incoming: Single; readonly line: Line }

export interface IncomingSteps {
  /** The steps that these chunks complete. A string is a whole line. */
  readonly push: (chunks: ReadonlyArray<Uint8Array | string>) => ReadonlyArray<Step>
  /** The last step, if the input ended without a newline. */
  readonly end: () => ReadonlyArray<Step>
}

/** @param isTapped whether lines have to be kept until it is their turn to be shown */
export const make = (
  lines: WireLines,
  isTapped: boolean,
  maxLineBytes: number | undefined,
  cancellation?: Cancellation
): IncomingSteps => {
  let heads: Array<string> = []
  const longest = maxLineBytes ?? LineSplitter.defaultMaxLineBytes
  const splitter = LineSplitter.make({ maxLineBytes: longest, onOversized: (head) => heads.push(head) })

  const collect = (text: string, steps: Array<Step>) => {
    const number = lines.arrived()
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      steps.push({ _tag: "Noise", line: { text, message: undefined, number } })
      return
    }
    if (Nesting.isTooDeep(text)) {
      steps.push({ _tag: "Deep", line: { text, message: undefined, number }, message })
      return
    }
    const incoming = classify(message, text, number, cancellation)
    if (incoming._tag === "Notification") batch(incoming, text, message, steps)
    else if (incoming._tag === "Noise") steps.push({ _tag: "Noise", line: { text, message, number } })
    else steps.push({ _tag: "Message", incoming, line: { text, message, number } })
  }

  const batch = (notification: Notification, text: string, message: unknown, steps: Array<Step>) => {
    let last = steps[steps.length - 1]
    if (last?._tag !== "Batch") {
      // Nothing comes before the first step: its lines are shown at once, and not kept.
      last = { _tag: "Batch", notifications: [], lines: !isTapped || steps.length === 0 ? undefined : [] }
      steps.push(last)
    }
    last.notifications.push(notification)
    if (last.lines !== undefined) last.lines.push({ text, message, number: notification.line })
    else lines.show(text, message, notification.line)
  }

  const push: IncomingSteps["push"] = (chunks) => {
    const steps: Array<Step> = []
    for (const chunk of chunks) {
      if (typeof chunk !== "string") for (const text of splitter.push(chunk)) collect(text, steps)
      else if (chunk.length <= longest) collect(chunk, steps)
      else heads.push(chunk.slice(0, LineSplitter.headBytes))
    }
    // A line that was too long stands behind what came with it.
    for (const head of heads) steps.push({ _tag: "Oversized", head })
    heads = []
    return steps
  }

  return { push, end: () => push(splitter.end()) }
}
