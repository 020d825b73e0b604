import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { Suspense, useEffect, useRef, useState } from "react"
import { AgentsPage } from "../agents/AgentsPage.tsx"
import { InboxPage } from "../inbox/InboxPage.tsx"
import type { LinkState } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { loaded } from "../design/loaded.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { preferences } from "../browser/preferences.ts"
import { settingsButtonId } from "./SettingsPopover.tsx"
import { groupByFolder, waiting } from "../threads/rows.ts"
import { isUnread, meetThreads, seen } from "../threads/seen.ts"
import { ThreadList } from "../threads/ThreadList.tsx"
import { ThreadPage } from "../threads/ThreadPage.tsx"
import { alert } from "../browser/announcer.ts"
import { Banner } from "./Banner.tsx"
import { Farewell, useFarewell } from "./Farewell.tsx"
import { focusSoon } from "../browser/focusSoon.ts"
import styles from "./Frame.module.css"
import { KeyList } from "./KeyList.tsx"
import { LiveRegions } from "../text/LiveRegions.tsx"
import { proseText } from "../text/Revealed.tsx"
import { agentsHref, inboxHref, type Route, threadHref } from "../browser/hrefs.ts"
import { go, useRoute } from "../browser/route.ts"
import { useShortcuts } from "../browser/shortcuts.ts"
import { Sidebar } from "./Sidebar.tsx"
import { StorageBanner } from "./StorageBanner.tsx"

const RulesPage = loaded("The page of rules", async () => (await import("../rules/RulesPage.tsx")).RulesPage)
const DecisionsPage = loaded(
  "The audit log",
  async () => (await import("../decisions/DecisionsPage.tsx")).DecisionsPage
)

/** Without an address of its own, the page opens what waits, else the newest thread, else the agents. */
const opened = (route: Route, threads: ReadonlyArray<ThreadSummary>): Exclude<Route, { page: "home" }> => {
  if (route.page !== "home") return route
  const first = waiting(threads)[0] ?? groupByFolder(threads)[0]?.threads[0]
  return first ? { page: "thread", threadId: first.threadId } : { page: "agents" }
}

const pageTitles = {
  agents: "Agents on this machine",
  inbox: "Waiting for you",
  rules: "Rules",
  decisions: "Decisions",
  thread: "Agents on this machine"
} as const

const asks = {
  approval: "asks for your approval",
  question: "asks a question",
  plan: "proposes a plan",
  form: "asks you to fill in a form",
  url: "asks you to open an address"
} as const

/** Asks and a lost connection are said at once, wherever somebody is on the page. */
const useAlerts = (threads: ReadonlyArray<ThreadSummary>, link: LinkState) => {
  const before = useRef(new Map<string, ThreadSummary["waitingFor"]>())
  useEffect(() => {
    for (const { provider, threadId, title, waitingFor } of threads) {
      if (waitingFor !== undefined && before.current.get(threadId) !== waitingFor)
        alert(
          `${provider.name} ${asks[waitingFor]} in ${title}.${preferences.get().letterKeys ? " Press G, then W, to go there." : ""}`
        )
    }
    before.current = new Map(threads.map(({ threadId, waitingFor }) => [threadId, waitingFor]))
  }, [threads])
  const { state } = link
  useEffect(() => {
    if (state === "down") alert("Signalbox’s server stopped answering. What you see is no longer live.")
  }, [state])
}

export const Frame = ({
  link,
  threads
}: {
  readonly link: LinkState
  readonly threads: ReadonlyArray<ThreadSummary>
}) => {
  const route = opened(useRoute(), threads)
  const known = useStore(seen)
  const sidebar = useRef<HTMLElement>(null)
  const main = useRef<HTMLElement>(null)
  const [keysShown, showKeys] = useState(false)
  const current = route.page === "thread" ? route.threadId : undefined
  const asking = waiting(threads)
  const title = threads.find(({ threadId }) => threadId === current)?.title ?? pageTitles[route.page]

  useAlerts(threads, link)
  const farewell = useFarewell(threads, current)
  useEffect(() => meetThreads(threads), [threads])
  useEffect(() => {
    document.title = `${asking.length > 0 ? `(${asking.length}) ` : ""}${proseText(title)} · Signalbox`
  }, [asking.length, title])
  useEffect(() => {
    // Going somewhere closes the drawer.
    const close = () => sidebar.current?.matches(":popover-open") && sidebar.current.hidePopover()
    addEventListener("hashchange", close)
    return () => removeEventListener("hashchange", close)
  }, [])

  const inOrder = groupByFolder(threads).flatMap((folder) => folder.threads)
  const step = (list: ReadonlyArray<ThreadSummary>, by: number) => {
    const at = list.findIndex(({ threadId }) => threadId === current)
    const next = at === -1 ? list[by > 0 ? 0 : list.length - 1] : list[(at + by + list.length) % list.length]
    if (next) go(threadHref(next.threadId))
  }
  useShortcuts({
    newThread: () => {
      go(agentsHref)
      focusSoon('main [data-start="preferred"]', "main [data-start]")
    },
    previousThread: () => step(inOrder, -1),
    nextThread: () => step(inOrder, 1),
    nextWaiting: () => {
      step(
        inOrder.filter(({ waitingFor }) => waitingFor !== undefined),
        1
      )
      focusSoon("main [data-ask]")
    },
    inbox: () => go(inboxHref),
    settings: () => document.getElementById(settingsButtonId)?.click(),
    keys: () => showKeys(true)
  })

  return (
    <div className={styles["frame"]} data-room={route.page === "thread" && route.room !== undefined ? "" : undefined}>
      <a
        className={styles["skip"]}
        href={location.hash}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the page
      </a>
      <div className={styles["strips"]}>
        <Banner link={link} />
        <StorageBanner />
        <Farewell {...farewell} />
      </div>
      <Sidebar link={link} current={route.page} sideRef={sidebar} showKeys={() => showKeys(true)}>
        <ThreadList
          threads={threads}
          unread={
            new Set(
              threads
                .filter((thread) => thread.threadId !== current && isUnread(thread, known))
                .map(({ threadId }) => threadId)
            )
          }
          current={current}
          live={link.state === "open"}
        />
      </Sidebar>
      <main ref={main} className={styles["main"]} tabIndex={-1}>
        <PartGuard key={current ?? route.page} what="This page" source={threads}>
          {route.page === "thread" ? (
            <ThreadPage
              key={route.threadId}
              threadId={route.threadId}
              link={link}
              editing={route.room !== undefined}
              path={route.room?.path}
              line={route.room?.line}
              wire={route.wire === true}
            />
          ) : route.page === "rules" ? (
            <Suspense>
              <RulesPage threads={threads} />
            </Suspense>
          ) : route.page === "decisions" ? (
            <Suspense>
              <DecisionsPage threads={threads} />
            </Suspense>
          ) : route.page === "inbox" ? (
            <InboxPage />
          ) : (
            <AgentsPage threads={threads} link={link} />
          )}
        </PartGuard>
      </main>
      {keysShown && <KeyList onClose={() => showKeys(false)} />}
      <LiveRegions />
    </div>
  )
}
