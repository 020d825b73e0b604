import type { ClientsReport } from "@signalbox/contracts/ClientList"
import type { ClientScope } from "@signalbox/contracts/ClientScope"
import { type SubmitEvent, useState } from "react"
import { serverNow } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { clock, fullTime, shortDay } from "../words/time.ts"
import styles from "./ClientsDialog.module.css"
import { ScopeChoice } from "./ScopeChoice.tsx"

type Client = ClientsReport["clients"][number]

const hour = 60 * 60 * 1000

/** The time of a client's last visit, which is exact to one hour. */
const lastHere = (at: number): string =>
  serverNow() - at < hour ? "here within the hour" : `last here ${shortDay(at, serverNow())}`

/** One client: its name, its scope, and what may be done with it. */
export const ClientRow = (props: {
  readonly client: Client
  /** It is this page. */
  readonly isOwn: boolean
  readonly isConnected: boolean
  readonly inert: boolean
  /** Returns whether it was done. */
  readonly change: (to: { readonly name?: string | null; readonly scope?: ClientScope }) => Promise<boolean>
  readonly revoke: () => Promise<boolean>
}) => {
  const { change, client, inert, isConnected, isOwn, revoke } = props
  const [doing, setDoing] = useState<"rename" | "revoke">()
  const { id, kind, name } = client
  const shown = name ?? `${kind === "page" ? "Browser" : "Program"} ${id}`
  return (
    <li className={styles["client"]}>
      <div className={styles["about"]}>
        {doing === "rename" ? (
          <Rename
            name={name ?? ""}
            inert={inert}
            leave={() => setDoing(undefined)}
            rename={(to) => void change({ name: to === "" ? null : to }).then((done) => done && setDoing(undefined))}
          />
        ) : (
          <b className="cut">
            <Revealed text={shown} />
          </b>
        )}
        <span className="meta">
          {isConnected && "connected · "}
          {isOwn ? "this page" : <span title={fullTime(client.lastHereAt)}>{lastHere(client.lastHereAt)}</span>}
          {name !== undefined && ` · ${kind === "page" ? "browser" : "program"} ${id}`}
          {client.expiresAt !== undefined && ` · until ${shortDay(client.expiresAt, serverNow())}`}
        </span>
      </div>
      {doing === "revoke" ? (
        <div className={styles["acts"]}>
          <span>Cut off at once.</span>
          <Button onClick={() => setDoing(undefined)}>Keep it</Button>
          <Button needs="admin" inert={inert} onClick={() => void revoke().then(() => setDoing(undefined))}>
            Revoke
          </Button>
        </div>
      ) : (
        <div className={styles["acts"]}>
          <ScopeChoice
            label={`Scope of ${shown}`}
            scope={client.scope}
            inert={inert}
            choose={(scope) => void change({ scope })}
          />
          <Button bare needs="admin" aria-label={`Rename ${shown}`} onClick={() => setDoing("rename")}>
            Rename
          </Button>
          <Button bare needs="admin" aria-label={`Revoke ${shown}…`} onClick={() => setDoing("revoke")}>
            Revoke…
          </Button>
        </div>
      )}
    </li>
  )
}

const Rename = (props: {
  readonly name: string
  readonly inert: boolean
  readonly leave: () => void
  readonly rename: (to: string) => void
}) => {
  const [typed, setTyped] = useState(props.name)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!props.inert) props.rename(typed.trim())
  }
  return (
    <form className={styles["rename"]} onSubmit={submit}>
      <input
        aria-label="Name"
        maxLength={64}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- people have just asked for it
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" needs="admin" inert={props.inert}>
        Rename
      </Button>
      <Button bare onClick={props.leave}>
        Cancel
      </Button>
    </form>
  )
}

/** An invitation that nobody has used yet. */
export const InvitationRow = (props: {
  readonly invitation: ClientsReport["invitations"][number]
  readonly inert: boolean
  readonly withdraw: () => Promise<boolean>
}) => {
  const { expiresAt, id, name, scope } = props.invitation
  const shown = name ?? id
  return (
    <li className={styles["client"]}>
      <div className={styles["about"]}>
        <b className="cut">
          <Revealed text={name ?? `Invitation ${id}`} />
        </b>
        <span className="meta" title={fullTime(expiresAt)}>
          invited, not here yet · {scope} · until {shortDay(expiresAt, serverNow())} {clock(expiresAt)}
        </span>
      </div>
      <div className={styles["acts"]}>
        <Button
          bare
          needs="admin"
          inert={props.inert}
          aria-label={`Withdraw the invitation of ${shown}`}
          onClick={() => void props.withdraw()}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}
