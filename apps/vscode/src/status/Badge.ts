/** The number on the icon of the chat: what people have still to do. Pure. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"

export interface Badge {
  readonly value: number
  readonly tooltip: string
}

type Row = Pick<ThreadSummary, "draft" | "waitingFor">

/** Counts the threads that wait for an answer, and those with a prompt that was not sent. Undefined where there is neither. */
export const badgeOf = (threads: ReadonlyArray<Row> | undefined): Badge | undefined => {
  const waiting = threads?.filter(({ waitingFor }) => waitingFor !== undefined).length ?? 0
  const drafts = threads?.filter(({ draft }) => draft === true).length ?? 0
  if (waiting + drafts === 0) return undefined
  const words = [
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
    ...(drafts > 0 ? [drafts === 1 ? "1 prompt not sent" : `${drafts} prompts not sent`] : [])
  ]
  return { value: waiting + drafts, tooltip: words.join(", ") }
}
