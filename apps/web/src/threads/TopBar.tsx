import type { ReactNode } from "react"
import { useStore } from "../browser/Store.ts"
import { threads } from "../connection/threads.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { waiting } from "./rows.ts"
import styles from "./TopBar.module.css"

/** The id of the sidebar, which the button of the bar opens. */
export const sidebarId = "threads"

/** The head of every page. Where the sidebar is a drawer, it carries its button. */
export const TopBar = (props: {
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}) => {
  const asking = waiting(useStore(threads) ?? []).length
  const label =
    asking === 0
      ? "Threads"
      : asking === 1
        ? "Threads. One is waiting for you"
        : `Threads. ${asking} are waiting for you`
  return (
    <header className={styles["bar"]}>
      <Button icon="menu" className={styles["burger"] ?? ""} popoverTarget={sidebarId} aria-label={label}>
        {asking > 0 && (
          <>
            <Lamp status="waiting" />
            {asking}
          </>
        )}
      </Button>
      <div className={styles["title"]}>
        {props.title}
        {props.children}
      </div>
      {props.actions}
    </header>
  )
}
