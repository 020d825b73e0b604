/** The plan is a state, not an event: one line here; its list lives in the side panel, and below where there is none. */
import type { PlanEntry as Step } from "@signalbox/contracts/AgentRequest"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { clock } from "../words/time.ts"
import { usePreferences } from "../browser/preferences.ts"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import entry from "./Entry.module.css"
import { figure } from "../words/figures.ts"
import styles from "./Plan.module.css"
import { WithCode } from "../text/WithCode.tsx"

export const PlanEntryLine = (props: {
  readonly at: number
  readonly changedAt: number
  readonly plan: ReadonlyArray<Step>
  /** Somebody works on it now. */
  readonly lit: boolean
}) => {
  const { at, changedAt, lit, plan } = props
  const { sidePanel } = usePreferences()
  const done = plan.filter(({ status }) => status === "completed").length
  const doing = plan.filter(({ status }) => status === "in_progress").length
  const words = `${figure(done)} of ${figure(plan.length)} done`
  return (
    <EntryFrame at={at} icon="plan">
      <EntryLine
        verb="Plan"
        end={changedAt === at ? null : <span className={entry["optional"]}>changed {clock(changedAt)}</span>}
      >
        <span
          className={styles["bar"]}
          // A picture of figures, drawn with elements.
          // eslint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="img"
          aria-label={doing === 0 ? words : `${words}, ${figure(doing)} in progress`}
        >
          {plan.slice(0, 24).map(({ status }, index) => (
            // eslint-disable-next-line react/no-array-index-key -- the bar is its places
            <i key={index} data-status={status} data-lit={lit || undefined} />
          ))}
        </span>
        <span className={styles["words"]}>{words}</span>
      </EntryLine>
      <div className={styles["list"]} data-beside={sidePanel || undefined}>
        <PlanSteps plan={plan} lit={lit} />
      </div>
    </EntryFrame>
  )
}

const lamps: { readonly [Status in Step["status"]]: LampStatus } = {
  pending: "todo",
  in_progress: "working",
  completed: "completed",
  cancelled: "cancelled"
}

const stepWords: { readonly [Status in Step["status"]]: string } = {
  pending: "to do",
  in_progress: "in progress",
  completed: "done",
  cancelled: "dropped"
}

/** `lit`: somebody works on it now; a step is lit only while that is so. */
export const PlanSteps = ({ lit = false, plan }: { readonly plan: ReadonlyArray<Step>; readonly lit?: boolean }) => (
  <ul className={styles["steps"]}>
    {plan.map(({ content, id, status }, index) => (
      <li key={id ?? `${index}:${content}`} data-status={status}>
        <Lamp status={status === "in_progress" && !lit ? "todo" : lamps[status]} />
        <span>
          <WithCode text={content} /> <span className="unseen">{stepWords[status]}</span>
        </span>
      </li>
    ))}
  </ul>
)
