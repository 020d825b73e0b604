/** What stands above the first entry that is drawn: shown when it comes near, or by its button. */
import type { Problem } from "@signalbox/contracts/Problem"
import { type RefObject, useEffect, useEffectEvent } from "react"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { count } from "./figures.ts"
import styles from "./Register.module.css"

/** Turns that the server has and the page hasn't read. */
export type Earlier =
  | { readonly state: "there"; readonly read: () => void }
  | { readonly state: "reading"; readonly read?: never }
  | { readonly state: "failed"; readonly problem: Problem; readonly read: () => void }

/** How near the top counts as near, CSS pixels. */
const near = 800

export const EarlierEntry = (props: {
  /** Entries that are at hand and not drawn. */
  readonly hidden: number
  readonly earlier: Earlier | undefined
  readonly onNear: () => unknown
  readonly placeRef: RefObject<HTMLDivElement | null>
}) => {
  const { earlier, hidden, placeRef } = props
  const onNear = useEffectEvent(props.onNear)
  const state = earlier?.state
  useEffect(() => {
    const element = placeRef.current
    // What failed is tried again by people only.
    if (element === null || (hidden === 0 && state !== "there")) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      root: element.closest('[role="log"]'),
      rootMargin: `${near}px 0px 0px 0px`
    })
    observer.observe(element)
    return () => observer.disconnect()
    // An observer tells only of changes, and the entry may stay in reach: it is made anew for each step.
  }, [placeRef, hidden, state])
  return (
    <div ref={placeRef} className={styles["earlier"]}>
      {hidden === 0 && earlier?.state === "failed" && (
        <p className={styles["failed"]} role="alert">
          <Lamp status="failed" />
          <b>Earlier turns could not be read.</b> {earlier.problem.cause}
        </p>
      )}
      {/* One button for all of it: what has the focus keeps it. */}
      <Button
        bare
        inert={hidden === 0 && state === "reading"}
        onClick={() => (hidden > 0 || state === "there" ? props.onNear() : earlier?.read?.())}
      >
        {hidden > 0 ? count(hidden, "earlier entry", "earlier entries") : state === undefined ? "" : words[state]}
      </Button>
    </div>
  )
}

const words = { there: "Earlier turns", reading: "Reading earlier turns", failed: "Try again" } as const
