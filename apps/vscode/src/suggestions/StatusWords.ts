/** The state of suggestions for one file, in words. Pure. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { slowAfterMs } from "@signalbox/contracts/Suggestions"
import type { DeskState } from "./DeskState.ts"

export interface StatusWords {
  readonly text: string
  /** More of it, in sentences. */
  readonly detail: string
  readonly severity: "information" | "warning" | "error"
  /** What people can do with suggestions as they are. */
  readonly turn: "on" | "off" | undefined
  readonly isBusy: boolean
}

const plain = { detail: "", severity: "information", turn: undefined, isBusy: false } as const

const seen = (text: string): string => inText(revealAll(text))

export const of = (
  { activity, failed, latencyMs, leftOut, source, today, withheld }: DeskState,
  path: string
): StatusWords => {
  if (source.type === "unknown")
    return { ...plain, text: "Suggestions: not connected", detail: "No Signalbox server is connected." }
  if (source.type === "off") {
    const text =
      source.turnedOff === undefined ? "Suggestions off" : `Suggestions by ${seen(source.turnedOff)} turned off`
    return { ...plain, text, detail: seen(source.why), turn: source.turnedOff === undefined ? undefined : "on" }
  }
  const on = { ...plain, turn: "off" } as const
  const name = seen(source.agent.name)
  const why = withheld.get(path)
  if (why !== undefined) return { ...on, text: "Suggestions off for this file", detail: seen(why) }
  const problem = activity.type === "failed" ? activity.problem : failed
  if (problem !== undefined && activity.type !== "starting" && activity.type !== "asking")
    return { ...on, text: `No suggestions by ${name}`, detail: seen(sentencesOf(problem)), severity: "error" }
  const figures = today === undefined ? "" : `Today: ${today.accepted} accepted, ${today.dismissed} dismissed.`
  const recorded = source.recording === undefined ? "" : `What you edit is recorded in ${seen(source.recording)}.`
  const detail = [figures, recorded].filter((sentence) => sentence !== "").join(" ")
  switch (activity.type) {
    case "starting":
      return { ...on, text: `Starting ${name}`, detail, isBusy: true }
    case "asking":
      return { ...on, text: `Asking ${name}`, detail, isBusy: true }
    case "failed":
    case "idle":
      if (leftOut !== undefined)
        return { ...on, text: `Left out a suggestion by ${name}`, detail: `It ${seen(leftOut)}.`, severity: "warning" }
      return latencyMs !== undefined && latencyMs > slowAfterMs
        ? { ...on, text: `Suggestions by ${name}, slow`, detail, severity: "warning" }
        : { ...on, text: `Suggestions by ${name}`, detail }
  }
}
