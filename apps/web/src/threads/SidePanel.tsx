import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import { Fragment, lazy, Suspense } from "react"
import { link } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { clock, fullTime } from "../words/time.ts"
import { threadHref } from "../browser/hrefs.ts"
import { figure } from "../words/figures.ts"
import { isPlanOver } from "../words/planWords.ts"
import { PlanSteps } from "../transcript/PlanEntryLine.tsx"
import styles from "./SidePanel.module.css"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"

/** Few threads have components. */
const ChainSection = lazy(() => import("./ChainSection.tsx").catch(() => ({ default: () => null })))

/** The state of the thread beside its story: the plan, and what is known about the session. */
export const SidePanel = ({ view }: { readonly view: ThreadView }) => {
  const live = useStore(link).state === "open"
  return (
    <aside className={styles["panel"]} aria-label="State of the thread">
      {view.plan.length > 0 && !isPlanOver(view) && (
        <Plan entries={view.plan} running={live && runningTurn(view)?.status === "working"} />
      )}
      {view.session.chain && (
        <Suspense>
          <ChainSection chain={view.session.chain} view={view} />
        </Suspense>
      )}
      <Session view={view} />
    </aside>
  )
}

const Plan = ({ entries, running }: { readonly entries: ReadonlyArray<PlanEntry>; readonly running: boolean }) => (
  <section>
    <h2>
      Plan{" "}
      <span className="meta">
        {entries.filter(({ status }) => status === "completed").length} of {entries.length}
      </span>
    </h2>
    <PlanSteps plan={entries} lit={running} />
  </section>
)

const origins = {
  new: "Started",
  resumed: "Resumed",
  loaded: "Resumed",
  replaced: "Started again",
  forked: "Started"
} as const

const originDetail = {
  new: "a new session",
  resumed: "by session/resume",
  loaded: "by session/load",
  replaced: "the earlier session could not be taken up",
  forked: "a copy by session/fork"
} as const

const states = { none: "not started", starting: "starting", ready: "running", exited: "ended" } as const

const Session = ({ view }: { readonly view: ThreadView }) => {
  const { additionalDirectories = [], createdAt, cwd, from, provider, session, usage } = view
  return (
    <section>
      <h2>Session</h2>
      <dl className={styles["facts"]}>
        <dt>Agent</dt>
        <dd>
          {provider.name}
          {session.agentVersion !== undefined && (
            <>
              {" "}
              <code>
                <Revealed text={session.agentVersion} />
              </code>
            </>
          )}
          {provider.simulated && <span className="quiet">, with no model behind it</span>}
        </dd>
        <dt>Process</dt>
        <dd>
          {states[session.state]}
          {session.state === "ready" && session.pid !== undefined && (
            <>
              , pid <code>{session.pid}</code>
            </>
          )}
        </dd>
        <dt>Folder</dt>
        <dd>
          <code>
            <Revealed text={cwd} />
          </code>
        </dd>
        {additionalDirectories.map((path) => (
          <Fragment key={path}>
            <dt>And</dt>
            <dd>
              <code>
                <Revealed text={path} />
              </code>
            </dd>
          </Fragment>
        ))}
        {from && (
          <>
            <dt>Begun with</dt>
            <dd>
              {from.type === "import" ? (
                `a session that ${provider.name} kept`
              ) : from.threadId === undefined ? (
                `a copy of a session that ${provider.name} kept`
              ) : (
                <>
                  a copy of{" "}
                  <a className="link" href={threadHref(from.threadId)}>
                    another thread
                  </a>
                </>
              )}
            </dd>
          </>
        )}
        {session.origin !== undefined && session.startedAt !== undefined && (
          <>
            <dt>{origins[session.origin]}</dt>
            <dd title={fullTime(session.startedAt)}>
              {clock(session.startedAt)}, {originDetail[session.origin]}
            </dd>
          </>
        )}
        <dt>Tokens</dt>
        <dd>
          {usage === undefined
            ? `Not reported by ${provider.name}`
            : `${figure(usage.used)} of ${figure(usage.size)} in context`}
        </dd>
        {usage?.cost && (
          <>
            <dt>Cost</dt>
            <dd>
              {usage.cost.amount.toFixed(2)} <RevealedProse text={usage.cost.currency} />, as {provider.name} says
            </dd>
          </>
        )}
        {session.capabilities?.rollback.supported === false && (
          <>
            <dt>Going back</dt>
            <dd>Not possible. {session.capabilities.rollback.reason}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>{fullTime(createdAt)}</dd>
      </dl>
    </section>
  )
}
