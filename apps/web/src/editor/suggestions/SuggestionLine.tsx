/** Who suggests edits in the shown file, and what they do now. Otherwise the one reason why nothing is suggested. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { lazy, Suspense, useEffect, useState } from "react"
import { makeStore, useStore } from "../../browser/Store.ts"
import { threads } from "../../connection/threads.ts"
import { Dialog } from "../../design/Dialog.tsx"
import { Icon } from "../../design/Icon.tsx"
import { Lamp } from "../../design/Lamp.tsx"
import { ProblemCard } from "../../problems/ProblemCard.tsx"
import { proseText } from "../../text/Revealed.tsx"
import * as Time from "../../words/time.ts"
import { RecordedNote } from "./RecordedNote.tsx"
import type { Many } from "./Steps.ts"
import { type Line, lineOf } from "./statusWords.ts"
import styles from "./Suggestions.module.css"
import { watchedOf } from "./watching.ts"

export { watch } from "./watching.ts"

const PlacesDialog = lazy(() => import("./PlacesDialog.tsx"))
const SentDialog = lazy(() => import("./SentDialog.tsx"))

/** Nobody suggests yet. */
const none = makeStore<Many | undefined>(undefined)

/** An answer that comes sooner is not announced by a word that flickers. */
const patience = 300

/** The line, without what is over in a moment. */
const useCalm = (line: Line): Line => {
  const [shown, show] = useState(line)
  const { kind, words } = line
  const isBusy = kind === "busy"
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => show(line), patience)
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the words say all of it
  }, [isBusy, words])
  if (!isBusy && (shown.kind !== kind || shown.words !== words)) show(line)
  return isBusy ? shown : line
}

const SuggestionLine = (props: { readonly threadId: ThreadId; readonly path: string }) => {
  const { path, threadId } = props
  const watched = watchedOf(threadId)
  const status = useStore(watched.status)
  const desk = useStore(watched.desk)
  const many = useStore(desk?.many ?? none)
  const editing = useStore(threads)?.find((thread) => thread.threadId === threadId)?.provider.name
  const [sent, showSent] = useState<{ readonly id: string | undefined }>()
  const [problem, showProblem] = useState<Problem>()
  const [why, showWhy] = useState<string>()
  const line = useCalm(lineOf(status, path, editing ?? "the agent"))
  const words = proseText(line.words)
  const { last, source } = status
  return (
    <span className={styles["line"]}>
      {words !== "" && (line.kind === "paused" ? <Icon name="hold" /> : <Lamp status={line.lamp} />)}
      <span className="cut" title={line.why ?? words}>
        {words}
      </span>
      {line.kind === "ready" && last !== undefined && <span className="wide-only">{Time.latency(last.latencyMs)}</span>}
      {line.kind === "ready" && last !== undefined && (
        <button type="button" className="link" onClick={() => showSent({ id: last.id })}>
          What was sent
        </button>
      )}
      {source.type === "on" && source.recording !== undefined && !status.withheld.has(path) && (
        <RecordedNote file={source.recording} agent={source.agent.name} />
      )}
      {line.again && desk !== undefined && (
        <button type="button" className="link" onClick={() => desk.ask(path)}>
          Try again
        </button>
      )}
      {line.problem !== undefined && (
        <button type="button" className="link" onClick={() => showProblem(line.problem)}>
          What happened
        </button>
      )}
      {line.why !== undefined && line.problem === undefined && (
        <button type="button" className="link" onClick={() => showWhy(line.why)}>
          Why
        </button>
      )}
      {why !== undefined && (
        <Dialog title="Suggestions are off" onClose={() => showWhy(undefined)}>
          <p className={styles["sent"]}>{proseText(why)}</p>
        </Dialog>
      )}
      {many !== undefined && desk !== undefined && source.type === "on" && (
        <Suspense>
          <PlacesDialog
            key={many.id}
            threadId={threadId}
            suggestion={many}
            agent={source.agent.name}
            paused={status.paused}
            onApply={desk.choose}
            onDismiss={() => desk.choose(undefined)}
          />
        </Suspense>
      )}
      {sent !== undefined && (
        <Suspense>
          <SentDialog threadId={threadId} id={sent.id} onClose={() => showSent(undefined)} />
        </Suspense>
      )}
      {problem !== undefined && (
        <Dialog title="What happened" onClose={() => showProblem(undefined)}>
          <div className={styles["sent"]}>
            <ProblemCard problem={problem} />
          </div>
        </Dialog>
      )}
    </span>
  )
}

export default SuggestionLine
