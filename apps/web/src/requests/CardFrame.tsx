/** The frame of what waits for people: a head in our words, parts, and a bar of answers that stays in view while the rest scrolls. */
import { type ReactNode, type Ref, useId } from "react"
import { Lamp } from "../design/Lamp.tsx"
import { ScopeNote } from "../design/ScopeNote.tsx"
import { useNow } from "../connection/useNow.ts"
import { clock, elapsed } from "../words/time.ts"
import styles from "./CardFrame.module.css"
import type { Answering } from "./useAnswer.ts"

export const CardFrame = ({
  after,
  answers,
  at,
  children,
  foot,
  loud,
  ref,
  title
}: {
  readonly ref: Ref<HTMLElement>
  readonly title: string
  readonly at: number
  /** An approval is the one loud thing of the page. */
  readonly loud?: boolean
  readonly children: ReactNode
  readonly answers: ReactNode
  readonly foot?: ReactNode
  /** Stands behind the answers, and scrolls: it must not take the room of the facts. */
  readonly after?: ReactNode
}) => {
  const id = useId()
  return (
    <article ref={ref} className={styles["card"]} data-loud={loud || undefined} aria-labelledby={id}>
      <header className={styles["head"]}>
        <Lamp status="waiting" />
        <h2 id={id}>{title}</h2>
        <Waiting since={at} />
      </header>
      <div className={styles["scroll"]}>
        {children}
        {foot}
      </div>
      <div className={styles["answers"]}>
        {answers}
        <ScopeNote needs="approve" />
      </div>
      {after}
    </article>
  )
}

/** The card itself is not drawn anew each second. */
const Waiting = ({ since }: { readonly since: number }) => (
  <span className={styles["asked"]} title={`Asked ${clock(since)}`}>
    waiting {elapsed(useNow(1000) - since)}
  </span>
)

/** `isNoted`: it holds what people must not miss. */
export const CardPart = (props: { readonly children: ReactNode; readonly isNoted?: boolean }) => (
  <div className={styles["part"]} data-note={props.isNoted === true || undefined}>
    {props.children}
  </div>
)

/** "Answer on its way", or why it was not taken. */
export const AnswerState = ({ answering }: { readonly answering: Answering }) =>
  answering.refusal !== undefined ? (
    <p className={styles["refusal"]} role="alert">
      <Lamp status="failed" /> <span>The answer was not taken. {answering.refusal}</span>
    </p>
  ) : answering.onItsWay ? (
    <p className={styles["way"]}>
      <Lamp status="sent" /> Answer on its way
    </p>
  ) : null
