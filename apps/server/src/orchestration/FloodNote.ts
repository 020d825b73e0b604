/** The entry that stands in the place of what a turn stores no more: how much that is, why, and where the tape has it. */
import type { EventId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { figure, size } from "../base/ByteWords.ts"

/** What of a turn was left out. */
export interface LeftOut {
  /** In whose place the entry stands. */
  readonly first: ProviderRuntimeEvent
  bytes: number
  /** Bytes of which people were told. */
  told: number
  fromLine: number | undefined
  toLine: number | undefined
  /** Something of it is on no tape. */
  untaped: boolean
  /** People were told how much it is in all. */
  settled: boolean
}

/** `running`: its turn is not over. What a crash leaves behind must be true, too. */
export const entryOf = (
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
