import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ReactNode } from "react"
import { useStore } from "../browser/Store.ts"
import { readAgain } from "../connection/thread.ts"
import { threads } from "../connection/threads.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { TopBar } from "./TopBar.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { ThreadMenu } from "./ThreadMenu.tsx"
import styles from "./ThreadPage.module.css"

/** The page of a thread that can't be shown: what is the case, and what to do. */
export const ThreadNotice = (props: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <div className={styles["page"]}>
    <TopBar
      title={
        <h1 className="cut">
          <RevealedProse text={props.title} />
        </h1>
      }
      actions={props.actions}
    />
    <div className={`${styles["nothing"]} prose scroll`}>{props.children}</div>
  </div>
)

/** Its record is damaged, or the disk does not give it out now. */
export const UnreadableThread = ({ problem, threadId }: { readonly threadId: ThreadId; readonly problem: Problem }) => {
  const title = useStore(threads)?.find((row) => row.threadId === threadId)?.title ?? "A thread"
  return (
    <ThreadNotice title={title} actions={<ThreadMenu threadId={threadId} title={title} />}>
      <ProblemCard problem={problem} />
      <p className={`${styles["acts"]} quiet`}>
        <Button onClick={() => readAgain(threadId)}>Try again</Button> Nothing of it was changed. Other threads are not
        touched by this.
      </p>
    </ThreadNotice>
  )
}
