/** The entry that stands in the place of what a turn stores no more: how much that is, why, and where the tape has it. */
import type { EventId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { figure, size } from "../base/ByteWords.ts"
import { mebibyte } from "./TurnLimit.ts"

/** The entry is sent again when this many more bytes were left out, and at the end of the turn. */
const tellEvery = 16 * mebibyte

/** What of a turn was left out. */
export interface LeftOut {
  /** In whose place the entry stands. */
  readonly first: ProviderRuntimeEvent
  bytes: number
  /** Bytes that the latest entry reports. */
  told: number
  fromLine: number | undefined
  toLine: number | undefined
  /** Something of it is on no tape. */
  untaped: boolean
  /** The latest entry reports the final number of bytes. */
  settled: boolean
}

/** Nothing is left out yet of what begins with this event. */
export const begin = (first: ProviderRuntimeEvent): LeftOut => ({
  first,
  bytes: 0,
  told: 0,
  fromLine: undefined,
  toLine: undefined,
  untaped: false,
  settled: false
})

/** Leaves out an event of so many bytes. */
export const add = (left: LeftOut, event: ProviderRuntimeEvent, bytes: number): void => {
  left.bytes += bytes
  left.fromLine ??= event.tapeLine
  if (event.tapeLine === undefined) left.untaped = true
  else left.toLine = event.tapeLine
}

/** The entry, if it is due now; it then counts as sent. `atOnce`: the turn is over. */
export const tell = (
  left: LeftOut,
  { atOnce, limit, running }: { readonly atOnce: boolean; readonly limit: number; readonly running: boolean }
): ReadonlyArray<ProviderRuntimeEvent> => {
  // A figure that was the last one, and is not any more, is taken back at once.
  const isFalse = left.settled && left.bytes > left.told
  if (!atOnce && !isFalse && left.told > 0 && left.bytes - left.told < tellEvery) return []
  left.told = left.bytes
  left.settled = atOnce
  return [entryOf(left, limit, running)]
}

/** `running`: its turn is not over. What a crash leaves behind must be true, too. */
const entryOf = (
  { bytes, first, fromLine, settled, toLine, untaped }: LeftOut,
  limit: number,
  running: boolean
): ProviderRuntimeEvent => {
  const { at, providerKind, providerSessionId, tapeLine, threadId } = first
  const eventId: EventId = first.eventId
  return {
    type: "runtime.warning",
    eventId,
    providerKind,
    providerSessionId,
    threadId,
    at,
    ...(tapeLine !== undefined && { tapeLine }),
    ...("turnId" in first && first.turnId !== undefined && { turnId: first.turnId }),
    ...("late" in first && first.late && { late: first.late }),
    ...("replayed" in first && first.replayed && { replayed: first.replayed }),
    message: settled
      ? `${size(bytes)} of what the agent sent are left out here.`
      : `More than ${size(bytes)} of what the agent sends are left out here.`,
    detail: `Signalbox keeps ${size(limit)} of a turn; "turnLimitMiB" in settings.json changes that. ${running ? "The agent goes on. " : ""}${whereTaped(fromLine, toLine, untaped)}`
  }
}

/** Tapes are bounded, too: what lines they have now may go later. */
const whereTaped = (from: number | undefined, to: number | undefined, untaped: boolean): string => {
  if (from === undefined || to === undefined) return "No tape has it."
  const lines = `The tape of this session has it from line ${figure(from)} to line ${figure(to)}`
  return untaped ? `${lines}, but not all of it.` : `${lines}, as long as that part of it is kept.`
}
