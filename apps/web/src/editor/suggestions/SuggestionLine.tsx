/** Who suggests edits in the shown file, and what they do now. Otherwise the one reason why nothing is suggested. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { ProviderId } from "@signalbox/contracts/Provider"
import { slowAfterMs } from "@signalbox/contracts/Suggestions"
import { lazy, Suspense, useEffect, useState } from "react"
import { makeStore, useStore } from "../../browser/Store.ts"
import { threads } from "../../connection/threads.ts"
import { Dialog } from "../../design/Dialog.tsx"
import { Icon } from "../../design/Icon.tsx"
import { Lamp } from "../../design/Lamp.tsx"
import { useScope } from "../../design/scope.ts"
import { ProblemCard } from "../../problems/ProblemCard.tsx"
import { AccountDialog } from "../../signin/AccountDialog.tsx"
import { proseText } from "../../text/Revealed.tsx"
import * as Time from "../../words/time.ts"
import { isAsking } from "../authors/AgentWork.ts"
import { workIn } from "../authors/work.ts"
import { RecordedNote } from "./RecordedNote.tsx"
import { type Status, wantsSignIn } from "./Status.ts"
import type { Many } from "./Steps.ts"
import { type Line, lineOf } from "./statusWords.ts"
import styles from "./Suggestions.module.css"
import { Today } from "./Today.tsx"
import { TurnButton } from "./TurnButton.tsx"
import { watchedOf } from "./watching.ts"

export { watch } from "./watching.ts"

const PlacesDialog = lazy(() => import("./PlacesDialog.tsx"))
const SettingsDialog = lazy(() => import("./SettingsDialog.tsx"))
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
  const [why, showWhy] = useState<Line>()
  const [setting, showSettings] = useState(false)
  const [signingIn, signIn] = useState<{ readonly id: ProviderId; readonly name: string }>()
  const work = useStore(workIn(threadId))
  const line = useCalm(lineOf(status, path, { name: editing ?? "the agent", isAsking: isAsking(work, path) }))
  const words = proseText(line.words)
  const { last, source } = status
  const maySignIn = useScope("admin") === undefined
  return (
    <span className={styles["line"]}>
      {words !== "" && (line.kind === "paused" ? <Icon name="hold" /> : <Lamp status={line.lamp} />)}
      <span className="cut" title={line.why.length > 0 ? line.why.join(" ") : words}>
        {words}
      </span>
      {line.kind === "ready" && last !== undefined && last.latencyMs <= slowAfterMs && (
        <span className="wide-only">{Time.latency(last.latencyMs)}</span>
      )}
      {line.kind === "ready" && last !== undefined && (
        <button type="button" className="link" onClick={() => showSent({ id: last.id })}>
          What was sent
        </button>
      )}
      {source.type === "on" && status.settings.length > 0 && (line.kind === "ready" || line.kind === "failed") && (
        <button
          type="button"
          className="link"
          title={`Settings of ${proseText(source.agent.name)}`}
          onClick={() => showSettings(true)}
        >
          Settings
        </button>
      )}
      {source.type === "on" && source.recording !== undefined && !status.withheld.has(path) && (
        <RecordedNote file={source.recording} agent={source.agent.name} />
      )}
      {source.type === "on" && line.problem !== undefined && wantsSignIn(status) && maySignIn && (
        <button
          type="button"
          className="link"
          onClick={() => signIn({ id: ProviderId.make(source.agent.id), name: source.agent.name })}
        >
          Sign in
        </button>
      )}
      {line.again && desk !== undefined && (
        <button
          type="button"
          className={wantsSignIn(status) && maySignIn ? "link wide-only" : "link"}
          onClick={() => desk.ask(path)}
        >
          Try again
        </button>
      )}
      {line.problem !== undefined && (
        <button type="button" className="link" onClick={() => showProblem(line.problem)}>
          What happened
        </button>
      )}
      {line.why.length > 0 && line.problem === undefined && (
        <button
          type="button"
          className={`link ${(line.isLong && styles["onlyNarrow"]) || ""}`}
          onClick={() => showWhy(line)}
        >
          Why
        </button>
      )}
      {mayTurn(status, line) && <TurnButton isOn={source.type === "on"} onFailed={showProblem} />}
      {line.kind === "ready" && status.today !== undefined && <Today figures={status.today} />}
      {why !== undefined && (
        <Dialog
          title={proseText(titleOf(why))}
          onClose={() => {
            showWhy(undefined)
            if (why.kind !== "note" || desk === undefined) return
            desk.read()
            // The button that opened it is gone.
            setTimeout(desk.back)
          }}
        >
          <div className={styles["sent"]}>
            {why.why.map((sentence) => (
              <p key={sentence}>{proseText(sentence)}</p>
            ))}
          </div>
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
      {setting && source.type === "on" && (
        <Suspense>
          <SettingsDialog
            threadId={threadId}
            agent={source.agent.name}
            settings={status.settings}
            chosen={status.chosen}
            onClose={() => showSettings(false)}
          />
        </Suspense>
      )}
      {sent !== undefined && (
        <Suspense>
          <SentDialog threadId={threadId} id={sent.id} withheld={status.withheld} onClose={() => showSent(undefined)} />
        </Suspense>
      )}
      {signingIn !== undefined && (
        <AccountDialog
          provider={signingIn}
          afterwards="It is asked for suggestions again."
          onClose={() => {
            signIn(undefined)
            setTimeout(() => desk?.back())
          }}
        />
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

/** Whether suggestions are turned off or on in the line. Otherwise that is a part of the agent's settings. */
const mayTurn = ({ settings, source }: Status, { kind, lamp }: Line): boolean => {
  if (source.type === "off") return source.turnedOff !== undefined
  if (source.type === "unknown") return false
  return kind === "ready" ? lamp === "limited" || settings.length === 0 : kind === "failed" || kind === "paused"
}

const titleOf = ({ isLong, kind, words }: Line): string =>
  kind === "note" ? words : isLong ? "Suggestions are off for this file" : "Suggestions are off"

export default SuggestionLine
