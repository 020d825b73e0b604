import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { RequestId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent, useRef } from "react"
import { answer, problemOf, send } from "../connection/commands.ts"
import type { LinkState } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { useScope } from "../design/scope.ts"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { RequestDesk } from "../requests/RequestDesk.tsx"
import { SignInCard } from "../signin/SignInCard.tsx"
import { wantedSignIn } from "../transcript/wantedSignIn.ts"
import { Composer } from "./Composer.tsx"
import styles from "./Desk.module.css"
import { BypassLine } from "./BypassLine.tsx"
import { NowLine } from "./NowLine.tsx"
import { composerId } from "./PromptField.tsx"
import { queuedTurns } from "./nowState.ts"
import { QueuedPrompts } from "./QueuedPrompts.tsx"
import { useQueue } from "./useQueue.ts"

/** A thread that has never run starts its agent when it is opened. So its settings can be chosen before the first prompt. */
const useFirstStart = (untouched: boolean, start: () => void) => {
  const asked = useRef(false)
  const startNow = useEffectEvent(start)
  useEffect(() => {
    if (!untouched || asked.current) return
    asked.current = true
    startNow()
  }, [untouched])
}

/** Ours, below the register: what it does now, what it wants, what you say next. */
export const Desk = (props: {
  readonly view: ThreadView
  readonly link: LinkState
  /** What went wrong with what was asked last. */
  readonly problem: Problem | undefined
  readonly tell: (problem: Problem | undefined) => void
  /** Starts the agent without a prompt. */
  readonly start: () => void
  readonly sendAgain: (prompt: TurnView["prompt"]) => Promise<boolean>
}) => {
  const { link, problem, sendAgain, start, tell: setProblem, view } = props
  const nowLine = useRef<HTMLElement>(null)
  const connected = link.state === "open"
  const asked = view.requests.length > 0
  const running = runningTurn(view)
  const queued = queuedTurns(view)
  const wanted = connected ? wantedSignIn(view) : undefined

  const respond = async (requestId: RequestId, response: RequestResponse): Promise<void> => {
    setProblem(undefined)
    await answer(view.threadId, requestId, response).catch((error: unknown) => {
      // The card that says so goes with its request, so the desk has to.
      const problem = problemOf(error)
      if (problem.code === "request-closed" || problem.code === "request-changed") setProblem(problem)
      throw error
    })
    if (document.activeElement?.id !== composerId) nowLine.current?.focus()
  }
  const queue = useQueue(view, setProblem)
  const stop = () => {
    if (running === undefined) return
    setProblem(undefined)
    send(view.threadId, { type: "turn.interrupt", turnId: running.turnId }).catch((error: unknown) =>
      setProblem(problemOf(error))
    )
  }
  const stopRestarting = () => {
    setProblem(undefined)
    send(view.threadId, { type: "session.stop" }).catch((error: unknown) => setProblem(problemOf(error)))
  }
  const mayOperate = useScope("operate") === undefined
  useFirstStart(connected && mayOperate && view.session.state === "none" && view.turns.length === 0, start)
  const canStart =
    connected &&
    mayOperate &&
    wanted === undefined &&
    view.turns.length === 0 &&
    (view.session.state === "exited" || problem !== undefined)

  return (
    <section className={styles["desk"]} aria-label="Desk">
      <div className={styles["inner"]}>
        <PartGuard what="What the agent does now" source={view}>
          <NowLine view={view} link={link} lineRef={nowLine} />
        </PartGuard>
        <div className={styles["hold"]}>
          <BypassLine view={view} connected={connected} tell={setProblem} />
          {asked && (
            <div className={styles["asks"]} tabIndex={-1} data-ask="">
              <RequestDesk view={view} respond={respond} stop={running && connected ? stop : undefined} />
            </div>
          )}
          {wanted && (
            <div className={styles["asks"]}>
              <SignInCard wanted={wanted} provider={view.provider} start={start} sendAgain={sendAgain} />
            </div>
          )}
          <div className={styles["foot"]}>
            {problem && !(wanted && problem.code === "auth-required") && <ProblemCard problem={problem} />}
            {connected && running === undefined && view.session.restart !== undefined && (
              <div className={styles["start"]}>
                <Button icon="stop" onClick={stopRestarting}>
                  Stop trying
                </Button>
                <span className="meta">the next prompt starts {view.provider.name} all the same</span>
              </div>
            )}
            {canStart && (
              <div className={styles["start"]}>
                <Button icon="play" onClick={start}>
                  Start {view.provider.name} again
                </Button>
                <span className="meta">to choose its settings before the first prompt</span>
              </div>
            )}
            <Composer
              key={view.threadId}
              view={view}
              connected={connected}
              asked={asked}
              queue={
                queued.length > 0 || view.held ? (
                  <QueuedPrompts view={view} turns={queued} connected={connected} queue={queue} />
                ) : null
              }
            />
          </div>
        </div>
      </div>
    </section>
  )
}
