/** The wire of a thread's session: each message once, with its way through the chain. */
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { mostWireRows } from "@signalbox/contracts/Wire"
import { useCallback, useMemo, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { health } from "../connection/health.ts"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { useScope } from "../design/scope.ts"
import { ScopeNote } from "../design/ScopeNote.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { figure } from "../words/figures.ts"
import { fineDuration } from "../words/time.ts"
import { useWire } from "./useWire.ts"
import styles from "./Wire.module.css"
import { WireDetail } from "./WireDetail.tsx"
import { WireFilters } from "./WireFilters.tsx"
import { everything, shownOf } from "./wireState.ts"
import { WireTable } from "./WireTable.tsx"
import { countWords } from "./wireWords.ts"

/** Rows of what was recorded that come first, and after people asked for more. */
const first = 500
const more = 5000

export const WireRoom = ({ view }: { readonly view: ThreadView }) => {
  const isRefused = useScope("admin") !== undefined
  return (
    <section className={styles["room"]} data-alone="" aria-label="Wire">
      {isRefused ? (
        <div className={styles["nothing"]}>
          <ScopeNote needs="admin" />
        </div>
      ) : (
        <Wire view={view} />
      )}
    </section>
  )
}

const Wire = ({ view }: { readonly view: ThreadView }) => {
  const { session, threadId } = view
  const { providerSessionId, state } = session
  const [most, setMost] = useState(first)
  const wire = useWire(threadId, providerSessionId, most)
  const { faults, isCurrent, isOver, left, places, refused, rows } = wire
  const [filter, setFilter] = useState(everything)
  const [picked, setPicked] = useState<number>()
  const onPick = useCallback((line: number | undefined) => setPicked(line), [])
  const shown = useMemo(() => shownOf(rows, filter), [rows, filter])
  const current = rows.find(({ line }) => line === picked)
  const pair = current?.pair === undefined ? undefined : rows.find(({ line }) => line === current.pair)
  const runs = state === "ready" || state === "starting"
  if (providerSessionId === undefined)
    return <p className={styles["nothing"]}>Nothing went over the wire yet: no session was started.</p>
  if ((isOver || refused !== undefined) && rows.length === 0)
    return (
      <p className={styles["nothing"]}>
        {refused === undefined
          ? "There is no tape of this session. It was deleted to keep the tapes within their bound, or none was written."
          : sentencesOf(refused)}
      </p>
    )
  return (
    <>
      <WireFilters filter={filter} onChange={setFilter} rows={rows} places={places} />
      <div className={styles["split"]} data-detail={current && ""}>
        {rows.length === 0 ? (
          <p className={styles["nothing"]}>{isCurrent ? "Nothing went over the wire yet." : "Reading the tape…"}</p>
        ) : shown.length === 0 ? (
          <p className={styles["nothing"]}>
            No row fits. <Button onClick={() => setFilter(everything)}>Show all</Button>
          </p>
        ) : (
          <WireTable
            rows={shown}
            places={places}
            runs={runs}
            current={current?.line}
            pair={current?.pair}
            onPick={onPick}
          />
        )}
        {current && (
          <WireDetail
            address={{ threadId, session: providerSessionId }}
            row={current}
            pair={pair}
            places={places}
            onClose={() => setPicked(undefined)}
          />
        )}
      </div>
      <footer className={styles["foot"]}>
        <span>{countWords(shown.length, rows.length, left)}</span>
        {left > 0 && most < mostWireRows && (
          <Button bare onClick={() => setMost(most < more ? more : mostWireRows)}>
            Show up to {figure(most < more ? more : mostWireRows)}
          </Button>
        )}
        {faults.map((reason) => (
          <span key={reason} role="alert">
            {reason}
          </span>
        ))}
        {refused !== undefined ? (
          <span role="alert">{sentencesOf(refused)}</span>
        ) : (
          isOver && <span>The tape was deleted meanwhile.</span>
        )}
        <Held view={view} />
        <CopyCommand command={`npx signalbox tape export ${threadId} -o tape.ndjson`} />
      </footer>
    </>
  )
}

/** How long each component holds a message. */
const Held = ({ view: { threadId } }: { readonly view: ThreadView }) => {
  const report = useStore(health)
  const traffic = report?.agents.find((agent) => agent.threadId === threadId)?.chain ?? []
  const known = traffic.flatMap(({ heldMs, name }) => (heldMs === undefined ? [] : [{ heldMs, name }]))
  if (known.length === 0) return null
  return (
    <span className={styles["held"]} title="How long a part holds a message: the median of its latest 101">
      {known.map(({ heldMs, name }) => (
        <span key={name}>
          <Revealed text={name} /> <b>{fineDuration(heldMs)}</b>
        </span>
      ))}
    </span>
  )
}
