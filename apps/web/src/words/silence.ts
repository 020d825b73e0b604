/** How long an agent may say nothing before the page says so. Pure; times are milliseconds by the server's clock. */
import type { AgentHealth } from "@signalbox/contracts/Health"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { clock } from "./time.ts"
import { byteSize } from "./figures.ts"

/** From when on the halo of its lamp stands, and from when on silence is said aloud. */
export const stillAfter = 10_000
export const silentAfter = 40_000

/** When a turn last gave a sign of life; a turn that gave none yet began with one. */
export const lastSignOf = ({ lastSignAt }: Pick<ThreadView, "lastSignAt">, { queuedAt, sentAt }: TurnView): number =>
  Math.max(lastSignAt ?? 0, sentAt ?? queuedAt)

/**
 * Whether a turn waits for people elsewhere: they opened an address that the agent asked for, and nothing came of the agent since. Then
 * silence is theirs, not the agent's.
 */
export const isElsewhere = (view: Pick<ThreadView, "items" | "lastSignAt">, turn: TurnView): boolean => {
  const item = view.items.findLast(({ turnId, type }) => turnId === turn.turnId && type === "request")
  if (item?.type !== "request" || item.request.type !== "url" || item.completedAt !== undefined) return false
  const { outcome } = item
  const opened = outcome.type === "answered" && outcome.response.type === "accept"
  return opened && lastSignOf(view, turn) <= item.at
}

/** Signs that are nearer to each other than this are one. */
const apart = 1000

/** What is known of the process of an agent that says nothing. `process`: what the server told of it, if anything, at `toldAt`. */
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
