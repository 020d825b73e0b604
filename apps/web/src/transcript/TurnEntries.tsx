/** The entries at which a turn begins, ends and waits. */
import type { OpenRequest, TurnView } from "@signalbox/contracts/ThreadView"
import { none as noTotals } from "@signalbox/contracts/TurnTotals"
import { StateWord } from "../design/Lamp.tsx"
import { statusWord } from "../design/status.ts"
import { clock, duration } from "../words/time.ts"
import { LineFigures } from "../diff/Diff.tsx"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { count, figure } from "../words/figures.ts"
import { useThreadFacts } from "./ThreadFacts.ts"
import { Revealed } from "../text/Revealed.tsx"

const calendar = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })

export const TurnHead = ({
  day,
  number,
  turn
}: {
  readonly number: number | undefined
  readonly turn: TurnView
  readonly day: boolean
}) => (
  <EntryFrame>
    <p className={styles["turn"]}>
      {number === undefined ? `Turn of ${clock(turn.sentAt ?? turn.queuedAt)}` : `Turn ${figure(number)}`}
      {turn.steered &&
        (turn.steered.way === "agent" ? ", into the one that ran" : ", for which the one before was stopped")}
      {day && `, ${calendar.format(turn.sentAt ?? turn.queuedAt)}`}
    </p>
  </EntryFrame>
)

export const TurnEnd = ({ turn }: { readonly turn: TurnView }) => {
  const { agent } = useThreadFacts()
  const { endedAt, interruptedAt, sentAt, status, steered, stopReason, totals = noTotals } = turn
  const { added, edits, failed, rejected, removed, tools, unmeasured } = totals
  return (
    <EntryFrame {...(endedAt !== undefined && { at: endedAt })} lamp={status}>
      <div className={styles["foot"]}>
        <h3>
          <StateWord status={status}>{statusWord[status]}</StateWord>
        </h3>
        {status === "cancelled" && <span>{interruptedAt === undefined ? "not by you" : "by you"}</span>}
        {stopReason !== undefined ? (
          <span className="mono">
            <Revealed text={stopReason} />
          </span>
        ) : (
          status === "completed" && (
            <span>{steered?.way === "agent" ? "taken into the turn before" : "without a stop reason"}</span>
          )
        )}
        {sentAt !== undefined && endedAt !== undefined && <span>{duration(endedAt - sentAt)}</span>}
        {tools > 0 && <span>{count(tools, "tool")}</span>}
        {failed > 0 && <span>{figure(failed)} failed</span>}
        {rejected > 0 && <span>{figure(rejected)} rejected</span>}
        {edits > 0 && (
          <span className={styles["figures"]}>
            {count(edits, "edit")} {unmeasured < edits && <LineFigures added={added} removed={removed} />}
          </span>
        )}
        {unmeasured > 0 && <span>{figure(unmeasured)} too large to compare</span>}
      </div>
      {status === "refused" && (
        <p className={styles["opened"]}>
          {agent} knows nothing of this prompt, and of what followed it, in the turns to come.
        </p>
      )}
    </EntryFrame>
  )
}

const nouns = { approval: "A request", question: "A question", plan: "A plan", form: "A form", url: "An address" }

export const WaitingEntry = ({ requests }: { readonly requests: ReadonlyArray<OpenRequest> }) => {
  const first = requests[0]?.request
  return (
    <EntryFrame {...(first && { at: first.at })} lamp="waiting">
      <EntryLine verb={<StateWord status="waiting">Waiting for you</StateWord>}>
        <span className={styles["text"]}>
          {requests.length > 1 ? `${figure(requests.length)} requests are` : `${first ? nouns[first.type] : ""} is`} on
          the desk below.
        </span>
      </EntryLine>
    </EntryFrame>
  )
}
