/** A page beside those of threads: its bar, and one part below that scrolls by itself. */
import type { ReactNode } from "react"
import styles from "./Page.module.css"
import { TopBar } from "./TopBar.tsx"

/** `about`: one line below the title. */
export const Page = (props: {
  readonly title: string
  readonly about: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <div className={styles["page"]}>
    <TopBar title={<h1 className="cut">{props.title}</h1>} actions={props.actions}>
      <div className={`${styles["about"]} cut`}>{props.about}</div>
    </TopBar>
    {props.children}
  </div>
)
