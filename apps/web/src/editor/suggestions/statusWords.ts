/** The state of suggestions for one file, in words. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { LampStatus } from "../../design/status.ts"
import type { Status } from "./Status.ts"

export interface Line {
  readonly kind: "ready" | "busy" | "paused" | "failed" | "off"
  readonly lamp: LampStatus
  readonly words: string
  /** The reason, where it has no room in the line. */
  readonly why: string | undefined
  /** More about what went wrong. */
  readonly problem: Problem | undefined
  /** Whether asking by hand may help. */
  readonly again: boolean
}

/** `editing`: the name of the thread's agent. */
export const lineOf = (status: Status, path: string, editing: string): Line => {
  const { activity, failed, last, paused, source, withheld } = status
  if (source.type === "unknown") return off("")
  if (source.type === "off") return { ...off("Suggestions off", source.problem), why: source.why }
  const why = withheld.get(path)
  if (why !== undefined) return off(`Suggestions off for this file. ${why}`)
  if (paused.has(path))
    return { ...plain, kind: "paused", lamp: "queued", words: `Suggestions paused while ${editing} edits this file` }
  const { name } = source.agent
  switch (activity.type) {
    case "starting":
      return { ...plain, kind: "busy", lamp: "sent", words: `Starting ${name}` }
    case "asking":
      return { ...plain, kind: "busy", lamp: "sent", words: `Asking ${name}` }
    case "failed":
      return broken(activity.problem)
    case "idle": {
      if (failed !== undefined) return broken(failed)
      const [left] = last?.count === 0 ? last.dropped : []
      return left === undefined
        ? { ...plain, kind: "ready", lamp: "completed", words: `Suggestions by ${name}` }
        : { ...plain, kind: "ready", lamp: "limited", words: `Left out a suggestion by ${name}: it ${left.why}` }
    }
  }
}

const plain = { why: undefined, problem: undefined, again: false }

const off = (words: string, problem?: Problem): Line => ({ ...plain, kind: "off", lamp: "cancelled", words, problem })

const broken = (problem: Problem): Line => ({
  kind: "failed",
  lamp: "failed",
  words: problem.title,
  why: undefined,
  problem,
  again: true
})
