import type { Problem } from "@signalbox/contracts/Problem"
import type { InstallFrame, InstallPlan, RegistryAgent } from "@signalbox/contracts/Registry"
import { useEffect, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { installAgent } from "../connection/registry.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { openable } from "../markdown/links.ts"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { announce } from "../browser/announcer.ts"
import { proseText, Revealed } from "../text/Revealed.tsx"
import styles from "./RegistryDialog.module.css"
import { commandOf, isUnchecked, offerOf, offerWord, progressWords } from "./registryWords.ts"

/** One agent, and what installing it would do. */
export const RegistryEntry = (props: { readonly agent: RegistryAgent; readonly onInstalled: () => void }) => {
  const { agent, onInstalled } = props
  const { description, id, installed, license, name, plan, reason, version, website } = agent
  const [open, setOpen] = useState(false)
  const site = website === undefined ? undefined : openable(website)
  const offer = offerOf(agent)
  return (
    <li className={styles["agent"]}>
      <div className={styles["line"]}>
        <b>
          <Revealed text={name} />
        </b>
        {version !== undefined && (
          <code>
            <Revealed text={version} />
          </code>
        )}
        {plan !== undefined && isUnchecked(plan) && <span className="tag">no checksum</span>}
        {installed.map((known) => (
          <span key={known.name} className="tag">
            installed as {known.name}, {known.version}
          </span>
        ))}
        {offer !== undefined && !open && (
          <Button
            className={styles["act"]}
            aria-label={proseText(`${offerWord[offer]} ${name}`)}
            onClick={() => setOpen(true)}
          >
            {offerWord[offer]}
          </Button>
        )}
      </div>
      {description !== undefined && (
        <p className="quiet">
          <Revealed text={description} />
        </p>
      )}
      <p className="meta">
        <Revealed text={[id, license].filter((part) => part !== undefined).join(" · ")} />
        {site && (
          <>
            {" · "}
            <a className="link" href={site.href} target="_blank" rel="noreferrer">
              {site.href}
            </a>
          </>
        )}
      </p>
      {plan === undefined && reason !== undefined && (
        <p className="quiet">
          <Revealed text={reason} />
        </p>
      )}
      {plan && open && <Install agent={agent} plan={plan} leave={() => setOpen(false)} onInstalled={onInstalled} />}
    </li>
  )
}

/** Exactly what would be done, before it is. */
const Install = (props: {
  readonly agent: RegistryAgent
  readonly plan: InstallPlan
  readonly leave: () => void
  readonly onInstalled: () => void
}) => {
  const { agent, leave, onInstalled, plan } = props
  const [unverified, setUnverified] = useState(false)
  const [running, setRunning] = useState(false)
  const [frame, setFrame] = useState<InstallFrame>()
  const [problem, setProblem] = useState<Problem>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const unchecked = isUnchecked(plan)
  const install = () => {
    const own = new AbortController()
    abort.current = own
    setRunning(true)
    setProblem(undefined)
    setFrame(undefined)
    installAgent(
      { id: agent.id, plan, ...(unchecked && unverified && { unverified: true }) },
      (next) => {
        if (own.signal.aborted) return
        setFrame(next)
        if (next.type !== "installed") return
        announce(`${agent.name} is installed.`)
        onInstalled()
      },
      own.signal
    )
      .catch((error: unknown) => {
        if (!own.signal.aborted) setProblem(problemOf(error))
      })
      .finally(() => {
        if (!own.signal.aborted) setRunning(false)
      })
  }
  const done = frame?.type === "installed"
  return (
    <div className={styles["install"]}>
      <dl className={styles["plan"]}>
        {plan.way === "binary" ? (
          <>
            <dt>Loaded from</dt>
            <dd>
              <code>{plan.archive}</code>
            </dd>
            <dt>Checked by</dt>
            <dd>
              {plan.sha256 === undefined ? (
                "nothing: the registry names no checksum"
              ) : (
                <>
                  SHA-256 <code>{plan.sha256}</code>
                </>
              )}
            </dd>
            <dt>Put into</dt>
            <dd>
              <code>{plan.folder}</code>
            </dd>
          </>
        ) : (
          <>
            <dt>Package</dt>
            <dd>
              <code>{plan.package}</code>, loaded by {plan.way === "npx" ? "npm" : "uv"} when it is first run
            </dd>
            {plan.integrity !== undefined && (
              <>
                <dt>Checked by</dt>
                <dd>
                  npm, which had <code>{plan.integrity}</code> when this was listed
                </dd>
              </>
            )}
            {plan.needs !== undefined && (
              <>
                <dt>Needs</dt>
                <dd>{plan.needs}</dd>
              </>
            )}
          </>
        )}
        <dt>Will be run</dt>
        <dd>
          <code>{commandOf(plan)}</code>
        </dd>
      </dl>
      {problem && <ProblemCard problem={problem} />}
      {unchecked && !done && (
        <label className={styles["unchecked"]}>
          <input type="checkbox" checked={unverified} onChange={(event) => setUnverified(event.target.checked)} />
          <span>Install the download, although it can't be verified.</span>
        </label>
      )}
      <p className={styles["line"]}>
        {(running || done) && (
          <output className="grow">
            <Lamp status={done ? "completed" : "sent"} /> {progressWords(frame)}
          </output>
        )}
        {!done && (
          <Button inert={running || (unchecked && !unverified)} onClick={install}>
            {running ? "Installing" : `Install ${plan.version}`}
          </Button>
        )}
        <Button
          bare
          onClick={() => {
            abort.current?.abort()
            leave()
          }}
        >
          {done ? "Close this" : "Cancel"}
        </Button>
      </p>
    </div>
  )
}
