/** The sessions of a connection in version 2: their turns, their prompts, and the translation of their updates. */
import * as Prompts from "./Prompts.ts"
import * as SessionUpdates from "./SessionUpdates.ts"
import * as Turns from "./Turns.ts"

export interface Sessions {
  readonly turns: Turns.Turns
  readonly prompts: Prompts.Prompts
  /** The translation of a session's updates, which begins when it is first asked for. */
  readonly updates: {
    readonly get: (sessionId: string) => SessionUpdates.SessionUpdates
    readonly forget: (sessionId: string) => void
  }
}

export const make = (): Sessions => {
  const turns = Turns.make()
  const updates = new Map<string, SessionUpdates.SessionUpdates>()

  const get = (sessionId: string): SessionUpdates.SessionUpdates => {
    const known = updates.get(sessionId)
    if (known !== undefined) return known
    const made = SessionUpdates.make(() => turns.isCancelling(sessionId))
    updates.set(sessionId, made)
    return made
  }

  return {
    turns,
    prompts: Prompts.make(turns),
    updates: { get, forget: (sessionId) => void updates.delete(sessionId) }
  }
}
