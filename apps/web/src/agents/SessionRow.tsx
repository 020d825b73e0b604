import type { AgentSession, AgentSessionChange } from "@signalbox/contracts/AgentSession"
import type { SessionAbilities } from "@signalbox/contracts/Provider"
import { type SubmitEvent, useState } from "react"
import { serverNow } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { fullTime, shortDay } from "../words/time.ts"
import { threadHref } from "../browser/hrefs.ts"
import { proseText, Revealed } from "../text/Revealed.tsx"
import styles from "./SessionsDialog.module.css"

type Doing = "rename" | "delete" | undefined

/** One session, and what may be done with it. What is for ever is asked twice. */
export const SessionRow = (props: {
  readonly session: AgentSession
  readonly abilities: SessionAbilities | undefined
  /** Which one is being opened, if any. */
  readonly opening: "this" | "another" | undefined
  readonly open: () => void
  readonly change: (change: AgentSessionChange) => Promise<boolean>
}) => {
  const { abilities, change, open, opening, session } = props
  const { cwd, threadId, title = "", updatedAt } = session
  const [doing, setDoing] = useState<Doing>()
  const [busy, setBusy] = useState(false)
  const name = title.trim() === "" ? "Without a title" : title
  const make = (what: AgentSessionChange) => {
    setBusy(true)
    void change(what).then((done) => {
      setBusy(false)
      if (done) setDoing(undefined)
    })
  }
  const canOpen = abilities?.load === true || abilities?.resume === true
  return (
    <li className={styles["session"]}>
      {doing === "rename" ? (
        <Rename
          title={title}
          busy={busy}
          leave={() => setDoing(undefined)}
          rename={(to) => make({ type: "rename", title: to })}
        />
      ) : (
        <div className={styles["about"]}>
          <b className="cut" title={proseText(name)}>
            <Revealed text={name} />
          </b>
          <span className="meta cut" title={proseText(cwd)}>
            <code>
              <Revealed text={cwd} />
            </code>
            {updatedAt !== undefined && <span title={fullTime(updatedAt)}> · {shortDay(updatedAt, serverNow())}</span>}
          </span>
        </div>
      )}
      {doing === "delete" && (
        <div className={styles["acts"]}>
          <span>Deleted for ever.</span>
          <Button onClick={() => setDoing(undefined)}>Keep it</Button>
          <Button inert={busy} onClick={() => make({ type: "delete" })}>
            {busy ? "Deleting" : "Delete"}
          </Button>
        </div>
      )}
      {doing === undefined && (
        <div className={styles["acts"]}>
          {abilities?.rename && (
            <Button bare aria-label={proseText(`Rename ${name}`)} onClick={() => setDoing("rename")}>
              Rename
            </Button>
          )}
          {abilities?.archive && (
            <Button
              bare
              inert={busy}
              aria-label={proseText(`${session.archived ? "Unarchive" : "Archive"} ${name}`)}
              onClick={() => make({ type: session.archived ? "unarchive" : "archive" })}
            >
              {session.archived ? "Unarchive" : "Archive"}
            </Button>
          )}
          {abilities?.delete && (
            <Button bare aria-label={proseText(`Delete ${name}…`)} onClick={() => setDoing("delete")}>
              Delete…
            </Button>
          )}
          {threadId === undefined ? (
            canOpen && (
              <Button
                inert={opening !== undefined}
                aria-label={proseText(`Open ${name}`)}
                title={abilities?.load ? "Opens with its history" : "Goes on without its history, which can’t be shown"}
                onClick={open}
              >
                {opening === "this" ? "Opening" : "Open"}
              </Button>
            )
          ) : (
            <a className="link" href={threadHref(threadId)} aria-label={proseText(`To the thread of ${name}`)}>
              Open here
            </a>
          )}
        </div>
      )}
    </li>
  )
}

const Rename = (props: {
  readonly title: string
  readonly busy: boolean
  readonly rename: (title: string) => void
  readonly leave: () => void
}) => {
  const [typed, setTyped] = useState(props.title)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed.trim() !== "" && !props.busy) props.rename(typed.trim())
  }
  return (
    <form className={styles["rename"]} onSubmit={submit}>
      <input
        ref={(input) => input?.focus()}
        className="field"
        type="text"
        aria-label="Title"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          // The dialog stays.
          event.preventDefault()
          props.leave()
        }}
      />
      <Button type="submit" inert={props.busy || typed.trim() === ""}>
        Rename
      </Button>
      <Button bare onClick={props.leave}>
        Cancel
      </Button>
    </form>
  )
}
