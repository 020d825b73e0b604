/** Decisions of the audit log, in words. */
import type { AuditDecision } from "@signalbox/contracts/Audit"
import type { LampStatus } from "../design/status.ts"

export const lampOf = ({ effect, outcome }: AuditDecision): LampStatus => {
  if (outcome !== "answered") return "cancelled"
  return effect === "deny" ? "refused" : "completed"
}

export const verbOf = ({ effect, outcome }: AuditDecision): string => {
  if (outcome === "cancelled") return "Withdrawn:"
  if (outcome === "expired") return "Not answered:"
  return effect === "none" ? "Answered" : effect === "allow" ? "Allowed" : "Rejected"
}

/** Who decided, such as `rule 2`. */
export const byWords = ({ by, outcome }: AuditDecision): string => {
  switch (by.type) {
    case "rule":
      return by.rule.source === "built-in" ? "a built-in rule" : `rule ${by.rule.number}`
    case "person":
      return by.client === undefined || by.client.kind === "page" ? "you, on a page" : "you, on the command line"
    case "settings":
      return "the agent’s settings"
    case "flag":
      return by.flag
    case "nobody":
      return outcome === "cancelled" ? "it ended before an answer" : "its process ended before an answer"
  }
}
