/** The rows of a wire: when, which way, what, and what became of it. */
import type { WireRow } from "@signalbox/contracts/Wire"
import { memo, useLayoutEffect, useRef, type KeyboardEvent } from "react"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { proseText, Revealed } from "../text/Revealed.tsx"
import { figure } from "../words/figures.ts"
import { latency } from "../words/time.ts"
import styles from "./Wire.module.css"
import { lanesWidth, WireLanes } from "./WireLanes.tsx"
import { isOpen } from "./wireState.ts"
import { markOf, nameOf, preciseTime, summaryOf, wayOf } from "./wireWords.ts"

/** Pixels from the end, within which people follow what comes. */
const atEnd = 40

export const WireTable = (props: {
  readonly rows: ReadonlyArray<WireRow>
  readonly places: ReadonlyArray<string>
  /** Whether the session runs, so that answers may come. */
  readonly runs: boolean
  /** The line of the row that is open. */
  readonly current: number | undefined
  /** The line of its request, or of its answer. */
  readonly pair: number | undefined
  readonly onPick: (line: number | undefined) => void
}) => {
  const { current, onPick, pair, places, rows, runs } = props
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  // What was opened may be covered now.
  useLayoutEffect(() => {
    if (current === undefined) return
    follows.current = false
    box.current?.querySelector(`[data-line="${current}"]`)?.scrollIntoView({ block: "nearest" })
  }, [current])
  // Whatever was drawn: nothing is scrolled where people have left the end.
  useLayoutEffect(() => {
    const element = box.current
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight
  })
  const move = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ line }) => line === current)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    const next = to === undefined ? undefined : rows[to]
    if (event.key === "Escape") onPick(undefined)
    if (next === undefined) return
    event.preventDefault()
    onPick(next.line)
    box.current?.querySelector<HTMLElement>(`[data-line="${next.line}"]`)?.focus()
  }
  return (
    <div
      ref={box}
      className={styles["table"]}
      onScroll={({ currentTarget: { clientHeight, scrollHeight, scrollTop } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < atEnd
      }}
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its buttons */}
      <table aria-label="Messages" onKeyDown={move}>
        <thead>
          <tr>
            <th data-number="" className={styles["roomy"]}>
              Line
            </th>
            <th className={styles["time"]}>Time</th>
            <th className={styles["lanes"]}>
              <span className="unseen">Way</span>
              <span className={styles["places"]} aria-hidden="true" style={{ width: lanesWidth(places.length) }}>
                {places.map((name) => (
                  <span key={name} title={proseText(name)}>
                    <Revealed text={name} />
                  </span>
                ))}
              </span>
            </th>
            <th>Method</th>
            <th className={styles["roomy"]}>Id</th>
            <th data-number="">Took</th>
            <th>Says</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.line}
              row={row}
              places={places}
              runs={runs}
              mark={row.line === current ? "current" : row.line === pair ? "pair" : undefined}
              onPick={onPick}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Row = memo(
  (props: {
    readonly row: WireRow
    readonly places: ReadonlyArray<string>
    readonly runs: boolean
    readonly mark: "current" | "pair" | undefined
    readonly onPick: (line: number | undefined) => void
  }) => {
    const { mark, onPick, places, row, runs } = props
    const became = markOf(row, places, runs)
    return (
      <tr data-mark={mark} data-error={row.error || undefined}>
        <td data-number="" className={styles["roomy"]}>
          {figure(row.line)}
        </td>
        <td className={styles["time"]}>{preciseTime(row.at)}</td>
        <td className={styles["lanes"]}>
          <WireLanes
            places={places.length}
            from={row.from}
            to={row.to}
            isOpen={isOpen(row)}
            isChanged={row.changed !== undefined}
            isDown={row.to > row.from}
          />
          <span className="unseen">
            <Revealed text={wayOf(row, places)} />
          </span>
        </td>
        <td className={styles["method"]} data-none={row.method === undefined || undefined}>
          <button
            type="button"
            data-line={row.line}
            aria-current={mark === "current" || undefined}
            onClick={() => onPick(mark === "current" ? undefined : row.line)}
          >
            <Revealed text={nameOf(row)} />
          </button>
          {row.method !== undefined && (
            <span className={styles["way"]}>
              <Revealed text={wayOf(row, places)} />
            </span>
          )}
        </td>
        <td className={`${styles["id"]} ${styles["roomy"]}`}>{row.id !== undefined && <Revealed text={row.id} />}</td>
        <td data-number="">{row.tookMs === undefined ? "" : latency(row.tookMs)}</td>
        <td className={styles["says"]}>
          {became !== undefined && (
            <span className={styles["became"]}>
              {row.changed === undefined ? <Lamp status="waiting" still /> : <Icon name="edit" />}
              <Revealed text={became} />
            </span>
          )}
          <code>
            <Revealed text={summaryOf(row)} />
          </code>
        </td>
      </tr>
    )
  }
)
