/** Nothing was heard for long: what is known of the agent's process, and the one thing that people can do about it. */
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import { useEffect } from "react"
import { health } from "../connection/health.ts"
import { useStore } from "../browser/Store.ts"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { clock, duration } from "../words/time.ts"
import { announce } from "../browser/announcer.ts"
import { isElsewhere, lastSignOf, processWords, silentAfter } from "../words/silence.ts"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { useThreadFacts } from "./ThreadFacts.ts"

/** Stands at the end of a transcript for as long as its turn is silent. */
export const SilenceEntry = ({ view }: { readonly view: ThreadView }) => {
  const turn = runningTurn(view)
  return turn?.status === "working" ? <WhileSilent view={view} turn={turn} /> : null
}

const WhileSilent = ({ turn, view }: { readonly view: ThreadView; readonly turn: TurnView }) => {
  const lastSign = lastSignOf(view, turn)
  const now = useNow(1000)
  return now - lastSign < silentAfter || isElsewhere(view, turn) ? null : <Silence view={view} lastSign={lastSign} />
}

const Silence = ({ lastSign, view }: { readonly view: ThreadView; readonly lastSign: number }) => {
  const { agent, onStop } = useThreadFacts()
  const report = useStore(health)
  useEffect(() => announce(`${agent} gave no sign for ${duration(silentAfter)}.`), [agent])
  return (
    <EntryFrame lamp="working" still>
      <EntryLine verb={<span className={styles["silent"]}>Silent</span>}>
        <span className={styles["text"]}>
          No sign of {agent} since {clock(lastSign)}.
        </span>
      </EntryLine>
      <p className={styles["opened"]}>
        {report &&
          `${processWords(
            report.agents.find(({ threadId }) => threadId === view.threadId),
            report.at,
            lastSign
          )} `}
        Whether it works or is stuck can’t be told from here. Nothing is stopped by itself.
      </p>
      {onStop && (
        <p className={styles["acts"]}>
          <Button icon="stop" onClick={onStop}>
            Stop the turn
          </Button>
        </p>
      )}
    </EntryFrame>
  )
}
