import type { ReactNode } from "react"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./SwitchRow.module.css"

/** One thing of a list that is on or off, with what it is, and why it can't be used. */
export const SwitchRow = (props: {
  readonly name: string
  readonly on: boolean
  readonly turn: (on: boolean) => void
  readonly problem: string | undefined
  readonly children: ReactNode
  /** What else can be done with it. */
  readonly acts?: ReactNode
}) => {
  const { acts, children, name, on, problem, turn } = props
  return (
    <li className={styles["row"]}>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-label={name}
        className={styles["switch"]}
        onClick={() => turn(!on)}
      >
        <b>
          <Revealed text={name} />
        </b>
        <span>{on ? "on" : "off"}</span>
      </button>
      <div className={styles["about"]}>
        {children}
        {problem !== undefined && (
          <p className={styles["problem"]}>
            <Lamp status="failed" /> <span>{problem}</span>
          </p>
        )}
      </div>
      {acts}
    </li>
  )
}
