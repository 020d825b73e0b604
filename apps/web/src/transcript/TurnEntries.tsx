/** Where a turn begins, ends and waits. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { OpenRequest, TurnView } from "@signalbox/contracts/ThreadView"
import { StateWord } from "../design/Lamp.tsx"
import { statusWord } from "../design/status.ts"
import { clock, duration } from "../design/time.ts"
import { DiffFigures } from "../diff/Diff.tsx"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { count, figure } from "./figures.ts"
import { hasLongDiffs } from "./longTexts.ts"
import { resolvePath } from "@signalbox/contracts/Paths"
import { useThreadFacts } from "./ThreadFacts.ts"
import { wentWrong } from "./toolWords.ts"

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

export const TurnEnd = (props: { readonly turn: TurnView; readonly tools: ReadonlyArray<ToolCall> }) => {
  const { tools, turn } = props
  const { agent, cwd } = useThreadFacts()
  const { endedAt, interruptedAt, sentAt, status, steered, stopReason } = turn
  const done = tools.filter((tool) => tool.status === "completed" && !wentWrong(tool))
  const diffs = done.flatMap((tool) =>
    tool.diffs.filter(({ newText, oldText }) => newText !== oldText || hasLongDiffs(tool))
  )
  const files = new Set(diffs.map(({ path }) => resolvePath(path, cwd))).size
  return (
    <EntryFrame {...(endedAt !== undefined && { at: endedAt })} lamp={status}>
      <div className={styles["foot"]}>
        <h3>
          <StateWord status={status}>{statusWord[status]}</StateWord>
        </h3>
        {status === "cancelled" && <span>{interruptedAt === undefined ? "not by you" : "by you"}</span>}
        {stopReason !== undefined ? (
          <span className="mono">{stopReason}</span>
        ) : (
          status === "completed" && (
            <span>{steered?.way === "agent" ? "taken into the turn before" : "without a stop reason"}</span>
          )
        )}
        {sentAt !== undefined && endedAt !== undefined && <span>{duration(endedAt - sentAt)}</span>}
        {tools.length > 0 && <span>{count(tools.length, "tool")}</span>}
        {files > 0 && (
          <span className={styles["figures"]}>
            {count(files, "file")} {!done.some(hasLongDiffs) && <DiffFigures diffs={diffs} />}
          </span>
        )}
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
