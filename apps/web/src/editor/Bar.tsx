import type { ReactNode } from "react"
import { RevealedProse } from "../text/Revealed.tsx"
import styles from "./EditorRoom.module.css"

/** A bar above the text: what happened, and what can be done. `wants`: nothing goes on until people choose. */
export const Bar = (props: {
  readonly lamp: ReactNode
  readonly title: string
  readonly text: string
  readonly wants?: boolean
  readonly children?: ReactNode
}) => (
  <section className={styles["bar"]} aria-label={props.title} data-wants={props.wants === false ? undefined : ""}>
    {props.lamp}
    <p className={styles["barText"]}>
      <b>
        <RevealedProse text={props.title} />
      </b>{" "}
      <RevealedProse text={props.text} />
    </p>
    <div className={styles["barActs"]}>{props.children}</div>
  </section>
)
