/** The first of a list that may be long, and a way to more of it: an agent may name thousands of files in one call. */
import { type ReactNode, useState } from "react"
import { count, figure } from "../words/figures.ts"
import styles from "./ToolDetail.module.css"

/** Shown at first, and more with each click. */
const step = 50

export const Several = <Each,>(props: {
  readonly list: ReadonlyArray<Each>
  /** What each is called: *file*. */
  readonly noun: string
  readonly children: (each: Each, index: number) => ReactNode
}) => {
  const { children, list, noun } = props
  const [most, setMost] = useState(step)
  const shown = list.length > most ? list.slice(0, most) : list
  const left = list.length - shown.length
  return (
    <>
      {shown.map(children)}
      {left > 0 && (
        <span className={styles["note"]}>
          {` ${figure(shown.length)} of ${count(list.length, noun)} `}
          <button type="button" className="link" onClick={() => setMost(most + step)}>
            {left > step ? `Show ${step} more` : "Show all"}
          </button>
        </span>
      )}
    </>
  )
}
