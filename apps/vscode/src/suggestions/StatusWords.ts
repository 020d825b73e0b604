/** The state of suggestions for one file, in words. Pure. */
import { sentencesOf } from "@signalbox/contracts/Problem"
import { slowAfterMs } from "@signalbox/contracts/Suggestions"
import { iconless } from "../words/Plain.ts"
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

const usual = { detail: "", severity: "information", turn: undefined, isBusy: false } as const

export const of = (
  { activity, failed, latencyMs, leftOut, source, today, withheld }: DeskState,
  path: string
): StatusWords => {
  if (source.type === "unknown")
    return { ...usual, text: "Suggestions: not connected", detail: "No Signalbox server is connected." }
  if (source.type === "off") {
    const text =
      source.turnedOff === undefined ? "Suggestions off" : `Suggestions by ${iconless(source.turnedOff)} turned off`
    return { ...usual, text, detail: iconless(source.why), turn: source.turnedOff === undefined ? undefined : "on" }
  }
  const on = { ...usual, turn: "off" } as const
  const name = iconless(source.agent.name)
  const why = withheld.get(path)
  if (why !== undefined) return { ...on, text: "Suggestions off for this file", detail: iconless(why) }
  const problem = activity.type === "failed" ? activity.problem : failed
  if (problem !== undefined && activity.type !== "starting" && activity.type !== "asking")
    return { ...on, text: `No suggestions by ${name}`, detail: iconless(sentencesOf(problem)), severity: "error" }
  const figures = today === undefined ? "" : `Today: ${today.accepted} accepted, ${today.dismissed} dismissed.`
  const recorded = source.recording === undefined ? "" : `What you edit is recorded in ${iconless(source.recording)}.`
  const detail = [figures, recorded].filter((sentence) => sentence !== "").join(" ")
  switch (activity.type) {
    case "starting":
      return { ...on, text: `Starting ${name}`, detail, isBusy: true }
    case "asking":
      return { ...on, text: `Asking ${name}`, detail, isBusy: true }
    case "failed":
    case "idle":
      if (leftOut !== undefined)
        return {
          ...on,
          text: `Left out a suggestion by ${name}`,
          detail: `It ${iconless(leftOut)}.`,
          severity: "warning"
        }
      return latencyMs !== undefined && latencyMs > slowAfterMs
        ? { ...on, text: `Suggestions by ${name}, slow`, detail, severity: "warning" }
        : { ...on, text: `Suggestions by ${name}`, detail }
  }
}
