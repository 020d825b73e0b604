import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useRef } from "react"
import { send } from "../connection/commands.ts"
import type { LinkState } from "../connection/link.ts"
import { useThread } from "../connection/thread.ts"
import { useNow } from "../connection/useNow.ts"
import { composerId } from "../composer/Composer.tsx"
import { Desk } from "../composer/Desk.tsx"
import { addToDraft } from "../composer/drafts.ts"
import { announce } from "../shell/announcer.ts"
import { agentsHref } from "../shell/route.ts"
import { usePreferences } from "../settings/preferences.ts"
import { Register } from "../transcript/Register.tsx"
import { sentences } from "./sentences.ts"
import { markSeen } from "./seen.ts"
import { SidePanel } from "./SidePanel.tsx"
import { ThreadHeader } from "./ThreadHeader.tsx"
import styles from "./ThreadPage.module.css"

export const ThreadPage = ({ link, threadId }: { readonly threadId: ThreadId; readonly link: LinkState }) => {
  const watched = useThread(threadId)
  switch (watched.state) {
    case "loading":
      return <p className={`${styles["nothing"]} meta`}>Reading the thread…</p>
    case "missing":
      return (
        <div className={`${styles["nothing"]} prose`}>
          <h1>There is no such thread here.</h1>
          <p className="quiet">
            The address names a thread that this Signalbox doesn’t keep.{" "}
            <a className="link" href={agentsHref}>
              Start a new one
            </a>
          </p>
        </div>
      )
    case "here":
      return <OpenThread view={watched.view} link={link} />
  }
}

/** Says the ends of things, and notes that they were seen. */
const useWitness = (view: ThreadView) => {
  const before = useRef(view)
  useEffect(() => {
    if (before.current.threadId === view.threadId) sentences(before.current, view).forEach(announce)
    before.current = view
    const see = () => {
      if (document.visibilityState === "visible") markSeen(view.threadId, view.sequence)
    }
    see()
    document.addEventListener("visibilitychange", see)
    return () => document.removeEventListener("visibilitychange", see)
  }, [view])
}

/** A thread that has never run starts its agent when it is opened, so that its settings can be chosen before the first prompt. */
const useFirstStart = (view: ThreadView, connected: boolean) => {
  const { threadId } = view
  const untouched = connected && view.session.state === "none" && view.turns.length === 0
  const asked = useRef<ThreadId>(undefined)
  useEffect(() => {
    if (!untouched || asked.current === threadId) return
    asked.current = threadId
    // A refusal leaves the thread as it is; the desk then offers to start the agent, and shows why it can't.
    send(threadId, { type: "session.start" }).catch(() => undefined)
  }, [untouched, threadId])
}

const OpenThread = ({ link, view }: { readonly view: ThreadView; readonly link: LinkState }) => {
  const now = useNow(1000)
  const { sidePanel } = usePreferences()
  useWitness(view)
  useFirstStart(view, link.state === "open")
  return (
    <div className={styles["page"]}>
      <ThreadHeader view={view} />
      <div className={styles["split"]}>
        <div className={styles["column"]}>
          <Register
            key={view.threadId}
            view={view}
            now={now}
            onSendAgain={(text) => {
              addToDraft(view.threadId, text)
              document.getElementById(composerId)?.focus()
            }}
          />
          <Desk view={view} link={link} />
        </div>
        {sidePanel && <SidePanel view={view} />}
      </div>
    </div>
  )
}
