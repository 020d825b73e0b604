import type { Invited } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import type { Problem } from "@signalbox/contracts/Problem"
import { type SubmitEvent, useState } from "react"
import { inviteClient } from "../connection/clients.ts"
import { problemOf } from "../connection/commands.ts"
import { serverNow } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { clock, shortDay } from "../words/time.ts"
import styles from "./ClientsDialog.module.css"
import { ScopeChoice } from "./ScopeChoice.tsx"

/** Invites a browser, and shows the link once. */
export const InviteForm = (props: {
  readonly inert: boolean
  readonly fail: (problem: Problem | undefined) => void
}) => {
  const [name, setName] = useState("")
  const [scope, setScope] = useState<ClientScope>("view")
  const [working, setWorking] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  const inert = props.inert || working
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (inert) return
    setWorking(true)
    props.fail(undefined)
    const typed = name.trim()
    inviteClient({ scope, ...(typed !== "" && { name: typed }) }).then(
      (fresh) => {
        setWorking(false)
        setInvited(fresh)
        setName("")
      },
      (error: unknown) => {
        setWorking(false)
        props.fail(problemOf(error))
      }
    )
  }
  return (
    <form className={styles["invite"]} onSubmit={submit} aria-label="Invite a browser">
      <div className={styles["fields"]}>
        <input
          aria-label="Name of the browser"
          placeholder="Name, such as phone"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ScopeChoice label="Scope of the invitation" scope={scope} inert={inert} choose={setScope} />
        <Button type="submit" needs="admin" inert={inert}>
          {working ? "Inviting" : "Invite"}
        </Button>
      </div>
      {invited && (
        <output>
          <p>
            This link lets one browser in, with the scope {invited.invitation.scope}. It can be used once, until{" "}
            {shortDay(invited.invitation.expiresAt, serverNow())} {clock(invited.invitation.expiresAt)}. It is not shown
            again.
          </p>
          <CopyCommand command={`${location.origin}/#token=${invited.token}`} />
        </output>
      )}
    </form>
  )
}
