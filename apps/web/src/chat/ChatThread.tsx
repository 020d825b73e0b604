import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect } from "react"
import { focusSoon } from "../browser/focusSoon.ts"
import { agentsHref } from "../browser/hrefs.ts"
import { useStore } from "../browser/Store.ts"
import { composerId } from "../composer/PromptField.tsx"
import type { LinkState } from "../connection/link.ts"
import { readAgain, useThread } from "../connection/thread.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { FilesContext, useFilesOf } from "../text/files.ts"
import { ThreadColumn } from "../threads/ThreadColumn.tsx"
import { addOffered } from "./addOffered.ts"
import styles from "./Chat.module.css"
import { toAdd } from "./hostState.ts"
import { OfferChips } from "./OfferChips.tsx"

/** One thread in the side bar: its transcript, what can be added from the editor, and its desk. */
export const ChatThread = ({ link, threadId }: { readonly threadId: ThreadId; readonly link: LinkState }) => {
  const watched = useThread(threadId)
  switch (watched.state) {
    case "loading":
      return <p className={`${styles["nothing"]} meta`}>Reading the thread…</p>
    case "missing":
      return (
        <div className={`${styles["nothing"]} prose`}>
          <p>This Signalbox keeps no such thread.</p>
          <p className="quiet">
            It was deleted, or belongs to another state folder.{" "}
            <a className="link" href={agentsHref}>
              Start a new one
            </a>
          </p>
        </div>
      )
    case "unreadable":
      return (
        <div className={styles["nothing"]}>
          <ProblemCard problem={watched.problem} />
          <p className="quiet">
            <Button onClick={() => readAgain(threadId)}>Try again</Button> Nothing of it was changed.
          </p>
        </div>
      )
    case "here":
      return <OpenThread view={watched.view} torn={watched.torn} link={link} />
  }
}

/** Takes what the editor has added into the prompt of this thread. */
const useAdded = (threadId: ThreadId): void => {
  const parts = useStore(toAdd)
  useEffect(() => {
    if (parts.length === 0) return
    toAdd.set([])
    void addOffered(threadId, parts)
    focusSoon(`#${composerId}`)
  }, [parts, threadId])
}

const OpenThread = (props: {
  readonly view: ThreadView
  readonly torn: number | undefined
  readonly link: LinkState
}) => {
  const { link, torn, view } = props
  useAdded(view.threadId)
  return (
    <FilesContext value={useFilesOf(view.threadId, view.cwd)}>
      <div className={styles["thread"]}>
        <ThreadColumn view={view} torn={torn} link={link} />
        <OfferChips />
      </div>
    </FilesContext>
  )
}
