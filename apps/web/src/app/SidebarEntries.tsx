/** The pages beside the threads: what waits, the rules, and what was decided. */
import { decisionsHref, inboxHref, type Route, rulesHref } from "../browser/hrefs.ts"
import { useStore } from "../browser/Store.ts"
import { waitingThreads } from "../connection/requests.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import styles from "./SidebarEntries.module.css"

export const SidebarEntries = ({ current }: { readonly current: Route["page"] }) => {
  const asked = (useStore(waitingThreads) ?? []).reduce(
    (sum, { more = 0, requests }) => sum + more + requests.filter(({ answered }) => !answered).length,
    0
  )
  return (
    <ul className={styles["entries"]}>
      <li>
        <a href={inboxHref} aria-current={current === "inbox" ? "page" : undefined} data-live={asked > 0 || undefined}>
          {asked > 0 ? <Lamp status="waiting" /> : <span className={styles["slot"]} />}
          <span className="cut">Waiting for you</span>
          <span className={styles["end"]}>
            {asked > 0 ? <StateWord status="waiting">{asked}</StateWord> : <span className="unseen">nothing</span>}
          </span>
        </a>
      </li>
      <li>
        <a href={rulesHref} aria-current={current === "rules" ? "page" : undefined}>
          <Icon name="rule" />
          <span className="cut">Rules</span>
        </a>
      </li>
      <li>
        <a href={decisionsHref} aria-current={current === "decisions" ? "page" : undefined}>
          <Icon name="plan" />
          <span className="cut">Decisions</span>
        </a>
      </li>
    </ul>
  )
}
