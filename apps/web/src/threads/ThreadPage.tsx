import type { ThreadId } from "@signalbox/contracts/Ids"
import { runningTurn } from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { memo, useEffect, useRef } from "react"
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

/** Drawn anew when this thread or the link changes, not with every row of the list. */
export const ThreadPage = memo(({ link, threadId }: { readonly threadId: ThreadId; readonly link: LinkState }) => {
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
})

/** Says the ends of things, and notes up to where the thread was seen: when nothing runs, and when it is left. */
const useWitness = (view: ThreadView) => {
  const before = useRef(view)
  useEffect(() => {
    sentences(before.current, view).forEach(announce)
    before.current = view
    if (runningTurn(view) === undefined) see(view)
  }, [view])
  useEffect(() => {
    const look = () => see(before.current)
    document.addEventListener("visibilitychange", look)
    return () => {
      look()
      document.removeEventListener("visibilitychange", look)
    }
  }, [])
}

const see = ({ sequence, threadId }: ThreadView): void => {
  if (document.visibilityState === "visible") markSeen(threadId, sequence)
}

const OpenThread = ({ link, view }: { readonly view: ThreadView; readonly link: LinkState }) => {
  const now = useNow(runningTurn(view) ? 1000 : 30_000)
  const { sidePanel } = usePreferences()
  useWitness(view)
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
