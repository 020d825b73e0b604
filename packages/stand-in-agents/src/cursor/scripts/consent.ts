import { askPermission, verdict, type Subject } from "../Permissions.ts"
import type { Outcome } from "../Tools.ts"
import type { Turn } from "../Turn.ts"

/** Whether the tool may run: by rule, or because the user said so. */
export const consent = async (turn: Turn, subject: Subject, delay = 1900): Promise<boolean> => {
  const ruled = verdict(turn.emulator, turn.session.cwd, subject.token)
  if (ruled !== "ask") return ruled === "allowed"
  await turn.wait(delay)
  const allowed = await askPermission(turn.emulator, turn.session, subject, (method, params) =>
    turn.ask(method, params)
  )
  if (!allowed) await turn.wait(18)
  return allowed
}

/** How a tool ends that was not allowed: since there is no status for it, by having no output. */
export const refused = (turn: Turn): Outcome =>
  turn.quirks.has("reject_completed_no_output") ? {} : { rawOutput: { rejected: true } }
