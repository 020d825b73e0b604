/** One entry of the transcript: the component for its kind, drawn again only when its content or its running figure changes. */
import { isOpen } from "@signalbox/threads/OpenItem"
import { memo } from "react"
import { CompactionEntry } from "./CompactionEntry.tsx"
import { type Entry, sameEntry } from "./entries.ts"
import { EntryGuard } from "./EntryGuard.tsx"
import { FinishedRequestEntry } from "./FinishedRequest.tsx"
import { PlanEntryLine } from "./PlanEntryLine.tsx"
import { MessageEntry, PromptEntry, ThoughtEntry, UnsentEntry } from "./SpokenEntries.tsx"
import { SubagentEntry } from "./SubagentEntry.tsx"
import { FileEntry, ProblemEntry, SessionEntry, UnknownEntry, WarningEntry } from "./SystemEntries.tsx"
import { ToolEntry } from "./ToolEntry.tsx"
import { TriedEntry } from "./TriedEntry.tsx"
import { TurnEnd, TurnHead, WaitingEntry } from "./TurnEntries.tsx"

/** Whether an entry shows a running figure. */
export const isLive = (entry: Entry): boolean => {
  if (entry.type !== "item") return false
  const { item } = entry
  if (item.type === "subagent") return [item, ...(entry.below ?? [])].some(isOpen)
  return (item.type === "tool" || (item.type === "thought" && entry.current)) && isOpen(item)
}

interface RowProps {
  readonly entry: Entry
  /** Milliseconds since 1970, for a running figure. Absent where none runs: see `isLive`. */
  readonly now: number | undefined
}

export const EntryRow = memo(
  ({ entry, now }: RowProps) => (
    <EntryGuard source={entry.type === "item" ? entry.item : entry} at={timeOf(entry)}>
      <RowContent entry={entry} now={now} />
    </EntryGuard>
  ),
  sameRow
)

const timeOf = (entry: Entry): number => {
  switch (entry.type) {
    case "turn":
    case "unsent":
      return entry.turn.queuedAt
    case "end":
      return entry.turn.endedAt ?? entry.turn.queuedAt
    case "plan":
      return entry.at
    case "waiting":
      return entry.requests[0]?.request.at ?? 0
    case "item":
      return entry.item.at
  }
}

const RowContent = ({ entry, now }: RowProps) => {
  switch (entry.type) {
    case "turn":
      return <TurnHead number={entry.number} turn={entry.turn} day={entry.day} />
    case "unsent":
      return <UnsentEntry turn={entry.turn} />
    case "plan":
      return <PlanEntryLine at={entry.at} changedAt={entry.changedAt} plan={entry.plan} lit={entry.lit} />
    case "end":
      return <TurnEnd turn={entry.turn} />
    case "waiting":
      return <WaitingEntry requests={entry.requests} />
    case "item":
      return <ItemRow entry={entry} now={now} />
  }
}

function sameRow(before: RowProps, after: RowProps): boolean {
  return before.now === after.now && sameEntry(before.entry, after.entry)
}

const ItemRow = ({
  entry,
  now
}: {
  readonly entry: Extract<Entry, { readonly type: "item" }>
  readonly now: number | undefined
}) => {
  const { current, item } = entry
  switch (item.type) {
    case "prompt":
      return <PromptEntry item={item} current={current} />
    case "message":
      if (item.triedAgain) return <TriedEntry item={item} />
      return <MessageEntry item={item} current={current} continuation={entry.continuation} />
    case "thought":
      return <ThoughtEntry item={item} current={current} now={now} continuation={entry.continuation} />
    case "tool":
      return (
        <ToolEntry
          item={item}
          current={current}
          now={now}
          asked={entry.asked}
          waits={entry.waits}
          waitedMs={entry.waitedMs}
        />
      )
    case "request":
      return <FinishedRequestEntry item={item} />
    case "subagent":
      return <SubagentEntry item={item} current={current} now={now} call={entry.call} below={entry.below ?? []} />
    case "compaction":
      return <CompactionEntry item={item} current={current} />
    case "file":
      return <FileEntry item={item} current={current} />
    case "problem":
      return <ProblemEntry item={item} turn={entry.turn} />
    case "warning":
      return <WarningEntry item={item} />
    case "session":
      return <SessionEntry item={item} />
    case "unknown":
      return <UnknownEntry item={item} />
  }
}
