import type { Problem } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { revokeAllClients } from "../connection/clients.ts"
import { problemOf } from "../connection/commands.ts"
import { link } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import styles from "./ShutOutDialog.module.css"

/** Says who is shut out and how to come in again, and does it. */
export const ShutOutDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  // What is asked for now is not done at some later time.
  const connected = useStore(link).state === "open"
  const shutOut = () => {
    setWorking(true)
    setProblem(undefined)
    revokeAllClients().then(onClose, (error: unknown) => {
      setWorking(false)
      setProblem(problemOf(error))
    })
  }
  return (
    <Dialog title="Shut out all browsers?" onClose={onClose}>
      <div className={styles["body"]}>
        <p>Every browser that came by the link is shut out within seconds, this one too. Agents go on working.</p>
        <p>The link that the server printed when it started lets browsers in again.</p>
        {problem && <ProblemCard problem={problem} />}
      </div>
      <div className={styles["foot"]}>
        {/* Neither of the two weighs more. */}
        <Button data-first-focus="" onClick={onClose}>
          Keep them
        </Button>
        <Button inert={!connected || working} onClick={shutOut}>
          {working ? "Shutting out" : "Shut out"}
        </Button>
      </div>
    </Dialog>
  )
}
