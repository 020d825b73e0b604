/** A change too long to come with its call: its beginnings say nothing of what changed, so that both sides are read first. */
import type { FileDiff } from "@signalbox/contracts/ToolCall"
import { useMemo } from "react"
import type { TextAddress } from "../connection/outputs.ts"
import { Diff } from "../diff/Diff.tsx"
import { count } from "../words/figures.ts"
import styles from "./ToolDetail.module.css"
import { useWholeText, type WholeText } from "./useWholeText.ts"

/** The addresses of the whole sides; absent for a side that came whole. */
export interface LongSides {
  readonly old: TextAddress | undefined
  readonly new: TextAddress | undefined
}

export const LongDiff = ({ diff, sides }: { readonly diff: FileDiff; readonly sides: LongSides }) => {
  const before = useWholeText(sides.old)
  const after = useWholeText(sides.new)
  const oldText = sideOf(diff.oldText, sides.old, before.whole)
  const newText = sideOf(diff.newText, sides.new, after.whole)
  const { path } = diff
  const whole = useMemo(
    () => (oldText === undefined || newText === undefined ? undefined : { path, oldText, newText }),
    [path, oldText, newText]
  )
  if (whole) return <Diff diff={whole} />
  const states = [before.whole, after.whole]
  const failed = states.find((state) => state.state === "failed")
  const length = (sides.old?.long.length ?? diff.oldText?.length ?? 0) + (sides.new?.long.length ?? diff.newText.length)
  return (
    <div className={styles["foot"]}>
      <span className={styles["title"]}>A large change: {count(length, "character")} before and after.</span>
      {failed && <span role="alert">Not read: {failed.problem.cause}</span>}
      {states.some(({ state }) => state === "reading") ? (
        <output>reading</output>
      ) : (
        <button
          type="button"
          className="link"
          onClick={() => {
            before.read()
            after.read()
          }}
        >
          {failed ? "Try again" : "Compare"}
        </button>
      )}
    </div>
  )
}

/** Undefined while only its beginning is here. */
const sideOf = <A extends string | null>(
  given: A,
  address: TextAddress | undefined,
  whole: WholeText
): A | string | undefined => (address === undefined ? given : whole.state === "here" ? whole.text : undefined)
