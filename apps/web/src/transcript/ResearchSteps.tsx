/** What a researcher did in a session of its own, step by step, and what it found. */
import { type Research, type ResearchStep, stepsOf } from "@signalbox/contracts/Research"
import { isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import { Icon, type IconName } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { Markdown } from "../markdown/Markdown.tsx"
import { proseText, Revealed, RevealedProse } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { clock, latency } from "../words/time.ts"
import styles from "./ResearchSteps.module.css"
import { useThreadFacts } from "./ThreadFacts.ts"

const icons: ReadonlyMap<string, IconName> = new Map([
  ["read", "read"],
  ["search", "grep"],
  ["execute", "run"],
  ["edit", "edit"],
  ["think", "thought"]
])

const rules = {
  "read-only": "its read-only rule",
  fetch: "its rule, which allows to read and to fetch",
  all: "its rule, which allows all"
}

const ResearchSteps = ({ research, tool }: { readonly research: Research; readonly tool: ToolCall }) => {
  const { agent } = useThreadFacts()
  const { approval, decided, findings, left, package: name, prompt, state, steps } = research
  const runs = isRunning(tool)
  return (
    <div>
      <p className={styles["prompt"]}>
        “<RevealedProse text={prompt} />”
      </p>
      {steps.length > 0 && (
        <ol className={styles["steps"]} aria-label={`Steps of the research of ${proseText(name)}`}>
          {left > 0 && <li className={styles["left"]}>{count(left, "earlier step")}</li>}
          {steps.map((step, index) => (
            // eslint-disable-next-line react/no-array-index-key -- the place of a step is its identity
            <Step key={index} step={step} runs={runs} />
          ))}
        </ol>
      )}
      {findings !== undefined && (
        <div className={styles["findings"]} data-failed={state === "failed" || undefined}>
          {state === "failed" ? <Revealed output text={findings} /> : <Markdown text={findings} />}
        </div>
      )}
      <p className={styles["about"]}>
        {runs && <>{count(stepsOf(research), "step")} so far. </>}
        {state === "late" && <>Its time was over before it had ended. </>}
        {state === "running" && !runs && <>How it ended is not known: the session ended before it. </>}
        {/* A component says all this. Nobody else has seen the session. */}
        It reports a session of its own with {agent}
        {decided > 0 && (
          <>
            , in which {rules[approval]} answered {count(decided, "request")}
          </>
        )}
        .
      </p>
    </div>
  )
}
export default ResearchSteps

const Step = ({ runs, step }: { readonly step: ResearchStep; readonly runs: boolean }) => {
  const { at, kind, ms, state, title } = step
  return (
    <li>
      <time>{clock(at)}</time>
      <Icon name={icons.get(kind) ?? "agent"} />
      <span className={styles["title"]}>
        <Revealed text={title} />
      </span>
      <span className={styles["took"]}>
        {state === "failed" && (
          <>
            <Lamp status="failed" still /> failed
          </>
        )}
        {state === "running" ? (runs ? "at work" : "") : ms === undefined ? "" : latency(ms)}
      </span>
    </li>
  )
}
