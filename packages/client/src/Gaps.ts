/** Detects missing events of a thread. Pure. */
import type { ItemId } from "@signalbox/contracts/Ids"
import { isTextEnd, isTextPiece, type TextEnd, type TextPiece } from "@signalbox/contracts/TextEvents"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Transcript from "@signalbox/threads/Transcript"

/**
 * The first missing place before one of these events. One event may stand for several: joined text has the place of its
 * last piece and the offset of its first. A tool call is always sent complete, and all others come one by one. A text
 * that begins after the known end has lost a piece, whatever its place is.
 */
export const firstGap = (view: ThreadView | undefined, events: ReadonlyArray<LoggedEvent>): number | undefined => {
  const lengths = textLengths(view)
  let known: number = view?.sequence ?? 0
  for (const { event, sequence } of events) {
    if (isTextPiece(event)) {
      const length = lengths.of(event)
      if (length !== undefined && event.offset > length) return known + 1
      lengths.grow(event.itemId, Math.max(length ?? 0, event.offset + event.text.length))
    } else if (isTextEnd(event)) {
      const length = lengths.of(event)
      if (length !== undefined && event.length > length) return known + 1
    }
    if (sequence !== known + 1 && !standsForSeveral(event)) return known + 1
    known = sequence
  }
  return undefined
}

const standsForSeveral = (event: ThreadEvent): boolean =>
  isTextPiece(event) || event.type === "tool.updated" || event.type === "tool.completed"

/** The known length of each text. Undefined if it is unknown, for entries before the window. */
const textLengths = (view: ThreadView | undefined) => {
  const grown = new Map<ItemId, number>()
  const known = Transcript.ofList(view?.items ?? [])
  // An unknown entry may be before the window, with a turn that reaches into it.
  const unknown = view?.earlier === undefined ? 0 : undefined
  return {
    of: ({ itemId }: TextPiece | TextEnd): number | undefined => {
      const item = known.get(itemId)
      const length = item?.type === "message" || item?.type === "thought" ? item.text.length : undefined
      return grown.get(itemId) ?? length ?? unknown
    },
    grow: (itemId: ItemId, length: number): void => void grown.set(itemId, length)
  }
}
