import type { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { useState } from "react"
import { changeAgentSession } from "../connection/agentSessions.ts"
import { problemOf } from "../connection/commands.ts"
import { link } from "../connection/link.ts"
import { deleteThread } from "../connection/record.ts"
import { useStore } from "../browser/Store.ts"
import { threads } from "../connection/threads.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import styles from "./DeleteDialog.module.css"
import { isLive } from "./rows.ts"
import { useExport } from "./useExport.ts"

/** A session that the agent stores and offers to delete. */
export interface KeptSession {
  readonly provider: ProviderRef
  readonly sessionId: ResumeToken
}

/**
 * Lists what will be deleted, offers an export first, and deletes. The page goes home when the list shows that the
 * thread is gone.
 */
export const DeleteDialog = (props: {
  readonly threadId: ThreadId
  readonly title: string
  readonly kept: KeptSession | undefined
  readonly onClose: () => void
}) => {
  const { kept, onClose, threadId, title } = props
  const [deleting, setDeleting] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [withSession, setWithSession] = useState(false)
  const exporting = useExport(threadId, title)
  // Without a connection a deletion must not wait and happen later.
  const connected = useStore(link).state === "open"
  const row = useStore(threads)?.find((candidate) => candidate.threadId === threadId)
  const remove = () => {
    setDeleting(true)
    setProblem(undefined)
    // The agent's session is deleted first, since a refusal needs the thread's page.
    const first =
      kept && withSession ? changeAgentSession(kept.provider.id, kept.sessionId, { type: "delete" }) : Promise.resolve()
    first
      .then(() => deleteThread(threadId))
      .then(onClose, (error: unknown) => {
        setDeleting(false)
        setProblem(problemOf(error))
      })
  }
  return (
    <Dialog title="Delete this thread?" onClose={onClose}>
      <div className={styles["body"]}>
        <p>
          <b>
            <RevealedProse text={title} />
          </b>
        </p>
        <p>This goes, for good:</p>
        <ul>
          <li>its transcript: prompts, answers, plans, edits as they were shown</li>
          <li>what its tools printed</li>
          <li>its tapes, the record of all that the agent and Signalbox said to each other</li>
        </ul>
        {row && isLive(row) && <p>A turn is going on. It is stopped, and its agent ended.</p>}
        <p className="quiet">
          The project’s folder is not touched. What the agent asked for, and who answered, stays in the audit log.{" "}
          {kept ? "" : "What the agent keeps of its own sessions stays with the agent."}
        </p>
        {kept && (
          <label className={styles["choice"]}>
            <input type="checkbox" checked={withSession} onChange={(event) => setWithSession(event.target.checked)} />
            <span>{kept.provider.name} deletes what it keeps of this session, too. Otherwise that stays with it.</span>
          </label>
        )}
        {problem && <ProblemCard problem={problem} />}
      </div>
      <div className={styles["foot"]}>
        <Button
          bare
          icon="out"
          inert={!connected || exporting.state === "reading"}
          onClick={() => void exporting.save()}
        >
          {exporting.state === "reading" ? "Exporting" : "Export first"}
        </Button>
        <output className="meta grow">{exporting.said}</output>
        {/* Neither of the two weighs more. */}
        <Button data-first-focus="" onClick={onClose}>
          Keep it
        </Button>
        <Button needs="admin" inert={!connected || deleting} onClick={remove}>
          {deleting ? "Deleting" : "Delete"}
        </Button>
      </div>
    </Dialog>
  )
}
