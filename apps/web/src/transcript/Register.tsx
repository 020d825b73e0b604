/** The transcript, in order. It follows the end while people are there, and stays still while they read elsewhere. */
import { isOpen } from "@signalbox/threads/OpenItem"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { memo, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { Button } from "../design/Button.tsx"
import { wantedSignIn } from "./wantedSignIn.ts"
import { useDrawn } from "./drawn.ts"
import { EarlierEntry, type Further, LaterEntry } from "./EarlierEntry.tsx"
import { type Entry, entriesOf, sameEntry } from "./entries.ts"
import { EntryGuard } from "./EntryGuard.tsx"
import { count } from "../words/figures.ts"
import { FinishedRequestEntry } from "./FinishedRequest.tsx"
import { OpeningsContext, openStates } from "./openings.ts"
import { PlanEntryLine } from "./PlanEntryLine.tsx"
import styles from "./Register.module.css"
import { codeBehind } from "./continued.ts"
import { CompactionEntry } from "./CompactionEntry.tsx"
import { SilenceEntry } from "./SilenceEntry.tsx"
import { MessageEntry, PromptEntry, ThoughtEntry, UnsentEntry } from "./SpokenEntries.tsx"
import { FileEntry, ProblemEntry, SessionEntry, UnknownEntry, WarningEntry } from "./SystemEntries.tsx"
import { SubagentEntry } from "./SubagentEntry.tsx"
import { type ThreadFacts, ThreadFactsContext } from "./ThreadFacts.ts"
import { ToolEntry } from "./ToolEntry.tsx"
import { TriedEntry } from "./TriedEntry.tsx"
import { TurnEnd, TurnHead, WaitingEntry } from "./TurnEntries.tsx"
import { useEntryKeys } from "./useEntryKeys.ts"
import { useTail } from "./useTail.ts"

export interface RegisterProps {
  readonly view: ThreadView
  /** Milliseconds since 1970, for running figures. */
  readonly now: number
  /** Whether the view is current. Without a connection, the agent's present work is unknown. */
  readonly live?: boolean
  /** The entries before the thread's window, if there are any. */
  readonly earlier?: Further | undefined
  /** The entries between the shown ones and the thread's window, if any. Then the end is out of sight. */
  readonly later?: Further | undefined
  /** Reads the thread from its beginning. Missing if all of it is loaded. `jumps`: how often that was done. */
  readonly onBeginning?: (() => void) | undefined
  readonly jumps?: number
  /** Called with every change while people are at the end. */
  readonly onFollowing?: ((entries: number) => void) | undefined
  /** Goes to the end from any place. */
  readonly onEnd?: (() => void) | undefined
  /** Sends a prompt again: see `ThreadFacts`. */
  readonly onSendAgain?: ThreadFacts["onSendAgain"]
  /** Puts a prompt into the composer. */
  readonly onEdit: ThreadFacts["onEdit"]
  /** Starts the agent if it does not run. */
  readonly onRestart?: (() => void) | undefined
  /** Stops the running turn. */
  readonly onStop?: (() => void) | undefined
}

/** One component for each thread, so that the place in another thread has no effect. */
export const Register = (props: RegisterProps) => <Transcript key={props.view.threadId} {...props} />

/** The ids of the problems that the desk shows. An equal set stays the same object. Ids have no line breaks. */
const useOnDesk = (view: ThreadView, live: boolean): ReadonlySet<string> => {
  const lines = (live ? wantedSignIn(view)?.itemIds : undefined)?.join("\n") ?? ""
  return useMemo(() => new Set(lines.split("\n")), [lines])
}

const Transcript = (props: RegisterProps) => {
  const { earlier, jumps = 0, later, live = true, now, onEdit, onRestart, onSendAgain, onStop, view } = props
  const { threadId } = view
  const entries = useMemo(() => entriesOf(view, live, later !== undefined), [view, live, later])
  const [origin] = useState(() => entries.find(isItem)?.key)
  const apart = later !== undefined
  const size = useSizeAtEnd(missable(entries, origin), apart)
  /** Whether the thread's last entry is drawn. */
  const ended = useRef(true)
  const tail = useTail(size, ended)
  const { content, following, keepPlace, letGo, onScroll, scroller, unseen } = tail
  const { begin, down, from, to, toLast, up } = useDrawn(entries, following && !apart)
  const isEnded = to === entries.length && !apart
  useLayoutEffect(() => {
    ended.current = isEnded
  })
  const onFollowing = useEffectEvent((count: number) => props.onFollowing?.(count))
  useEffect(() => {
    if (following) onFollowing(view.items.length)
  }, [following, view.items.length])
  const toEnd = () => {
    props.onEnd?.()
    toLast()
    tail.toEnd()
  }
  const toBeginning = () => {
    letGo()
    if (props.onBeginning !== undefined && earlier !== undefined) return props.onBeginning()
    flushSync(() => begin(0))
    scroller.current?.scrollTo(0, 0)
  }
  const [jumped, setJumped] = useState(jumps)
  if (jumped !== jumps) {
    setJumped(jumps)
    begin(0)
  }
  useLayoutEffect(() => {
    if (jumps > 0) scroller.current?.scrollTo(0, 0)
  }, [jumps, scroller])
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  /** Draws or reads more at the lower end, and keeps the reader's place. */
  const revealLater = () => {
    const above = bottom.current?.previousElementSibling
    if (to < entries.length && above) keepPlace(above, down)
    else if (later?.state === "there") later.read()
  }
  /** Draws more loaded entries, or reads further ones. Returns whether entries were added. */
  const reveal = (): boolean => {
    const sentinel = top.current
    const below = sentinel?.nextElementSibling
    if (from === 0 || !below) {
      if (earlier?.state === "there") earlier.read()
      return false
    }
    const focused = sentinel.contains(document.activeElement)
    keepPlace(below, up)
    const last = below.previousElementSibling
    if (focused && last instanceof HTMLElement) (last.querySelector<HTMLElement>("h3 > button") ?? last).focus()
    return true
  }
  const goUp = (): boolean => {
    if (reveal()) return true
    // Reading takes time: the focus waits at the button that shows it.
    top.current?.querySelector("button")?.focus()
    return false
  }
  useEntryKeys(content, { toEnd, toBeginning }, goUp)
  // Callers may pass new functions each time. Entries must not be drawn again for that.
  const actions = useRef({ onEdit, onSendAgain, onRestart, onStop, items: view.items })
  useEffect(() => {
    actions.current = { onEdit, onSendAgain, onRestart, onStop, items: view.items }
  })
  const canSendAgain = onSendAgain !== undefined
  const canRestart = onRestart !== undefined
  const canStop = onStop !== undefined
  const onDesk = useOnDesk(view, live)
  const facts = useMemo(
    (): ThreadFacts => ({
      threadId,
      onDesk,
      agent: view.provider.name,
      cwd: view.cwd,
      codeBehind: (itemId, fence) => codeBehind(actions.current.items, itemId, fence),
      onEdit: (prompt) => actions.current.onEdit(prompt),
      onSendAgain: canSendAgain ? async (prompt) => (await actions.current.onSendAgain?.(prompt)) ?? false : undefined,
      onRestart: canRestart ? () => actions.current.onRestart?.() : undefined,
      onStop: canStop ? () => actions.current.onStop?.() : undefined
    }),
    [threadId, onDesk, view.provider.name, view.cwd, canSendAgain, canRestart, canStop]
  )
  const openings = useMemo(() => ({ states: openStates(threadId), keepPlace: keepPlace }), [threadId, keepPlace])
  return (
    <ThreadFactsContext value={facts}>
      <OpeningsContext value={openings}>
        <div className={styles["register"]}>
          {/* eslint-disable jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard */}
          <div
            ref={scroller}
            id="register"
            className={`scroll ${styles["scroller"] ?? ""}`}
            tabIndex={0}
            role="log"
            aria-label="Transcript"
            aria-live="off"
            onScroll={onScroll}
          >
            {/* eslint-enable jsx-a11y/no-noninteractive-tabindex */}
            <div ref={content} className={styles["content"]}>
              {(from > 0 || earlier !== undefined) && (
                <EarlierEntry
                  hidden={from}
                  count={entries.slice(0, from).filter(isItem).length + (view.earlierCount ?? 0)}
                  earlier={earlier}
                  onNear={reveal}
                  onBeginning={toBeginning}
                  placeRef={top}
                />
              )}
              {entries.slice(from, to).map((entry) => (
                <EntryRow key={entry.key} entry={entry} now={isLive(entry) ? now : undefined} />
              ))}
              {!isEnded && (
                <LaterEntry hidden={entries.length - to} later={later} onNear={revealLater} placeRef={bottom} />
              )}
              {live && isEnded && <SilenceEntry view={view} />}
            </div>
          </div>
          {((!following && (unseen > 0 || grows(view))) || !isEnded) && (
            <div className={styles["bar"]}>
              <Button onClick={toEnd} icon="down">
                {unseen > 0 ? `${count(unseen, "new entry", "new entries")}, go to the end` : "Go to the end"}{" "}
                <kbd className="wide-only">End</kbd>
              </Button>
            </div>
          )}
        </div>
      </OpeningsContext>
    </ThreadFactsContext>
  )
}

/** Whether the end is growing without new entries, e.g. by a long message. */
const grows = (view: ThreadView): boolean => runningTurn(view) !== undefined

/** The number of entries that a reader could miss. It stands still while the end is not loaded. */
const useSizeAtEnd = (size: number, apart: boolean): number => {
  const [known, setKnown] = useState(size)
  if (!apart && known !== size) setKnown(size)
  return apart ? known : size
}

const isItem = ({ type }: Entry): boolean => type === "item"

/** The number of entries that a reader could miss. Neither the layout nor earlier pages change it. */
const missable = (entries: ReadonlyArray<Entry>, origin: string | undefined): number => {
  const first = Math.max(
    0,
    entries.findIndex(({ key }) => key === origin)
  )
  return entries.slice(first).filter(isMissable).length
}

/**
 * Whether an entry is news that a reader could miss. The start of a turn and a queued prompt are none, and neither is a
 * text's continuation.
 */
const isMissable = (entry: Entry): boolean =>
  entry.type === "item" ? entry.continuation === undefined : entry.type !== "turn" && entry.type !== "waiting"

/** Whether an entry shows a running figure. */
const isLive = (entry: Entry): boolean => {
  if (entry.type !== "item") return false
  const { item } = entry
  if (item.type === "subagent") return [item, ...(entry.below ?? [])].some(isOpen)
  return (item.type === "tool" || (item.type === "thought" && entry.current)) && isOpen(item)
}

interface RowProps {
  readonly entry: Entry
  readonly now: number | undefined
}

const EntryRow = memo(
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
