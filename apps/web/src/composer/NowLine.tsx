import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { Ref } from "react"
import { type LinkState, serverNow } from "../connection/link.ts"
import { useNow } from "../connection/useNow.ts"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { clock, elapsed } from "../words/time.ts"
import styles from "./NowLine.module.css"
import { type NowState, nowState } from "./nowState.ts"

/** What it is doing now. Takes the focus after an answer was given. */
export const NowLine = (props: {
  readonly view: ThreadView
  readonly link: LinkState
  readonly lineRef: Ref<HTMLElement>
}) => {
  const { lineRef, link, view } = props
  const live = link.state === "open"
  // Tenths of a second are shown while signs arrive; after that, whole seconds do.
  const fresh = live && view.lastSignAt !== undefined && serverNowIsNear(view.lastSignAt)
  const now = useNow(fresh ? 200 : 1000)
  const state: NowState = live
    ? nowState(view, now)
    : {
        lamp: "lost",
        word: link.state === "opening" ? "Connecting" : "Not connected",
        what: "your draft is kept in this browser",
        ...("since" in link && { sign: `last heard ${clock(link.since)}` })
      }
  return (
    <section ref={lineRef} className={styles["line"]} tabIndex={-1} aria-label="Now">
      <span className={styles["elapsed"]}>{state.since === undefined ? "" : elapsed(now - state.since)}</span>
      <Lamp status={state.lamp} still={state.still ?? false} className={styles["lamp"] ?? ""} />
      <div className={styles["what"]}>
        <StateWord status={state.lamp}>{state.word}</StateWord>
        <span className={state.silent ? `${styles["silent"]} cut` : "cut"}>
          {state.what} {state.subject !== undefined && <code>{state.subject}</code>}
        </span>
      </div>
      <span className={styles["sign"]}>{state.sign}</span>
    </section>
  )
}

const serverNowIsNear = (at: number): boolean => serverNow() - at < 12_000
