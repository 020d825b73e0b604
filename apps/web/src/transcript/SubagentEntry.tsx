/** A sub-agent, and those that it has started itself. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { duration, elapsed } from "../words/time.ts"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { useOpen } from "./openings.ts"
import { Revealed } from "../text/Revealed.tsx"
import { stepsIn, type SubagentItem } from "./subagentsBelow.ts"
import { useThreadFacts } from "./ThreadFacts.ts"
import { ToolDetail } from "./ToolDetail.tsx"

const subagentEnd = {
  running: "",
  background: "goes on in the background",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled"
}

export const SubagentEntry = (props: {
  readonly item: SubagentItem
  readonly current: boolean
  readonly now: number | undefined
  /** The call that started it, where there is one. */
  readonly call: ToolCall | undefined
  /** Those that it has started, and theirs. */
  readonly below: ReadonlyArray<SubagentItem>
}) => {
  const { below, call, item } = props
  const { agent } = useThreadFacts()
  const opening = useOpen(item.itemId)
  const ms = item.durationMs ?? (item.state === "running" && props.now !== undefined ? props.now - item.at : undefined)
  const isRunning = item.state === "running"
  const detail =
    item.task !== undefined ||
    item.state === "background" ||
    item.said !== undefined ||
    call !== undefined ||
    below.length > 0
  return (
    <EntryFrame at={item.at} icon="agent" current={props.current}>
      <EntryLine
        verb={isRunning ? "Sub-agent at work" : "Sub-agent"}
        marks={item}
        opening={detail ? opening : undefined}
        end={
          <>
            {subagentEnd[item.state] !== "" && <span>{subagentEnd[item.state]}</span>}
            <span className={styles["took"]}>
              {ms === undefined ? "" : item.state === "running" ? elapsed(ms) : duration(ms)}
            </span>
          </>
        }
      >
        <span className={styles["subject"]} data-voice="words">
          <Revealed text={item.name} />
        </span>
        {isRunning && item.activity !== undefined && (
          <span className={styles["text"]}>
            <Revealed text={item.activity} />
          </span>
        )}
      </EntryLine>
      {below.length > 0 && (
        <ul className={styles["below"]} aria-label="Sub-agents of this sub-agent">
          {below.map((one) => (
            <Below key={one.itemId} item={one} steps={stepsIn(item, one)} open={opening.open} />
          ))}
        </ul>
      )}
      {detail && opening.open && (
        <div className={styles["opened"]}>
          {item.task !== undefined && <p className={styles["said"]}>{item.task}</p>}
          {!isRunning && item.said !== undefined && (
            <p className={styles["said"]}>
              <Revealed text={item.said} />
            </p>
          )}
          {item.state === "background" && (
            <p className="meta">{agent} does not say when a sub-agent in the background ends.</p>
          )}
          {call !== undefined && <ToolDetail tool={call} />}
        </div>
      )}
    </EntryFrame>
  )
}

/** Deeper ones stand no further in. */
const mostSteps = 6

/** One further below: a line, and with the whole entry open its task and what it said. */
const Below = (props: { readonly item: SubagentItem; readonly steps: number; readonly open: boolean }) => {
  const { item, open, steps } = props
  const isRunning = item.state === "running"
  const now = isRunning ? item.activity : subagentEnd[item.state]
  return (
    <li data-steps={Math.min(steps, mostSteps)}>
      <span className={styles["subject"]} data-voice="words">
        <Revealed text={item.name} />
      </span>{" "}
      <span className={styles["text"]}>
        <Revealed text={now ?? "at work"} />
      </span>
      {open && item.task !== undefined && (
        <p className={styles["said"]}>
          <Revealed text={item.task} />
        </p>
      )}
      {open && !isRunning && item.said !== undefined && (
        <p className={styles["said"]}>
          <Revealed text={item.said} />
        </p>
      )}
    </li>
  )
}
