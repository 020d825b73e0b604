/** All sessions that an agent has, page by page (ACP v1, session list). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AcpClient } from "./AcpClient.ts"
import type { RequestFailure } from "./AcpError.ts"
import type { ListSessionsRequest, SessionInfo } from "./AcpSchema.ts"

/** What the pages have in common. */
export type Filter = Omit<ListSessionsRequest, "cursor">

/**
 * The sessions in the agent's order; the next page is asked for when it is wanted. Pages may be empty. An agent that gives out a
 * cursor for the second time goes in circles: there the list ends.
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
