/** The state of suggestions for one file, in words. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { LampStatus } from "../../design/status.ts"
import { slowAfterMs } from "@signalbox/contracts/Suggestions"
import { problemLamp } from "../../problems/problemLamp.ts"
import { latency } from "../../words/time.ts"
import { problemIn, type Status } from "./Status.ts"

export interface Line {
  readonly kind: "ready" | "busy" | "paused" | "failed" | "off" | "note"
  readonly lamp: LampStatus
  readonly words: string
  /** The reason in sentences, where it has no room in the line. */
  readonly why: ReadonlyArray<string>
  /** Whether the reason stands in the line, too, if that is wide enough. */
  readonly isLong: boolean
  /** More about what went wrong. */
  readonly problem: Problem | undefined
  /** Whether asking by hand may help. */
  readonly again: boolean
}

/** `editing`: the thread's agent, and whether it waits for people to allow its edit of the file. */
export const lineOf = (
  status: Status,
  path: string,
  editing: { readonly name: string; readonly isAsking: boolean }
): Line => {
  const { activity, last, note, paused, source, withheld } = status
  if (source.type === "unknown") return off("")
  if (source.type === "off") {
    const words = source.turnedOff === undefined ? "Suggestions off" : `Suggestions by ${source.turnedOff} turned off`
    return { ...off(words, source.problem), why: [source.why] }
  }
  if (note?.lasts === true) return { ...plain, kind: "note", lamp: "limited", words: note.words, why: note.why }
  const why = withheld.get(path)
  if (why !== undefined) return { ...off(`Suggestions off for this file. ${why}`), isLong: true, why: [why] }
  if (paused.has(path))
    return {
      ...plain,
      kind: "paused",
      lamp: "queued",
      words: editing.isAsking
        ? `Suggestions paused while an edit of this file by ${editing.name} waits for your answer`
        : `Suggestions paused while ${editing.name} edits this file`
    }
  const { name } = source.agent
  const problem = problemIn(status)
  if (problem !== undefined) return broken(problem)
  switch (activity.type) {
    case "starting":
      return { ...plain, kind: "busy", lamp: "sent", words: `Starting ${name}` }
    case "asking":
      return { ...plain, kind: "busy", lamp: "sent", words: `Asking ${name}` }
    case "failed":
    case "idle": {
      const [left] = last?.count === 0 ? last.dropped : []
      if (left === undefined && note !== undefined)
        return { ...plain, kind: "note", lamp: "completed", words: note.words }
      if (left === undefined && last !== undefined && last.latencyMs > slowAfterMs)
        return {
          ...plain,
          kind: "ready",
          lamp: "limited",
          words: `${name} is slow, ${latency(last.latencyMs)}. Asking less often.`
        }
      return left === undefined
        ? { ...plain, kind: "ready", lamp: "completed", words: `Suggestions by ${name}` }
        : { ...plain, kind: "ready", lamp: "limited", words: `Left out a suggestion by ${name}: it ${left.why}` }
    }
  }
}

const plain = { why: [], isLong: false, problem: undefined, again: false }

const off = (words: string, problem?: Problem): Line => ({ ...plain, kind: "off", lamp: "cancelled", words, problem })

const broken = (problem: Problem): Line => ({
  kind: "failed",
  lamp: problemLamp(problem),
  words: problem.title,
  why: [],
  isLong: false,
  problem,
  again: true
})
