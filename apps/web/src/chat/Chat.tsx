import type { Workspace } from "@signalbox/contracts/HostMessage"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useEffect, useRef, useState } from "react"
import { LiveRegions } from "../text/LiveRegions.tsx"
import { agentsHref, type Route, threadHref } from "../browser/hrefs.ts"
import { go, useRoute } from "../browser/route.ts"
import { useStore } from "../browser/Store.ts"
import { forgetDraft } from "../composer/drafts.ts"
import { type LinkState, link, ownClient } from "../connection/link.ts"
import { threads } from "../connection/threads.ts"
import { OwnScope } from "../design/scope.ts"
import { PartGuard } from "../design/PartGuard.tsx"
import { groupByFolder, waiting } from "../threads/rows.ts"
import { meetThreads } from "../threads/seen.ts"
import styles from "./Chat.module.css"
import { isIn } from "./folders.ts"
import { ChatThread } from "./ChatThread.tsx"
import { tell, tellShown } from "./host.ts"
import { workspace } from "./hostState.ts"
import { LinkLine } from "./LinkLine.tsx"
import { NewThread } from "./NewThread.tsx"
import { ThreadSwitch } from "./ThreadSwitch.tsx"

/** What the view shows: the thread of its address, else what waits in the folders of this window, else their newest thread. */
const shown = (
  route: Route,
  threads: ReadonlyArray<ThreadSummary>,
  folders: ReadonlyArray<string>
): ThreadSummary["threadId"] | undefined => {
  if (route.page === "thread") return route.threadId
  if (route.page === "agents") return undefined
  const here = threads.filter(({ cwd }) => isIn(folders, cwd))
  return (waiting(here)[0] ?? groupByFolder(here)[0]?.threads[0])?.threadId
}

/** Whether only the page has this place: all but a thread itself, and the start of one. */
const isElsewhere = (route: Route): boolean => {
  if (route.page === "thread") return route.wire === true || route.room !== undefined
  return route.page !== "home" && route.page !== "agents"
}

/** The chat in the side bar of an editor: one thread, with the list of all folded into a row above it. */
export const Chat = () => (
  <OwnScope value={useStore(ownClient)?.scope}>
    <Shown />
    <LiveRegions />
  </OwnScope>
)

const Shown = () => {
  const state = useStore(link)
  const rows = useStore(threads)
  const here = useStore(workspace)
  if (rows === undefined || here === undefined) return <LinkLine link={state} alone />
  return <Open link={state} threads={rows} workspace={here} />
}

const Open = (props: {
  readonly link: LinkState
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly workspace: Workspace
}) => {
  const { link, threads, workspace } = props
  const { folders } = workspace
  const route = useRoute()
  const threadId = shown(route, threads, folders)
  const [listed, list] = useState(false)
  useEffect(() => meetThreads(threads), [threads])
  const before = useRef(threads)
  useEffect(() => {
    const now = new Set(threads.map(({ threadId }) => threadId))
    for (const { threadId } of before.current) if (!now.has(threadId)) forgetDraft(threadId)
    before.current = threads
  }, [threads])
  const { cwd, provider } = threads.find((row) => row.threadId === threadId) ?? {}
  useEffect(() => tellShown(threadId, cwd, provider?.name), [threadId, cwd, provider?.name])
  useEffect(() => {
    // What the view has opened by itself stays, whatever waits somewhere else later.
    if (route.page === "home" && threadId !== undefined) go(threadHref(threadId))
    if (!isElsewhere(route)) return
    tell({ type: "openPage", href: location.hash })
    go(threadId === undefined ? agentsHref : threadHref(threadId))
  }, [route, threadId])
  useEffect(() => {
    // Going to a thread folds the list.
    const fold = () => list(false)
    addEventListener("hashchange", fold)
    return () => removeEventListener("hashchange", fold)
  }, [])
  return (
    <div className={styles["chat"]}>
      <LinkLine link={link} />
      <ThreadSwitch
        threads={threads}
        folders={folders}
        current={threadId}
        live={link.state === "open"}
        open={listed}
        toggle={() => list(!listed)}
      />
      {listed ? null : (
        <PartGuard key={threadId ?? "new"} what="This thread" source={threads}>
          {threadId === undefined ? (
            <NewThread workspace={workspace} link={link} />
          ) : (
            <ChatThread key={threadHref(threadId)} threadId={threadId} link={link} />
          )}
        </PartGuard>
      )}
    </div>
  )
}
