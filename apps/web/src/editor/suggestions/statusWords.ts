/** The state of suggestions for one file, in words. */
import type { LampStatus } from "../../design/status.ts"
import type { Status } from "./Status.ts"

export interface Line {
  readonly kind: "ready" | "busy" | "paused" | "failed" | "off"
  readonly lamp: LampStatus
  readonly words: string
  /** Whether asking by hand may help. */
  readonly again: boolean
}

export const lineOf = (status: Status, path: string): Line => {
  const { activity, failed, source } = status
  const off = (words: string): Line => ({ kind: "off", lamp: "cancelled", words, again: false })
  if (source.type === "unknown") return off("")
  if (source.type === "off") return off(`Suggestions off: ${source.why}`)
  const withheld = status.withheld.get(path)
  if (withheld !== undefined) return off(`Suggestions off for this file. ${withheld}`)
  if (status.paused.has(path))
    return { kind: "paused", lamp: "queued", words: "Suggestions paused while the agent edits this file", again: false }
  const { name } = source.agent
  switch (activity.type) {
    case "starting":
      return { kind: "busy", lamp: "sent", words: `Starting ${name}`, again: false }
    case "asking":
      return { kind: "busy", lamp: "sent", words: `Asking ${name}`, again: false }
    case "failed": {
      const { cause, title } = activity.problem
      return { kind: "failed", lamp: "failed", words: `${title} ${cause}`, again: true }
    }
    case "idle":
      return failed === undefined
        ? { kind: "ready", lamp: "completed", words: `Suggestions by ${name}`, again: false }
        : { kind: "failed", lamp: "failed", words: `${failed.title} ${failed.cause}`, again: true }
  }
}
