/** The limits of an agent's silence, and the text about it. Pure; times are milliseconds of the server's clock. */
import type { AgentHealth } from "@signalbox/contracts/Health"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { clock } from "./time.ts"
import { byteSize } from "./figures.ts"

/** Milliseconds of silence after which the lamp's halo stops, and after which the page reports the silence. */
export const stillAfter = 10_000
export const silentAfter = 40_000

/** The last sign of life in a turn. Before the first sign, the turn's start counts. */
export const lastSignOf = ({ lastSignAt }: Pick<ThreadView, "lastSignAt">, { queuedAt, sentAt }: TurnView): number =>
  Math.max(lastSignAt ?? 0, sentAt ?? queuedAt)

/**
 * Whether a turn waits for people elsewhere: they opened an address for the agent, and the agent has sent nothing
 * since. Then the silence is theirs, not the agent's.
 */
export const isElsewhere = (view: Pick<ThreadView, "items" | "lastSignAt">, turn: TurnView): boolean => {
  const item = view.items.findLast(({ turnId, type }) => turnId === turn.turnId && type === "request")
  if (item?.type !== "request" || item.request.type !== "url" || item.completedAt !== undefined) return false
  const { outcome } = item
  const opened = outcome.type === "answered" && outcome.response.type === "accept"
  return opened && lastSignOf(view, turn) <= item.at
}

/** Milliseconds below which two signs count as one. */
const apart = 1000

/** The text about a silent agent's process. `process`: the server's report at `toldAt`, if there is one. */
export const processWords = (process: AgentHealth | undefined, toldAt: number, lastSign: number): string => {
  const when = clock(toldAt)
  if (process === undefined) return `At ${when} no process of it was running.`
  const { lastSignAt, pid, pipes, rssBytes } = process
  if (pipes === "closed") return `At ${when} its process ${pid} could not be reached any more: its pipes were closed.`
  const memory = rssBytes === undefined ? "" : ` and held ${byteSize(rssBytes)} of memory`
  const bytes =
    lastSignAt > lastSign + apart
      ? `: bytes went over them at ${clock(lastSignAt)} that said nothing of this turn`
      : ", and silent as well"
  return `At ${when} its process ${pid} was running${memory}; its pipes were open${bytes}.`
}
