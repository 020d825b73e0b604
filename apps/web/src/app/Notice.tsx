import type { ReactNode } from "react"
import { Icon } from "../design/Icon.tsx"
import styles from "./Notice.module.css"

/** A page of its own, for when there is nothing else to show: what is the case, why, what to do. */
export const Notice = (props: {
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}) => (
  <main className={styles["notice"]}>
    <div className={styles["body"]}>
      <p className={styles["brand"]}>
        <Icon name="mark" />
        Signalbox
      </p>
      <h1>{props.title}</h1>
      <div className={`${styles["text"]} prose quiet`}>{props.children}</div>
      {props.actions !== undefined && <div className={styles["actions"]}>{props.actions}</div>}
    </div>
  </main>
)
