import type { ReactNode, Ref } from "react"
import type { LinkState } from "../connection/link.ts"
import { IconButton } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { HealthEntry } from "./HealthEntry.tsx"
import { SettingsPopover } from "./SettingsPopover.tsx"
import { agentsHref, type Route } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { sidebarId } from "../threads/TopBar.tsx"
import { SidebarEntries } from "./SidebarEntries.tsx"
import styles from "./Sidebar.module.css"

/** Threads, and how the page is connected. Below 860 px it is a drawer. */
export const Sidebar = ({
  children,
  current,
  link,
  showKeys,
  sideRef
}: {
  readonly link: LinkState
  /** The page that is open. */
  readonly current: Route["page"]
  readonly sideRef: Ref<HTMLElement>
  readonly showKeys: () => void
  readonly children: ReactNode
}) => (
  <aside
    ref={sideRef}
    id={sidebarId}
    popover="auto"
    className={styles["side"]}
    aria-label="Threads and settings"
    data-stale={link.state === "open" ? undefined : ""}
  >
    <div className={styles["brand"]}>
      <Icon name="mark" />
      <b className="grow">Signalbox</b>
      <IconButton icon="plus" label="New thread" hint="N" onClick={() => go(agentsHref)} />
    </div>
    <nav className={`${styles["nav"]} scroll`} aria-label="Threads">
      <SidebarEntries current={current} />
      {children}
    </nav>
    <div className={styles["foot"]}>
      <HealthEntry link={link} />
      <SettingsPopover showKeys={showKeys} />
    </div>
  </aside>
)
