/** Lists all sessions of an agent, page by page (ACP v1, session list). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AcpClient } from "./AcpClient.ts"
import type { RequestFailure } from "./AcpError.ts"
import type { ListSessionsRequest, SessionInfo } from "./AcpSchema.ts"

/** The filter that all pages share. */
export type Filter = Omit<ListSessionsRequest, "cursor">

/**
 * Streams the sessions in the agent's order. Pages are requested on demand, and may be empty. The list ends if the
 * agent repeats a cursor, since that would never end.
 */
export const all = (
  client: Pick<AcpClient, "listSessions">,
  filter: Filter = {}
): Stream.Stream<SessionInfo, RequestFailure> =>
  Stream.suspend(() => {
    const seen = new Set<string>()
    return Stream.paginate<string | undefined, SessionInfo, RequestFailure>(undefined, (cursor) =>
      Effect.map(client.listSessions(cursor === undefined ? filter : { ...filter, cursor }), (page) => {
        const next = page.nextCursor
        if (typeof next !== "string" || seen.has(next)) return [page.sessions, Option.none()]
        seen.add(next)
        return [page.sessions, Option.some(next)]
      })
    )
  })
