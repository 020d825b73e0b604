/** The text about the server's health. Pure. */
import type { AgentHealth, Health, StorageHealth } from "@signalbox/contracts/Health"
import type { LampStatus } from "../design/status.ts"
import { duration } from "../words/time.ts"
import { silentAfter } from "../words/silence.ts"
import { count } from "../words/figures.ts"

/** Milliseconds of delay above which a server counts as slow. */
const slowAfter = 250
/** Free bytes on the disk below which the page warns. */
const scarce = 500_000_000

export interface Trouble {
  readonly lamp: LampStatus
  /** A few words, for a short line. */
  readonly words: string
}

/** The present troubles, the worst first. */
export const troublesOf = (health: Health): ReadonlyArray<Trouble> => {
  const { agents, server, storage, threads } = health
  const closed = agents.filter(({ pipes }) => pipes === "closed").length
  const silent = agents.filter((agent) => isSilent(agent, health.at)).length
  const troubles: ReadonlyArray<Trouble | undefined> = [
    storage.state === "failing" ? { lamp: "failed", words: "Nothing can be kept" } : undefined,
    storage.state === "ok" && storage.problem !== undefined
      ? { lamp: "failed", words: "The database lost writes" }
      : undefined,
    threads.unreadable > 0
      ? { lamp: "failed", words: `${count(threads.unreadable, "thread")} can’t be read` }
      : undefined,
    closed > 0 ? { lamp: "failed", words: `${count(closed, "agent")} can’t be reached` } : undefined,
    isScarce(storage) ? { lamp: "limited", words: "The disk is nearly full" } : undefined,
    server.delayMs >= slowAfter ? { lamp: "limited", words: `Slow: ${duration(server.delayMs)} behind` } : undefined,
    silent > 0 ? { lamp: "working", words: `${count(silent, "agent")} silent` } : undefined
  ]
  return troubles.filter((trouble) => trouble !== undefined)
}

export const isSlow = ({ server }: Health): boolean => server.delayMs >= slowAfter

export const isScarce = ({ freeBytes }: StorageHealth): boolean => freeBytes !== undefined && freeBytes < scarce

/** Whether an agent within a turn has given no sign of life for long. */
export const isSilent = ({ lastSignAt, state }: AgentHealth, at: number): boolean =>
  state === "working" && at - lastSignAt >= silentAfter

/** The reason why nothing can be stored: "Nothing can be kept: the disk is full." */
export const storageWords = ({ problem }: StorageHealth): { readonly title: string; readonly cause: string } => ({
  title: problem?.title ?? "Nothing can be kept.",
  cause: problem?.cause ?? "The server does not say why."
})

export const agentStateWord: { readonly [State in AgentHealth["state"]]: string } = {
  starting: "starting",
  ready: "ready",
  working: "working",
  waiting: "waits for you",
  stopping: "stopping"
}

export const agentLamp = ({ pipes, state }: AgentHealth): LampStatus =>
  pipes === "closed"
    ? "failed"
    : (
        {
          starting: "sent",
          ready: "completed",
          working: "working",
          waiting: "waiting",
          stopping: "cancelling"
        } as const
      )[state]
