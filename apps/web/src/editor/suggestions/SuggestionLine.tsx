/** Who suggests edits in the shown file, and what they do now. Otherwise the one reason why nothing is suggested. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { lazy, Suspense, useState } from "react"
import { makeStore, useStore } from "../../browser/Store.ts"
import { Lamp } from "../../design/Lamp.tsx"
import { duration } from "../../words/time.ts"
import type { Many } from "./Desk.ts"
import styles from "./Suggestions.module.css"
import { lineOf } from "./statusWords.ts"
import { watchedOf } from "./watching.ts"

export { watch } from "./watching.ts"

const PlacesDialog = lazy(() => import("./PlacesDialog.tsx"))
const SentDialog = lazy(() => import("./SentDialog.tsx"))

/** Nobody suggests yet. */
const none = makeStore<Many | undefined>(undefined)

const SuggestionLine = (props: { readonly threadId: ThreadId; readonly path: string }) => {
  const { path, threadId } = props
  const watched = watchedOf(threadId)
  const status = useStore(watched.status)
  const desk = useStore(watched.desk)
  const many = useStore(desk?.many ?? none)
  const [sent, showSent] = useState<{ readonly id: string | undefined }>()
  const line = lineOf(status, path)
  return (
    <span className={styles["line"]} data-suggestions={line.kind}>
      <Lamp status={line.lamp} />
      <span className="cut" title={line.words}>
        {line.words}
      </span>
      {line.kind === "ready" && status.last !== undefined && (
        <>
          <span>{duration(status.last.latencyMs)}</span>
          <button type="button" className={`link ${styles["may"]}`} onClick={() => showSent({ id: status.last?.id })}>
            What was sent
          </button>
        </>
      )}
      {line.again && desk !== undefined && (
        <button type="button" className="link" onClick={() => desk.ask(path)}>
          Try again
        </button>
      )}
      {many !== undefined && desk !== undefined && status.source.type === "on" && (
        <Suspense>
          <PlacesDialog
            key={many.id}
            threadId={threadId}
            suggestion={many}
            agent={status.source.agent.name}
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
    </span>
  )
}

export default SuggestionLine
