/** The transcript, in order. It follows the end while people are there, and stays still while they read elsewhere. */
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent, useMemo } from "react"
import { Button } from "../design/Button.tsx"
import { count } from "../words/figures.ts"
import { EarlierEntry, LaterEntry } from "./EarlierEntry.tsx"
import { entriesOf } from "./entries.ts"
import { EntryRow, isLive } from "./EntryRow.tsx"
import { OpeningsContext, openStates } from "./openings.ts"
import styles from "./Register.module.css"
import { SilenceEntry } from "./SilenceEntry.tsx"
import { ThreadFactsContext } from "./ThreadFacts.ts"
import { useEntryKeys } from "./useEntryKeys.ts"
import { type EntryActions, useFactsOf } from "./useFactsOf.ts"
import { type Beyond, useStretch } from "./useStretch.ts"

export interface RegisterProps extends Beyond, EntryActions {
  readonly view: ThreadView
  /** Milliseconds since 1970, for running figures. */
  readonly now: number
  /** Whether the view is current. Without a connection, the agent's present work is unknown. */
  readonly live?: boolean
  /** Called with every change while people are at the end. */
  readonly onFollowing?: ((entries: number) => void) | undefined
}

/** One component for each thread, so that the place in another thread has no effect. */
export const Register = (props: RegisterProps) => <Transcript key={props.view.threadId} {...props} />

const Transcript = (props: RegisterProps) => {
  const { earlier, later, live = true, now, view } = props
  const { threadId } = view
  const entries = useMemo(() => entriesOf(view, live, later !== undefined), [view, live, later])
  const { bottom, from, isEnded, revealEarlier, revealLater, tail, to, toBeginning, toEnd, top } = useStretch(
    entries,
    props
  )
  const { content, following, keepPlace, onScroll, scroller, unseen } = tail
  const onFollowing = useEffectEvent((count: number) => props.onFollowing?.(count))
  useEffect(() => {
    if (following) onFollowing(view.items.length)
  }, [following, view.items.length])
  const goUp = (): boolean => {
    if (revealEarlier()) return true
    // Reading takes time: the focus waits at the button that shows it.
    top.current?.querySelector("button")?.focus()
    return false
  }
  useEntryKeys(content, { toEnd, toBeginning }, goUp)
  const facts = useFactsOf(view, live, props)
  const openings = useMemo(() => ({ states: openStates(threadId), keepPlace }), [threadId, keepPlace])
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
                  count={entries.slice(0, from).filter(({ type }) => type === "item").length + (view.earlierCount ?? 0)}
                  earlier={earlier}
                  onNear={revealEarlier}
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
