import type { ReactNode } from "react"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import styles from "./Strip.module.css"

/** A line over the full width of the page, above everything. `lamp`: without one it is a piece of news, not a trouble. */
export const Strip = (props: {
  readonly label: string
  readonly lamp?: LampStatus
  readonly action?: ReactNode
  readonly children: ReactNode
}) => (
  <section className={styles["strip"]} data-bad={props.lamp === "failed" || undefined} aria-label={props.label}>
    {props.lamp && <Lamp status={props.lamp} />}
    <p>{props.children}</p>
    {props.action}
  </section>
)
