/** All sessions that an agent lists, page by page. */
import * as Effect from "effect/Effect"
import type { Greeted } from "./OpenSession.ts"
import { type Json, listIn } from "./Messages.ts"

const maxPages = 20

/** Reads the list of sessions. `answer` is the last answer; undefined if there were more pages than the limit. */
export const listed = Effect.fnUntraced(function* ({ wire }: Greeted, filter: Json) {
  const sessions: Array<Json> = []
  let cursor: unknown
  let pages = 0
  while (pages < maxPages) {
    const answer = yield* wire.ask("session/list", { ...filter, ...(cursor !== undefined && { cursor }) })
    if (answer.type !== "result") return { answer, sessions, pages }
    pages += 1
    sessions.push(...listIn(answer.result, "sessions"))
    const { nextCursor } = answer.result
    if (typeof nextCursor !== "string" || nextCursor === cursor) return { answer, sessions, pages }
    cursor = nextCursor
  }
  return { answer: undefined, sessions, pages }
})
