import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useNow } from "../connection/useNow.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { threadHref } from "../browser/hrefs.ts"
import { proseText, RevealedProse } from "../text/Revealed.tsx"
import { groupByFolder, isLive, rowState } from "./rows.ts"
import styles from "./ThreadList.module.css"

interface Listed {
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly unread: ReadonlySet<ThreadId>
  readonly current: ThreadId | undefined
  /** Whether the list is as the server has it now. */
  readonly live: boolean
}

export const ThreadList = ({ current, live, threads, unread }: Listed) => {
  const now = useNow(threads.some(isLive) ? 1000 : 60_000)
  if (threads.length === 0) {
    return (
      <p className={styles["empty"]}>No threads yet. They appear here, by project folder, as soon as you start one.</p>
    )
  }
  return (
    <div className={styles["list"]}>
      {groupByFolder(threads).map((folder) => (
        <section key={folder.cwd} aria-label={folder.name}>
          <h2 title={proseText(folder.cwd)}>
            <Icon name="folder" />
            <span className="cut">{folder.name}</span>
          </h2>
          <ul>
            {folder.threads.map((thread) => (
              <li key={thread.threadId}>
                <PartGuard what="This thread" source={thread}>
                  <Row
                    thread={thread}
                    unread={unread.has(thread.threadId)}
                    current={thread.threadId === current}
                    live={live}
                    now={now}
                  />
                </PartGuard>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const Row = (props: {
  readonly thread: ThreadSummary
  readonly unread: boolean
  readonly current: boolean
  readonly live: boolean
  readonly now: number
}) => {
  const { current, live, now, thread, unread } = props
  const { lamp, word } = rowState(thread, { unread, live, now })
  const tone = unread ? styles["unread"] : isLive(thread) ? styles["live"] : undefined
  return (
    <a
      className={tone === undefined ? styles["row"] : `${styles["row"]} ${tone}`}
      href={threadHref(thread.threadId)}
      aria-current={current ? "page" : undefined}
      title={proseText(thread.title)}
    >
      {lamp === undefined ? <span className={styles["slot"]} /> : <Lamp status={lamp} />}
      <span className="cut">
        <RevealedProse text={thread.title} />
      </span>
      {thread.provider.simulated && <span className="unseen">, simulated</span>}
      <span className={styles["end"]}>{lamp === undefined ? word : <StateWord status={lamp}>{word}</StateWord>}</span>
    </a>
  )
}
