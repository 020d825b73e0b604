import type { Problem, ProblemCode } from "@signalbox/contracts/Problem"
import type { LampStatus } from "../design/status.ts"

/** Problems that are not failures of the agent: one waits for people, one is a limit, one is a loss, some refuse what was asked. */
const others: Partial<Record<ProblemCode, LampStatus>> = {
  "auth-required": "waiting",
  "usage-limit": "limited",
  "turn-lost": "lost",
  "setting-rejected": "refused",
  unsupported: "refused",
  "request-closed": "refused",
  "option-unknown": "refused",
  "command-invalid": "refused",
  "turn-in-flight": "refused"
}

/** The lamp that stands for a problem. */
export const problemLamp = ({ code }: Problem): LampStatus => others[code] ?? "failed"
