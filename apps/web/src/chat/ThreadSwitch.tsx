import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useStore } from "../browser/Store.ts"
import { useThread } from "../connection/thread.ts"
import { useNow } from "../connection/useNow.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { isLive, rowState } from "../threads/rows.ts"
import { isUnread, seen } from "../threads/seen.ts"
import { ThreadList } from "../threads/ThreadList.tsx"
import { ThreadMenu } from "../threads/ThreadMenu.tsx"
import { figure } from "../words/figures.ts"
import styles from "./Chat.module.css"
import { isIn } from "./folders.ts"

const listId = "threads"

/** The row that names the thread and opens the list of all. Threads of this window's folders stand first. */
export const ThreadSwitch = (props: {
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly folders: ReadonlyArray<string>
  readonly current: ThreadId | undefined
  readonly live: boolean
  readonly open: boolean
  readonly toggle: () => void
}) => {
  const { current, folders, live, open, threads, toggle } = props
  const known = useStore(seen)
  const row = threads.find(({ threadId }) => threadId === current)
  const now = useNow(row !== undefined && isLive(row) ? 1000 : 60_000)
  const lamp = row && rowState(row, { unread: false, live, now }).lamp
  const unread = new Set(
    threads.filter((one) => one.threadId !== current && isUnread(one, known)).map(({ threadId }) => threadId)
  )
  const here = threads.filter(({ cwd }) => isIn(folders, cwd))
  const elsewhere = threads.filter(({ cwd }) => !isIn(folders, cwd))
  return (
    <>
      <div className={styles["switch"]}>
        <button type="button" aria-expanded={open} aria-controls={listId} onClick={toggle}>
          {lamp !== undefined && <Lamp status={lamp} />}
          <b className="cut">
            {row ? <RevealedProse text={row.title} /> : current === undefined ? "New thread" : "No thread"}
          </b>
          <span className="meta">{threads.length === 1 ? "1 thread" : `${figure(threads.length)} threads`}</span>
          <Icon name="down" />
        </button>
        {row && <Menu row={row} />}
      </div>
      {open && (
        <nav id={listId} className={`${styles["list"]} scroll`} aria-label="Threads">
          {(here.length > 0 || elsewhere.length === 0) && (
            <ThreadList threads={here} unread={unread} current={current} live={live} />
          )}
          {elsewhere.length > 0 && (
            <section aria-label="Other folders">
              <p className={`${styles["apart"]} meta`}>Other folders</p>
              <ThreadList threads={elsewhere} unread={unread} current={current} live={live} />
            </section>
          )}
        </nav>
      )}
    </>
  )
}

/** The menu of the thread. What is known of the thread comes with its transcript. */
const Menu = ({ row: { threadId, title } }: { readonly row: ThreadSummary }) => {
  const watched = useThread(threadId)
  return <ThreadMenu threadId={threadId} title={title} {...(watched.state === "here" && { view: watched.view })} />
}
