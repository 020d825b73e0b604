/** The entry in place of the events that a turn does not store: their size, the reason, and their place on the tape. */
import type { EventId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { figure, size } from "../base/ByteWords.ts"
import { mebibyte } from "./TurnLimit.ts"

/** The entry is sent again when this many more bytes were left out, and at the end of the turn. */
const repeatEvery = 16 * mebibyte

/** The events of a turn that were left out. */
export interface LeftOut {
  /** The first of them, which the entry replaces. */
  readonly first: ProviderRuntimeEvent
  bytes: number
  /** Bytes that the latest entry reports. */
  reported: number
  fromLine: number | undefined
  toLine: number | undefined
  /** Whether some of them are on no tape. */
  untaped: boolean
  /** Whether the latest entry reports the final number of bytes. */
  settled: boolean
}

/** Begins a count with this event, which `add` counts. */
export const begin = (first: ProviderRuntimeEvent): LeftOut => ({
  first,
  bytes: 0,
  reported: 0,
  fromLine: undefined,
  toLine: undefined,
  untaped: false,
  settled: false
})

/** Counts an event that is left out, with its bytes. */
export const add = (left: LeftOut, event: ProviderRuntimeEvent, bytes: number): void => {
  left.bytes += bytes
  left.fromLine ??= event.tapeLine
  if (event.tapeLine === undefined) left.untaped = true
  else left.toLine = event.tapeLine
}

/** The entry if it is due now, which then counts as sent. `atOnce`: the turn has ended. */
export const due = (
  left: LeftOut,
  { atOnce, limit, running }: { readonly atOnce: boolean; readonly limit: number; readonly running: boolean }
): ReadonlyArray<ProviderRuntimeEvent> => {
  // A final number that has become false is corrected immediately.
  const isFalse = left.settled && left.bytes > left.reported
  if (!atOnce && !isFalse && left.reported > 0 && left.bytes - left.reported < repeatEvery) return []
  left.reported = left.bytes
  left.settled = atOnce
  return [entryOf(left, limit, running)]
}

/** The entry's event. `running`: its turn continues. Its text must also be true after a crash. */
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

/** The place on the tape. A tape's lines may be deleted later, since tapes have a limit, too. */
const whereTaped = (from: number | undefined, to: number | undefined, untaped: boolean): string => {
  if (from === undefined || to === undefined) return "No tape has it."
  const lines = `The tape of this session has it from line ${figure(from)} to line ${figure(to)}`
  return untaped ? `${lines}, but not all of it.` : `${lines}, as long as that part of it is kept.`
}
