/**
 * Compactions: an agent shortens its memory of the conversation. Each is one entry at the place where it was first
 * reported, and later updates change it (ACP v1, compaction).
 */
import type { CompactionSummaryChunk, CompactionUpdate, ContentBlock } from "@signalbox/acp/AcpSchema"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import { blockText } from "./ContentMapping.ts"
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"
import * as TextBeginning from "./TextBeginning.ts"

type State = RuntimeEventOf<"compaction.updated">["state"]

interface Compaction {
  /** The place in the transcript. It stays when the compaction changes. */
  readonly strand: Strand.Strand
  state: State
  summary: TextBeginning.TextBeginning
  error: string | undefined
  /** Whether pieces of the summary came that no event has shown yet. */
  behind: boolean
}

export type Compactions = Map<string, Compaction>

/** Most compactions that are kept for later updates. */
const maxKept = 16
/** Most characters of a summary or an error, since each change repeats them. */
export const longest = 65_536

export const make = (): Compactions => new Map()

/** Applies an update. A missing field keeps its value; null, or an empty summary, clears it. */
export const update = (
  compactions: Compactions,
  strand: Strand.Strand,
  { compactionId, error, status, summary }: CompactionUpdate,
  sink: EventSink.EventSink,
  line: number
): void => {
  if (!compactions.has(compactionId)) Strand.endText(strand, sink, line)
  const entry = entryOf(compactions, compactionId, strand)
  entry.state = stateOf(status)
  if (summary !== undefined) entry.summary = (summary ?? []).reduce(added, TextBeginning.none)
  if (error !== undefined)
    entry.error = error === null ? undefined : TextBeginning.told(TextBeginning.add(TextBeginning.none, error, longest))
  tell(compactionId, entry, sink, line)
}

/** Adds a piece of a summary. The next event shows it, since people read summaries when they are complete. */
export const chunk = (
  compactions: Compactions,
  strand: Strand.Strand,
  { compactionId, content }: CompactionSummaryChunk,
  sink: EventSink.EventSink,
  line: number
): void => {
  const isNew = !compactions.has(compactionId)
  if (isNew) Strand.endText(strand, sink, line)
  const entry = entryOf(compactions, compactionId, strand)
  entry.summary = added(entry.summary, content)
  entry.behind = true
  if (isNew) tell(compactionId, entry, sink, line)
}

/**
 * Shows what no event has shown yet, at the end of a turn. Unless `as` is `unfinished`, running compactions become
 * cancelled.
 */
export const settle = (
  compactions: Compactions,
  as: Strand.StrandEnd,
  sink: EventSink.EventSink,
  line?: number
): void => {
  for (const [id, entry] of compactions) {
    const isOver = entry.state === "running" && as !== "unfinished"
    if (isOver) entry.state = "cancelled"
    if (isOver || entry.behind) tell(id, entry, sink, line)
  }
}

const added = (summary: TextBeginning.TextBeginning, block: ContentBlock) =>
  TextBeginning.add(summary, blockText(block), longest)

const entryOf = (compactions: Compactions, id: string, strand: Strand.Strand): Compaction => {
  const known = compactions.get(id)
  if (known !== undefined) return known
  const entry: Compaction = { strand, state: "running", summary: TextBeginning.none, error: undefined, behind: false }
  compactions.set(id, entry)
  for (const oldest of compactions.keys()) {
    if (compactions.size <= maxKept) break
    compactions.delete(oldest)
  }
  return entry
}

const tell = (id: string, entry: Compaction, sink: EventSink.EventSink, line: number | undefined): void => {
  const { error, state, strand } = entry
  const summary = TextBeginning.told(entry.summary)
  entry.behind = false
  EventSink.push(
    sink,
    {
      type: "compaction.updated",
      ...strand.place,
      itemId: Strand.itemId(strand, `compaction:${id}`),
      state,
      ...(summary !== "" && { summary }),
      ...(error !== undefined && { error })
    },
    line
  )
}

/** The state for a status of the protocol. An unknown status counts as running. */
const stateOf = (status: string): State =>
  status === "completed" || status === "failed" || status === "cancelled" ? status : "running"
