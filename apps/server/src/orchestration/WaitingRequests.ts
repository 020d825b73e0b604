/** The open requests of all threads, and their watchers. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { OpenRequest, ThreadHead } from "@signalbox/contracts/ThreadView"
import type { RequestsFrame, WaitingRequest, WaitingThread } from "@signalbox/contracts/Waiting"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as RowFeed from "./RowFeed.ts"

export interface WaitingRequests {
  /** Takes the requests of a thread as they are now. Synchronous, as the list of threads. */
  readonly changed: (head: ThreadHead) => void
  readonly removed: (threadId: ThreadId) => void
  readonly watch: Stream.Stream<RequestsFrame>
}

/** Most requests of one thread in the list. Others follow as these are answered. */
const mostOfThread = 100

/** Most characters of a request in the list, as JSON. A longer one is read in its thread. */
const longest = 256 * 1024

/** Most characters of the requests in one frame. */
const mostOfFrame = 1024 * 1024

export const make: Effect.Effect<WaitingRequests, never, Scope.Scope> = Effect.map(
  RowFeed.make<Measured>([], () => true),
  ({ changed, get, removed, watch }) => ({
    changed: (head) => {
      const before = get(head.threadId)
      if (head.requests.length === 0) {
        if (before !== undefined) removed(head.threadId)
      } else if (before === undefined || hasChanged(before, head)) changed(measured(head))
    },
    removed,
    watch: Stream.flatMap(watch, (frame) => Stream.fromIterable(framesOf(frame)))
  })
)

type Shown = Pick<ThreadHead, "cwd" | "provider" | "requests" | "title">

interface Measured extends RowFeed.Row {
  /** What the row was made of. */
  readonly from: Shown
  readonly row: WaitingThread
  readonly length: number
}

const hasChanged = ({ from }: Measured, { cwd, provider, requests, title }: Shown): boolean =>
  from.requests !== requests || from.title !== title || from.cwd !== cwd || from.provider !== provider

const measured = (head: ThreadHead): Measured => {
  const { cwd, provider, requests, threadId, title } = head
  const shown = requests.slice(0, mostOfThread).map(waitingOf)
  const more = requests.length - shown.length
  return {
    threadId,
    from: { cwd, provider, requests, title },
    row: {
      threadId,
      title,
      provider,
      cwd,
      requests: shown.map(({ waiting }) => waiting),
      ...(more > 0 && { more })
    },
    length: shown.reduce((sum, { length }) => sum + length, 0)
  }
}

/** Lengths of requests as JSON. Most stay the same while others come and go. */
const lengths = new WeakMap<object, number>()

const lengthOf = (request: OpenRequest["request"]): number => {
  const known = lengths.get(request)
  if (known !== undefined) return known
  const length = JSON.stringify(request).length
  lengths.set(request, length)
  return length
}

const waitingOf = ({
  answered,
  request
}: OpenRequest): { readonly waiting: WaitingRequest; readonly length: number } => {
  const { at, requestId, type } = request
  const length = lengthOf(request)
  const isLong = length > longest
  return {
    waiting: { requestId, type, at, answered, ...(!isLong && { request }) },
    length: isLong ? 0 : length
  }
}

/** Several frames if one would be too long. */
const framesOf = ({ removed, rows, type }: RowFeed.RowFrame<Measured>): ReadonlyArray<RequestsFrame> => {
  const parts: Array<Array<WaitingThread>> = [[]]
  let length = 0
  for (const measured of rows) {
    length += measured.length
    const part = parts.at(-1)
    if (part === undefined || (length > mostOfFrame && part.length > 0)) {
      parts.push([measured.row])
      length = measured.length
    } else part.push(measured.row)
  }
  return parts.map((threads, index): RequestsFrame => {
    if (index > 0) return { type: "changed", threads }
    return type === "snapshot" ? { type, threads } : { type, threads, ...(removed.length > 0 && { removed }) }
  })
}
