import type { ClientsReport } from "@signalbox/contracts/ClientList"
import type { Problem } from "@signalbox/contracts/Problem"
import { useEffect, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { changeClient, revokeAllClients, revokeClient, watchClients } from "../connection/clients.ts"
import { problemOf } from "../connection/commands.ts"
import { link, ownClient } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { ClientRow, InvitationRow } from "./ClientRow.tsx"
import styles from "./ClientsDialog.module.css"
import { InviteForm } from "./InviteForm.tsx"

/** Who is let in: lists, names, invites and revokes. What is for ever is asked twice. */
export const ClientsDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [report, setReport] = useState<ClientsReport>()
  const [problem, setProblem] = useState<Problem>()
  const [asksAll, setAsksAll] = useState(false)
  const [working, setWorking] = useState(false)
  const own = useStore(ownClient)?.id
  // What is asked for now is not done at some later time.
  const connected = useStore(link).state === "open"
  useEffect(() => watchClients(setReport), [])
  /** Returns whether it was done. */
  const make = (change: Promise<void>): Promise<boolean> => {
    setWorking(true)
    setProblem(undefined)
    return change.then(
      () => {
        setWorking(false)
        return true
      },
      (error: unknown) => {
        setWorking(false)
        setProblem(problemOf(error))
        return false
      }
    )
  }
  return (
    <Dialog title="Clients" onClose={onClose}>
      <div className={styles["body"]}>
        <p className="quiet">
          Browsers and programs that are let in. A scope includes those before it: <b>view</b> reads, <b>approve</b>{" "}
          answers requests and stops turns, <b>operate</b> prompts agents, <b>admin</b> does everything.
        </p>
        {report === undefined ? (
          <p>Loading</p>
        ) : (
          <ul className={styles["list"]} aria-label="Clients">
            {report.clients.map((client) => (
              <ClientRow
                key={client.id}
                client={client}
                isOwn={client.id === own}
                isConnected={report.connected.includes(client.id)}
                inert={!connected || working}
                change={(to) => make(changeClient(client.id, to))}
                revoke={() => make(revokeClient(client.id))}
              />
            ))}
            {report.invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                inert={!connected || working}
                withdraw={() => make(revokeClient(invitation.id))}
              />
            ))}
          </ul>
        )}
        <InviteForm inert={!connected} fail={setProblem} />
        {problem && <ProblemCard problem={problem} />}
      </div>
      <div className={styles["foot"]}>
        {asksAll ? (
          <>
            <span className="grow">
              All are cut off within seconds, this page too. The link that the server printed lets browsers in again.
            </span>
            <Button onClick={() => setAsksAll(false)}>Keep them</Button>
            <Button
              needs="admin"
              inert={!connected || working}
              onClick={() => void make(revokeAllClients()).then((done) => done && onClose())}
            >
              {working ? "Revoking" : "Revoke all"}
            </Button>
          </>
        ) : (
          <Button bare needs="admin" inert={!connected} onClick={() => setAsksAll(true)}>
            Revoke all…
          </Button>
        )}
      </div>
    </Dialog>
  )
}
