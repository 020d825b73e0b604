/** A thread as people read it and go on with it: its transcript, and the desk below. It fills its place. */
import { reloadPage } from "../browser/surroundings.ts"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import { useEffect, useMemo, useRef, useState } from "react"
import { announce } from "../browser/announcer.ts"
import { Desk } from "../composer/Desk.tsx"
import { addToDraft } from "../composer/drafts.ts"
import { composerId } from "../composer/PromptField.tsx"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import type { LinkState } from "../connection/link.ts"
import { leavePages, readPage, usePages } from "../connection/pages.ts"
import { type Pages, withPages } from "../connection/shownPages.ts"
import { shorten } from "../connection/thread.ts"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import type { Further } from "../transcript/EarlierEntry.tsx"
import { Register } from "../transcript/Register.tsx"
import { figure } from "../words/figures.ts"
import { markSeen } from "./seen.ts"
import { sentences } from "./sentences.ts"
import styles from "./ThreadColumn.module.css"

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

/** `torn`: the sequence of an event that is missing, also after it was requested again. */
export const ThreadColumn = ({
  link,
  torn,
  view
}: {
  readonly view: ThreadView
  readonly torn: number | undefined
  readonly link: LinkState
}) => {
  const running = runningTurn(view)
  const tick = useNow(running ? 1000 : 30_000)
  // Without a connection it is unknown whether anything continues.
  const now = "since" in link ? link.since : tick
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
  const canRestart = link.state === "open" && view.session.state === "exited" && view.session.restart === undefined
  return (
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
    <Button onClick={reloadPage}>Reload the page</Button>
  </p>
)
