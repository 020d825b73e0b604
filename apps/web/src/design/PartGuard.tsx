import type { ReactNode } from "react"
import { Guard } from "./Guard.tsx"
import { Lamp } from "./Lamp.tsx"
import styles from "./PartGuard.module.css"

/** Says in one line that a part of the page can't be drawn. `what` begins the sentence. */
export const PartGuard = (props: { readonly what: string; readonly source: unknown; readonly children: ReactNode }) => (
  <Guard
    source={props.source}
    renderBroken={(failure) => (
      <p className={styles["broken"]} title={failure}>
        <Lamp status="failed" /> <span>{props.what} can’t be drawn.</span>
      </p>
    )}
  >
    {props.children}
  </Guard>
)
