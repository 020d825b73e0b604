/** What the status bar says. Pure. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"

export interface StatusText {
  readonly text: string
  readonly tooltip: string
  /** Whether somebody is waited for, which alone gets a colour. */
  readonly isWaiting: boolean
}

type Row = Pick<ThreadSummary, "title" | "status" | "waitingFor">

/** The first that applies: what waits for people, what works, nothing. `threads` is undefined without a connection. */
export const statusOf = (threads: ReadonlyArray<Row> | undefined): StatusText => {
  if (threads === undefined)
    return { text: "Signalbox: not connected", tooltip: "No Signalbox server is connected", isWaiting: false }
  const waiting = threads.filter(({ waitingFor }) => waitingFor !== undefined)
  if (waiting.length > 0) return said(`${waiting.length} waiting`, "Waiting for you:", waiting, true)
  const working = threads.filter(({ status }) => status !== undefined && status !== "queued" && !hasEnded(status))
  if (working.length > 0) return said(`${working.length} working`, "Working:", working, false)
  return { text: "Signalbox: idle", tooltip: "No agent works, and nothing waits for you", isWaiting: false }
}

/** Titles that a tooltip lists. */
const mostTitles = 10

const said = (what: string, head: string, rows: ReadonlyArray<Row>, isWaiting: boolean): StatusText => {
  const more = rows.length - mostTitles
  const lines = rows.slice(0, mostTitles).map(({ title }) => inText(revealAll(title)))
  return {
    text: `Signalbox: ${what}`,
    tooltip: [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
    isWaiting
  }
}
