/** Finds the session that somebody named by an id or the beginning of one. */
import type { AgentSession } from "@signalbox/contracts/AgentSession"
import * as Effect from "effect/Effect"
import { oneLine } from "../../base/Plain.ts"
import { usage, type UsageError } from "../terminal/Failure.ts"

/** Characters of an id that people have to write at least, unless it is shorter. */
const shortest = 4

/** The session with this id, or the only session with an id that begins with this text. */
export const choose = (
  sessions: ReadonlyArray<AgentSession>,
  command: string,
  given: string
): Effect.Effect<AgentSession, UsageError> => {
  const exact = sessions.find(({ sessionId }) => sessionId === given)
  if (exact !== undefined) return Effect.succeed(exact)
  const found = given.length < shortest ? [] : sessions.filter(({ sessionId }) => sessionId.startsWith(given))
  const [only] = found
  if (only !== undefined && found.length === 1) return Effect.succeed(only)
  const word = oneLine(given, 80)
  if (found.length > 1) {
    const offered = found.map(({ sessionId, title = "" }) => `${oneLine(sessionId)}  ${oneLine(title, 60)}`.trimEnd())
    return usage(command, `${word} is the beginning of several sessions' ids:`, offered)
  }
  return usage(command, `There is no session ${word}. All of them: signalbox sessions list`)
}
