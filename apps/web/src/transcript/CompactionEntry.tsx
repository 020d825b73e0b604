/** Shows that the agent shortened its memory of the conversation, with the summary if the agent reports it. */
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { useOpen } from "./openings.ts"
import { Revealed } from "../text/Revealed.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"

const verbs = {
  running: "Shortening its context",
  completed: "Shortened its context",
  failed: "Could not shorten its context",
  cancelled: "Stopped shortening its context"
}

export const CompactionEntry = (props: {
  readonly item: Extract<ItemView, { readonly type: "compaction" }>
  readonly current: boolean
}) => {
  const { error, itemId, state, summary } = props.item
  const { agent } = useThreadFacts()
  const opening = useOpen(itemId)
  const detail = summary !== undefined || error !== undefined
  return (
    <EntryFrame at={props.item.at} icon="agent" current={props.current}>
      <EntryLine verb={verbs[state]} marks={props.item} opening={detail ? opening : undefined}>
        {state === "completed" && (
          <span className={styles["text"]}>{agent} goes on with a summary of what was said before.</span>
        )}
      </EntryLine>
      {detail && opening.open && (
        <div className={styles["opened"]}>
          {error !== undefined && (
            <p className={styles["said"]}>
              <Revealed text={error} />
            </p>
          )}
          {summary !== undefined && (
            <p className={styles["said"]}>
              <Revealed text={summary} />
            </p>
          )}
        </div>
      )}
    </EntryFrame>
  )
}
