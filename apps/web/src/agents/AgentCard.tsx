import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderCheck, ProviderStatus } from "@signalbox/contracts/Provider"
import type { SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import { lazy, Suspense, useId } from "react"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { Icon } from "../design/Icon.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { duration } from "../words/time.ts"
import { headingOf } from "../problems/evidence.ts"
import { TerminalText } from "../text/TerminalText.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { WithPaths } from "../text/WithPaths.tsx"
import styles from "./AgentCard.module.css"
import { SimulatedTag } from "../design/SimulatedTag.tsx"
import { canStart, checkLamp, checkName, isValue, stateWord } from "./agentWords.ts"

const SuggestionFacts = lazy(() => import("./SuggestionFacts.tsx").catch(() => ({ default: NoFacts })))

/** The server may be of another build by now, or out of reach. */
const NoFacts = () => <p role="alert">What became of suggestions could not be loaded. Reload the page.</p>

/** One agent: whether it can start, what was looked at to say so, and what is missing. */
export const AgentCard = (props: {
  readonly status: ProviderStatus
  /** Whether the key for a new thread goes to its button. */
  readonly preferred: boolean
  readonly onStart: (() => void) | undefined
  /** Shows the sessions that the agent keeps; absent while the server is out of reach. */
  readonly onSessions: (() => void) | undefined
  readonly onAccount: (() => void) | undefined
  readonly onConformance: (() => void) | undefined
  /** What became of suggestions, for all agents; absent until the server has said it. */
  readonly suggestions?: SuggestionQuality | undefined
}) => {
  const { onAccount, onConformance, onSessions, onStart, preferred, status, suggestions } = props
  const headingId = useId()
  const { lamp, word } = stateWord(status)
  // A problem belongs to the step that it was found at.
  const broken = status.checks.findLast(({ state }) => state === "failed" || state === "attention")
  return (
    <article className="card" aria-labelledby={headingId}>
      <header className={styles["head"]}>
        <Icon name="agent" />
        <h3 id={headingId}>{status.provider.name}</h3>
        <SimulatedTag provider={status.provider} />
        <span className={styles["state"]}>
          <Lamp status={lamp} />
          <StateWord status={lamp}>{word}</StateWord>
        </span>
        {canStart(status) && (
          <Button
            className={styles["start"] ?? ""}
            needs="operate"
            inert={onStart === undefined}
            onClick={onStart}
            aria-label={`Start a thread with ${status.provider.name}`}
            data-start={preferred ? "preferred" : ""}
          >
            Start a thread
          </Button>
        )}
      </header>
      <p className={styles["description"]}>{status.description}</p>
      {status.commandLine !== undefined && status.commandLine !== "" && (
        <p className={styles["command"]}>
          <Icon name="run" />
          <span className={styles["name"]}>Command</span>
          <code className={styles["value"]}>
            <Revealed text={status.commandLine} />
          </code>
        </p>
      )}
      {status.variables !== undefined && status.variables.length > 0 && (
        <p className={styles["command"]}>
          <Icon name="gear" />
          <span className={styles["name"]}>Variables</span>
          <code className={styles["value"]} title="Their values are not shown">
            <Revealed text={status.variables.join(" ")} />
          </code>
        </p>
      )}
      {suggestions !== undefined && (
        <Suspense>
          <SuggestionFacts quality={suggestions} providerId={status.provider.id} />
        </Suspense>
      )}
      {(status.checks.length > 0 || status.problem) && (
        <ol className={styles["checks"]}>
          {status.checks.map((check) => (
            <Check key={check.name} check={check} problem={check === broken ? status.problem : undefined} />
          ))}
          {broken === undefined && status.problem && (
            <li className={styles["attention"]}>
              <Lamp status={lamp} />
              <div className={styles["fix"]}>
                <WhatIsMissing problem={status.problem} />
                <Fix problem={status.problem} />
              </div>
            </li>
          )}
        </ol>
      )}
      {canStart(status) && (
        <div className={styles["more"]}>
          <Button
            bare
            needs="operate"
            inert={onSessions === undefined}
            onClick={onSessions}
            aria-label={`Sessions of ${status.provider.name}…`}
          >
            Sessions…
          </Button>
          <Button
            bare
            needs="admin"
            inert={onAccount === undefined}
            onClick={onAccount}
            aria-label={`Sign-in of ${status.provider.name}…`}
          >
            Sign-in…
          </Button>
          <Button
            bare
            inert={onConformance === undefined}
            onClick={onConformance}
            aria-label={`Protocol of ${status.provider.name}…`}
            title="What it says that it can do, and what it was seen to do"
          >
            Protocol…
          </Button>
        </div>
      )}
    </article>
  )
}

const Check = ({ check, problem }: { readonly check: ProviderCheck; readonly problem: Problem | undefined }) => (
  <li className={check.state === "attention" ? styles["attention"] : undefined}>
    <Lamp status={check.name === "found" && check.state === "failed" ? "todo" : checkLamp[check.state]} />
    <span className={styles["name"]}>{checkName[check.name]}</span>
    <span className={styles["value"]}>
      {problem?.cause === check.detail ? (
        <WhatIsMissing problem={problem} />
      ) : isValue(check.detail) ? (
        <code>{check.detail}</code>
      ) : (
        check.detail
      )}
    </span>
    <span className={styles["took"]}>{check.durationMs === undefined ? "" : duration(check.durationMs)}</span>
    {problem && (
      <div className={styles["fix"]}>
        {problem.cause !== check.detail && <WhatIsMissing problem={problem} />}
        <Fix problem={problem} />
      </div>
    )}
  </li>
)

const WhatIsMissing = ({ problem }: { readonly problem: Problem }) => (
  <p>
    <b>{problem.title}</b>{" "}
    <span className="quiet">
      <WithPaths text={problem.cause} />
    </span>
  </p>
)

/** The commands that mend it, none of which we run, and what there is to see of why. */
const Fix = ({ problem }: { readonly problem: Problem }) => {
  const { evidence, nextSteps } = problem
  const tail = evidence.stderrTail ?? []
  return (
    <>
      {nextSteps.map(
        ({ command, label }) =>
          command !== undefined && (
            <p key={label} className={styles["step"]}>
              <span className="quiet">{label}</span>
              <CopyCommand command={command} />
            </p>
          )
      )}
      {tail.length > 0 && (
        <details className={styles["evidence"]}>
          <summary>{headingOf("What it wrote to stderr", tail.length, evidence.stderrLines ?? tail.length)}</summary>
          <pre className="well">
            <TerminalText text={tail.join("\n")} />
          </pre>
        </details>
      )}
    </>
  )
}
