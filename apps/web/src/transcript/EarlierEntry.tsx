/** The place above the first drawn entry, or below the last. More is shown when it comes near, or by its button. */
import type { Problem } from "@signalbox/contracts/Problem"
import { type RefObject, useEffect, useEffectEvent } from "react"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { count } from "../words/figures.ts"
import styles from "./Register.module.css"

/** Turns that the server has and the page has not read. */
export type Further =
  | { readonly state: "there"; readonly read: () => void }
  | { readonly state: "reading"; readonly read?: never }
  | { readonly state: "failed"; readonly problem: Problem; readonly read: () => void }

/** CSS pixels from the top that count as near. */
const near = 800

interface Props {
  /** The number of loaded entries that are not drawn. */
  readonly hidden: number
  readonly onNear: () => unknown
  readonly placeRef: RefObject<HTMLDivElement | null>
}

const useNear = ({ hidden, placeRef, ...props }: Props, state: Further["state"] | undefined): void => {
  const onNear = useEffectEvent(props.onNear)
  useEffect(() => {
    const element = placeRef.current
    // After a failure, only people try again.
    if (element === null || (hidden === 0 && state !== "there")) return
    const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && onNear(), {
      root: element.closest('[role="log"]'),
      rootMargin: `${near}px 0px ${near}px 0px`
    })
    observer.observe(element)
    return () => observer.disconnect()
    // An observer reports only changes, and the place may stay in reach, so each step makes a new observer.
  }, [placeRef, hidden, state])
}

const Failed = ({ problem, what }: { readonly problem: Problem; readonly what: string }) => (
  <p className={styles["failed"]} role="alert">
    <Lamp status="failed" />
    <b>{what} could not be read.</b> {problem.cause}
  </p>
)

export const EarlierEntry = (
  props: Props & {
    /** The number of the thread's entries above, loaded or not. */
    readonly count: number
    readonly earlier: Further | undefined
    readonly onBeginning: () => void
  }
) => {
  const { earlier, hidden, placeRef } = props
  const state = earlier?.state
  useNear(props, state)
  return (
    <div ref={placeRef} className={styles["earlier"]}>
      {hidden === 0 && earlier?.state === "failed" && <Failed what="Earlier turns" problem={earlier.problem} />}
      {/* One button for all states, so that it keeps the focus. */}
      <Button
        bare
        inert={hidden === 0 && state === "reading"}
        onClick={() => (hidden > 0 || state === "there" ? props.onNear() : earlier?.read?.())}
      >
        {hidden === 0 && state === "failed" ? "Try again" : count(props.count, "earlier entry", "earlier entries")}
      </Button>
      <Button bare inert={state === "reading"} onClick={props.onBeginning}>
        Go to the beginning <kbd className="wide-only">Home</kbd>
      </Button>
    </div>
  )
}

export const LaterEntry = (props: Props & { readonly later: Further | undefined }) => {
  const { hidden, later, placeRef } = props
  const state = later?.state
  useNear(props, state)
  return (
    <div ref={placeRef} className={styles["earlier"]}>
      {hidden === 0 && later?.state === "failed" && <Failed what="Later turns" problem={later.problem} />}
      <Button
        bare
        inert={hidden === 0 && state === "reading"}
        onClick={() => (hidden > 0 || state === "there" ? props.onNear() : later?.read?.())}
      >
        {hidden === 0 && state === "failed" ? "Try again" : "Later entries"}
      </Button>
    </div>
  )
}
