import type { ReactNode } from "react"
import { Guard } from "../design/Guard.tsx"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { Raw } from "./Raw.tsx"

/** An entry that can't be drawn says so and shows what it was to show. */
export const EntryGuard = (props: {
  /** What the entry is drawn from. */
  readonly source: object
  readonly at: number
  readonly children: ReactNode
}) => (
  <Guard
    source={props.source}
    renderBroken={(failure) => (
      <EntryFrame at={props.at} icon="unknown">
        <div className={styles["paper"]}>
          <EntryLine verb="This entry can’t be drawn">
            <span className={styles["text"]}>{failure}</span>
          </EntryLine>
          <div className={styles["open"]}>
            <Raw json={JSON.stringify(props.source)} label="What the entry was to show" />
          </div>
        </div>
      </EntryFrame>
    )}
  >
    {props.children}
  </Guard>
)
