/** What went wrong: what happened, why and on what evidence, what to do next. */
import type { Evidence, NextStep, Problem } from "@signalbox/contracts/Problem"
import { Fragment, useState } from "react"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useCopy } from "../design/useCopy.ts"
import { FilePath } from "../text/FilePath.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { TerminalText } from "../text/TerminalText.tsx"
import { WithCode } from "../text/WithCode.tsx"
import { hasPrinted, printed } from "./evidence.ts"
import styles from "./ProblemCard.module.css"
import { problemLamp } from "./problemLamp.ts"

/** What the buttons of next steps do. A step without one is shown as words where words help. */
export type ProblemActions = Partial<Record<NextStep["action"], (step: NextStep) => void>>

/** What can become of a prompt that came to nothing. */
export interface Again {
  /** Sends it as it is: whether the server has taken it. Absent where that is out of reach. */
  readonly send: (() => Promise<boolean>) | undefined
  /** Puts it into the composer. */
  readonly edit: () => void
}

const none: ProblemActions = {}

export const ProblemCard = ({
  actions = none,
  again,
  problem
}: {
  readonly problem: Problem
  readonly actions?: ProblemActions | undefined
  readonly again?: Again | undefined
}) => {
  const lamp = problemLamp(problem)
  return (
    <article className={`card ${styles["problem"] ?? ""}`} data-bad={lamp === "failed" || undefined}>
      <div className={styles["head"]}>
        <Lamp status={lamp} className={styles["lamp"] ?? ""} />
        <h3>
          <WithCode text={withoutStop(problem.title)} />
        </h3>
        <p>
          <WithCode text={problem.cause} />
        </p>
        {!saysCall(problem) && <Facts evidence={problem.evidence} />}
      </div>
      {hasPrinted(problem.evidence) && <Printed evidence={problem.evidence} />}
      <div className={styles["next"]}>
        {problem.nextSteps.map((step) => (
          <Fragment key={`${step.action}:${step.label}`}>
            <Step step={step} run={actions[step.action]} />
          </Fragment>
        ))}
        {again && <PromptAgain {...again} />}
        <CopyReport problem={problem} />
      </div>
    </article>
  )
}

/** Steps that people take elsewhere: as words they still help. The others are buttons or nothing. */
const advice: ReadonlySet<NextStep["action"]> = new Set([
  "log-in",
  "run-command",
  "set-option",
  "choose-folder",
  "wait"
])

/** A heading ends without a full stop. */
export const withoutStop = (title: string): string => title.replace(/(?<![.…])\.$/, "")

const Step = ({ run, step }: { readonly step: NextStep; readonly run: ((step: NextStep) => void) | undefined }) => {
  if (step.command !== undefined)
    return (
      <span className={styles["command"]}>
        <span className={styles["label"]}>{step.label}</span>
        <CopyCommand command={step.command} />
      </span>
    )
  if (run === undefined) return advice.has(step.action) ? <span className={styles["label"]}>{step.label}</span> : null
  return <Button onClick={() => run(step)}>{step.label}</Button>
}

/** Sends once: whoever clicks twice, or thinks that nothing happened, did not mean two turns. */
const PromptAgain = ({ edit, send }: Again) => {
  const [state, setState] = useState<"unsent" | "sending" | "sent">("unsent")
  const sendIt = async () => {
    setState("sending")
    setState((await send?.()) ? "sent" : "unsent")
  }
  return (
    <>
      {send && (
        <Button inert={state !== "unsent"} onClick={() => void sendIt()}>
          {state === "sent" ? "Sent again" : "Send again"}
        </Button>
      )}
      <Button onClick={edit}>Edit first</Button>
    </>
  )
}

/** Whether the sentences name the call and its code already, with whichever minus sign. */
const saysCall = ({ cause, evidence: { method, path, rpcCode } }: Problem): boolean =>
  path === undefined &&
  (method === undefined || cause.includes(method)) &&
  (rpcCode === undefined || cause.replaceAll("−", "-").includes(String(rpcCode)))

/** The call that failed, what it answered, and where. */
const Facts = ({ evidence: { method, path, rpcCode, rpcMessage } }: { readonly evidence: Evidence }) =>
  method === undefined && rpcCode === undefined && path === undefined ? null : (
    <p className={styles["facts"]}>
      {method !== undefined && (
        <span>
          Call <code>{method}</code>
        </span>
      )}
      {rpcCode !== undefined && (
        <span>
          answered <code>{figureOfCode(rpcCode)}</code>
          {rpcMessage !== undefined && (
            <>
              , “<RevealedProse text={rpcMessage} />”
            </>
          )}
        </span>
      )}
      {path !== undefined && (
        <code>
          <FilePath path={path} asGiven />
        </code>
      )}
    </p>
  )

/** With a real minus sign, and without grouping: −32000. */
const figureOfCode = (code: number): string => String(code).replace("-", "−")

const Printed = ({ evidence }: { readonly evidence: Evidence }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard
  <pre className={`well ${styles["printed"] ?? ""}`} tabIndex={0} aria-label="Evidence">
    {printed(evidence).map(({ text, voice }, index) => (
      // eslint-disable-next-line react/no-array-index-key -- lines have no identity of their own
      <span key={index} className={voice === "ours" ? styles["dim"] : undefined}>
        <TerminalText text={text} />
        {"\n"}
      </span>
    ))}
  </pre>
)

const CopyReport = ({ problem }: { readonly problem: Problem }) => {
  const { copied, copy } = useCopy()
  const { evidence } = problem
  if (!hasPrinted(evidence) && evidence.rpcCode === undefined) return null
  const report = () => copy(JSON.stringify(problem, null, 2))
  return (
    <>
      <Button bare onClick={report}>
        Copy report
      </Button>
      <output className={styles["label"]}>{copied}</output>
    </>
  )
}
