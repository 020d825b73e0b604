/** The frame of every entry: time, mark on the line, body. And the one line that most entries consist of. */
import type { ReactNode } from "react"
import { Icon, type IconName } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { clock, fullTime } from "../words/time.ts"
import styles from "./Entry.module.css"

export interface Marks {
  readonly late?: true | undefined
  readonly replayed?: true | undefined
  readonly cut?: true | undefined
}

/** `current`: the agent is here now; the line is lit. */
export const EntryFrame = (props: {
  readonly at?: number
  readonly icon?: IconName
  readonly lamp?: LampStatus
  /** The lamp's halo stands. */
  readonly still?: boolean
  readonly current?: boolean
  readonly last?: boolean
  readonly children: ReactNode
}) => (
  <div className={styles["entry"]} data-entry="" data-current={props.current || undefined} tabIndex={-1}>
    {props.at === undefined ? (
      <span />
    ) : (
      <time className={styles["time"]} dateTime={new Date(props.at).toISOString()} title={fullTime(props.at)}>
        {clock(props.at)}
      </time>
    )}
    <div className={styles["mark"]}>
      {props.lamp ? (
        <Lamp status={props.lamp} still={props.still ?? false} />
      ) : props.icon ? (
        <Icon name={props.icon} />
      ) : null}
    </div>
    <div className={styles["body"]}>{props.children}</div>
  </div>
)

/** Says that an entry is not what its place suggests. */
export const MarkTags = ({ cut, late, replayed }: Marks) => (
  <>
    {cut && (
      <span
        className="tag"
        title="It was going on when its turn ended badly. More may have been said that never arrived."
      >
        cut off
      </span>
    )}
    {late && (
      <span className="tag" title="It arrived after its turn had ended.">
        late
      </span>
    )}
    {replayed && (
      <span className="tag" title="It comes from the agent's memory of an earlier run, not from work done now.">
        replayed
      </span>
    )}
  </>
)

/** What a line opens. Without `onToggle` it is plain text. */
export interface LineOpening {
  readonly open: boolean
  readonly toggle: (element: Element) => void
}

export const EntryLine = (props: {
  readonly verb: ReactNode
  readonly children?: ReactNode
  readonly end?: ReactNode
  readonly opening?: LineOpening | undefined
  readonly marks?: Marks
  /** Stands behind the line and is pressed by itself. */
  readonly after?: ReactNode
}) => {
  const { opening } = props
  const content = (
    <>
      <span className={styles["verb"]}>{props.verb}</span>
      {props.children}
      {props.marks && <MarkTags {...props.marks} />}
      <span className={styles["end"]}>{props.end}</span>
      {opening ? (
        <Icon name={opening.open ? "down" : "right"} className={styles["chevron"] ?? ""} />
      ) : props.end ? (
        <span className={styles["chevron"]} />
      ) : null}
    </>
  )
  return (
    <h3 className={styles["heading"]}>
      {opening ? (
        <button
          type="button"
          className={styles["line"]}
          aria-expanded={opening.open}
          onClick={(event) => opening.toggle(event.currentTarget)}
        >
          {content}
        </button>
      ) : (
        <span className={styles["line"]}>{content}</span>
      )}
      {props.after}
    </h3>
  )
}
