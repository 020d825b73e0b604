/** The chain of a session in the side panel: its parts, and what passes each of them. */
import type { SessionChain } from "@signalbox/contracts/SessionChain"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { Fragment, type ReactNode } from "react"
import { wireHref } from "../browser/hrefs.ts"
import { useStore } from "../browser/Store.ts"
import { health } from "../connection/health.ts"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { Revealed } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { clock, fineDuration } from "../words/time.ts"
import styles from "./ChainSection.module.css"
import { aboutPart, addedWords, lostOf } from "./componentWords.ts"

const ChainSection = ({ chain, view }: { readonly chain: SessionChain; readonly view: ThreadView }): ReactNode => {
  const { session, threadId } = view
  const runs = session.state === "ready"
  const report = useStore(health)
  const reported = report?.agents.find((agent) => agent.threadId === threadId)?.chain
  // A report from before the chain was there has no parts.
  const traffic = runs && reported?.length === chain.length ? reported : undefined
  const lost = runs ? undefined : lostOf(view)
  return (
    <section aria-label="Chain">
      <h2>
        Chain <span className="meta">{runs ? addedWords(traffic) : "ended"}</span>
      </h2>
      <ol className={styles["hops"]}>
        <li className={styles["hop"]}>
          <Lamp status="todo" className={styles["lamp"] ?? ""} />
          <div>
            <b>Signalbox</b>
            <p>You, on this page and elsewhere</p>
          </div>
        </li>
        {chain.map((part, at) => {
          const passed = traffic?.[at]
          return (
            <Fragment key={part.name}>
              <li className={styles["wire"]} data-over={!runs || undefined}>
                <i aria-hidden="true" />
                <span>{passed === undefined ? "" : count(passed.messages, "message")}</span>
              </li>
              <li className={styles["hop"]} data-added={part.because !== undefined || undefined}>
                <Lamp status={lampOf(part, runs, lost)} still className={styles["lamp"] ?? ""} />
                <div>
                  <b>
                    <Revealed text={part.name} />
                  </b>
                  {part.version !== undefined && (
                    <code>
                      {" "}
                      <Revealed text={part.version} />
                    </code>
                  )}
                  <p>
                    {part.commandLine === undefined ? (
                      aboutPart(part)
                    ) : (
                      <code>
                        <Revealed text={part.commandLine} />
                      </code>
                    )}
                  </p>
                </div>
                {passed?.heldMs !== undefined && <span className={styles["held"]}>{fineDuration(passed.heldMs)}</span>}
              </li>
            </Fragment>
          )
        })}
      </ol>
      <p>
        <a className="link" href={wireHref(threadId)}>
          Show the wire
        </a>
      </p>
      {traffic && report && (
        <p className="meta">
          Counted at {clock(report.at)}.
          {traffic.some(({ heldMs }) => heldMs !== undefined) &&
            " Times: how long a part holds a message, the median of its latest 101."}
        </p>
      )}
    </section>
  )
}
export default ChainSection

const lampOf = ({ name, role }: SessionChain[number], runs: boolean, lost: string | undefined): LampStatus => {
  if (name === lost) return "failed"
  return role === "agent" && runs ? "working" : "todo"
}
