/** The list of what waits, a row for each request or for several that are equal. */
import { memo } from "react"
import { useNow } from "../connection/useNow.ts"
import { Lamp } from "../design/Lamp.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import { clock } from "../words/time.ts"
import styles from "./Inbox.module.css"
import type { InboxRow } from "./inboxRows.ts"
import { noteOf, titleOf, waited } from "./inboxWords.ts"

export const InboxList = ({
  current,
  onOpen,
  rows
}: {
  readonly rows: ReadonlyArray<InboxRow>
  readonly current: InboxRow | undefined
  readonly onOpen: (row: InboxRow) => void
}) => {
  const now = useNow(1000)
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.members[0].waiting.requestId} className={styles["item"]}>
          <PartGuard what="This request" source={row}>
            <Row row={row} isOpen={row === current} age={waited(now - row.at)} onOpen={onOpen} />
          </PartGuard>
        </li>
      ))}
    </ul>
  )
}

/** Drawn again only when something of it changes: hundreds may wait. */
const Row = memo(
  ({
    age,
    isOpen,
    onOpen,
    row
  }: {
    readonly row: InboxRow
    readonly isOpen: boolean
    readonly age: string
    readonly onOpen: (row: InboxRow) => void
  }) => {
    const { at, members } = row
    const [{ thread, waiting }] = members
    const { code, title } = titleOf(waiting)
    const note = noteOf(row)
    return (
      <button
        type="button"
        className={styles["row"]}
        aria-current={isOpen || undefined}
        data-request={waiting.requestId}
        onClick={() => onOpen(row)}
      >
        <Lamp status="waiting" />
        <b className="cut">
          {title}
          {code !== undefined && (
            <>
              {" "}
              <code>
                <Revealed text={code.slice(0, 200)} />
              </code>
            </>
          )}
        </b>
        <span className={styles["end"]} title={`Asked ${clock(at)}`}>
          {age}
        </span>
        <span className={`${styles["sub"]} cut`}>
          {folderName(thread.cwd)} ·{" "}
          {members.length > 1 ? `${threadsOf(row)} threads` : <RevealedProse text={thread.title} />} ·{" "}
          {thread.provider.name}
        </span>
        {note && (
          <span className={styles["why"]} data-warning={note.isWarning}>
            {note.isWarning && <Lamp status="waiting" />}
            {note.note}
          </span>
        )}
      </button>
    )
  }
)

/** Two equal requests may be of one thread. */
const threadsOf = ({ members }: InboxRow): number => new Set(members.map(({ thread }) => thread.threadId)).size
