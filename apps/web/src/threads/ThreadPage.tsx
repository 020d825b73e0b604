import type { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import type { Problem } from "@signalbox/contracts/Problem"
import { memo, Suspense, useEffect, useMemo, useRef, useState } from "react"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import { leavePages, readPage, usePages } from "../connection/pages.ts"
import { type Pages, withPages } from "../connection/shownPages.ts"
import type { LinkState } from "../connection/link.ts"
import { shorten, useThread } from "../connection/thread.ts"
import { useNow } from "../connection/useNow.ts"
import { composerId } from "../composer/PromptField.tsx"
import { Desk } from "../composer/Desk.tsx"
import { addToDraft } from "../composer/drafts.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { loaded } from "../design/loaded.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { announce } from "../browser/announcer.ts"
import { useFileSearchKey } from "../browser/fileSearch.ts"
import { agentsHref, fileHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { usePreferences } from "../browser/preferences.ts"
import type { Further } from "../transcript/EarlierEntry.tsx"
import { figure } from "../words/figures.ts"
import { Register } from "../transcript/Register.tsx"
import { sentences } from "./sentences.ts"
import { markSeen } from "./seen.ts"
import { SidePanel } from "./SidePanel.tsx"
import { FilesContext, useFilesOf } from "../text/files.ts"
import { ThreadHeader } from "./ThreadHeader.tsx"
import styles from "./ThreadPage.module.css"
import { ThreadNotice, UnreadableThread } from "./ThreadNotice.tsx"

/** The editor is loaded when it is first opened. */
const EditorRoom = loaded("The editor", async () => (await import("../editor/EditorRoom.tsx")).EditorRoom)

/** Few people look at the wire. */
const WireRoom = loaded("The wire", async () => (await import("../wire/WireRoom.tsx")).WireRoom)

/** The editor beside a thread, or the wire in its place. */
interface Beside {
  readonly editing: boolean
  readonly path: string | undefined
  readonly line: number | undefined
  readonly wire: boolean
}

/** The page of a thread. It is drawn again when this thread or the link changes, not with every row of the list. */
export const ThreadPage = memo((props: Beside & { readonly threadId: ThreadId; readonly link: LinkState }) => {
  const { link, threadId, ...beside } = props
  const watched = useThread(threadId)
  switch (watched.state) {
    case "loading":
      return <p className={`${styles["nothing"]} meta`}>Reading the thread…</p>
    case "missing":
      return (
        <ThreadNotice title="No thread">
          <h2>There is no such thread here.</h2>
          <p className="quiet">
            The address names a thread that this Signalbox doesn’t keep.{" "}
            <a className="link" href={agentsHref}>
              Start a new one
            </a>
          </p>
        </ThreadNotice>
      )
    case "unreadable":
      return <UnreadableThread threadId={threadId} problem={watched.problem} />
    case "here":
      return <OpenThread view={watched.view} torn={watched.torn} link={link} beside={beside} />
  }
})

/** Announces ends, and marks the thread as seen: when nothing runs, and when the page is left. */
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

const see = (view: ThreadView): void => {
  if (document.visibilityState === "visible") markSeen(view)
}

/** Most entries that the page keeps while people follow the end, including earlier pages. */
const mostFollowed = 4000

/** The pages that can be read in a direction. Undefined if there are none. */
const furtherOf = (
  pages: Pages,
  direction: "earlier" | "later",
  there: boolean,
  view: ThreadView
): Further | undefined => {
  if (!there) return undefined
  const read = () => readPage(direction, view)
  if (pages.reading !== undefined) return { state: "reading" }
  const { failed } = pages
  if (failed === undefined || (direction === "later" && failed.direction !== "later")) return { state: "there", read }
  return { state: "failed", problem: failed.problem, read: () => readPage(failed.direction, view) }
}

/** The visible thread: its window, or the earlier pages that people opened. */
const useShown = (view: ThreadView) => {
  const pages = usePages(view.threadId)
  return useMemo(() => {
    const { apart, view: shown } = withPages(view, pages)
    return {
      shown,
      apart,
      jumps: pages.jumps,
      earlier: furtherOf(pages, "earlier", shown.earlier !== undefined, view),
      later: furtherOf(pages, "later", apart, view)
    }
  }, [view, pages])
}

const OpenThread = ({
  beside,
  link,
  torn,
  view
}: {
  readonly beside: Beside
  readonly view: ThreadView
  readonly torn: number | undefined
  readonly link: LinkState
}) => {
  const running = runningTurn(view)
  const tick = useNow(running ? 1000 : 30_000)
  // Without a connection it is unknown whether anything continues.
  const now = "since" in link ? link.since : tick
  const { sidePanel } = usePreferences()
  useFileSearchKey(() => {
    if (!beside.editing) go(fileHref(view.threadId))
  })
  const { apart, earlier, jumps, later, shown } = useShown(view)
  const { threadId } = view
  useEffect(() => () => leavePages(threadId), [threadId])
  useWitness(view)
  // The desk shows a command's problem until the next prompt.
  const turns = view.turns.length
  const [told, setTold] = useState<{ readonly problem: Problem | undefined; readonly turns: number }>()
  const tell = (problem: Problem | undefined) => setTold({ problem, turns })
  const start = () => {
    tell(undefined)
    send(view.threadId, { type: "session.start" }).catch((error: unknown) => tell(problemOf(error)))
  }
  const without = (component: string) => {
    tell(undefined)
    import("./startWithout.ts")
      .then(({ startWithout }) => startWithout(view, component))
      .catch((error: unknown) => tell(problemOf(error)))
  }
  const sendAgain = async ([first, ...others]: TurnView["prompt"]): Promise<boolean> => {
    if (first === undefined) return false
    tell(undefined)
    const prompt = [first, ...others] as const
    // Held prompts waited behind this one, so it is sent before them.
    const ahead = view.held && running === undefined && { steer: true as const }
    const command = { type: "turn.start", turnId: newTurnId(), prompt, provider: view.provider.id } as const
    const sent = send(view.threadId, { ...command, ...ahead })
    return sent.then(
      () => true,
      (error: unknown) => {
        tell(problemOf(error))
        return false
      }
    )
  }
  const stop = (turnId: TurnId) => {
    tell(undefined)
    send(view.threadId, { type: "turn.interrupt", turnId }).catch((error: unknown) => tell(problemOf(error)))
  }
  const files = useFilesOf(threadId, view.cwd)
  const canRestart = link.state === "open" && view.session.state === "exited" && view.session.restart === undefined
  return (
    <FilesContext value={files}>
      <div className={styles["page"]}>
        <PartGuard what="The head of the thread" source={view}>
          <ThreadHeader view={view} editing={beside.editing} wire={beside.wire} />
        </PartGuard>
        <div className={styles["split"]} data-editing={beside.editing || undefined}>
          <div className={styles["column"]}>
            {torn !== undefined && <Torn sequence={torn} />}
            <Register
              key={view.threadId}
              view={shown}
              now={now}
              live={link.state === "open" && !apart}
              earlier={earlier}
              later={later}
              jumps={jumps}
              onBeginning={view.earlier === undefined ? undefined : () => readPage("beginning", view)}
              onFollowing={(entries) => {
                if (entries > mostFollowed) leavePages(threadId)
                shorten(view)
              }}
              onEnd={() => leavePages(threadId)}
              onSendAgain={link.state === "open" ? sendAgain : undefined}
              onEdit={(prompt) => {
                addToDraft(view.threadId, prompt)
                document.getElementById(composerId)?.focus()
              }}
              onRestart={canRestart ? start : undefined}
              onStartWithout={canRestart ? without : undefined}
              onStop={running && (() => stop(running.turnId))}
            />
            <Desk
              view={view}
              link={link}
              problem={told?.turns === turns ? told.problem : undefined}
              tell={tell}
              start={start}
              sendAgain={sendAgain}
            />
          </div>
          {beside.editing && (
            <PartGuard what="The editor" source={beside.path}>
              <Suspense fallback={<section aria-label="The editor" />}>
                <EditorRoom threadId={threadId} cwd={view.cwd} path={beside.path} line={beside.line} />
              </Suspense>
            </PartGuard>
          )}
          {beside.wire && (
            <PartGuard what="The wire" source={view}>
              <Suspense fallback={<section data-alone="" aria-label="Wire" />}>
                <WireRoom view={view} />
              </Suspense>
            </PartGuard>
          )}
          {sidePanel && !beside.editing && !beside.wire && (
            <PartGuard what="The state of the thread" source={view}>
              <SidePanel view={view} />
            </PartGuard>
          )}
        </div>
      </div>
    </FilesContext>
  )
}

/** Shows that an event was missing, even after it was requested again. */
const Torn = ({ sequence }: { readonly sequence: number }) => (
  <p className={styles["torn"]} role="alert">
    <Lamp status="lost" />
    <span className="grow">
      <b>A piece of this thread did not reach this page.</b> Event {figure(sequence)} is missing, also after asking for
      it again. What you see may be incomplete; the server may have all of it.
    </span>
    <Button onClick={() => location.reload()}>Reload the page</Button>
  </p>
)
