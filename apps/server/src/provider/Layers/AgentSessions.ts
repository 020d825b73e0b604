/** Asks agents for the sessions that they keep, on a visit (ACP v1, session list, delete, close; session archive, title). */
import type { SessionInfo } from "@signalbox/acp/AcpSchema"
import {
  type AgentSession,
  type AgentSessionChange,
  type AgentSessionChanged,
  type AgentSessionFilter,
  AgentSessionsFrame
} from "@signalbox/contracts/AgentSession"
import { ResumeToken, type ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { stat } from "node:fs/promises"
import type { AgentVisit } from "../acp/AgentVisit.ts"
import { AgentVisits } from "../acp/AgentVisits.ts"
import { abilitiesOf } from "../acp/SessionAbilities.ts"
import { AgentSessions } from "../Services/AgentSessions.ts"
import type { ProviderError } from "../Services/ProviderError.ts"
import { ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"

/** Nobody reads more than that; and an agent may give page after page without an end. */
const maxSessions = 5_000
const maxPages = 1_000

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const directory = yield* ProviderSessionDirectory

  return AgentSessions.of({
    list: (id, filter) =>
      Effect.gen(function* () {
        const visit = yield* visits.visit(id, yield* folderFor(filter))
        const abilities = abilitiesOf(visit.agent.agentCapabilities)
        const first = Stream.succeed(AgentSessionsFrame.make({ type: "abilities", abilities }))
        if (!abilities.list) return first
        const held = yield* directory.threadsOf(id)
        return Stream.concat(first, pages(visit, filter, held))
      }).pipe(Stream.unwrap),
    change: Effect.fn("AgentSessions.change")(function* (id, sessionId, change) {
      return yield* changed(yield* visits.visit(id), sessionId, change)
    }, Effect.scoped)
  })
})

/** The agent starts where the sessions are wanted of, as far as that folder is still there. */
const folderFor = ({ cwd }: AgentSessionFilter): Effect.Effect<string | undefined> =>
  cwd === undefined
    ? Effect.undefined
    : Effect.promise(() =>
        stat(cwd).then(
          (found) => (found.isDirectory() ? cwd : undefined),
          () => undefined
        )
      )

interface Place {
  readonly cursor?: string
  readonly pages: number
  readonly sessions: number
}

const pages = (
  { ask, client }: AgentVisit,
  { archived, cwd }: AgentSessionFilter,
  held: ReadonlyMap<ResumeToken, ThreadId>
): Stream.Stream<AgentSessionsFrame, ProviderError> => {
  const filter = { ...(cwd !== undefined && { cwd }), ...(archived !== undefined && { archived }) }
  return Stream.paginate({ pages: 0, sessions: 0 }, ({ cursor, ...seen }: Place) =>
    ask("session/list", client.listSessions({ ...filter, ...(cursor !== undefined && { cursor }) })).pipe(
      Effect.map(({ nextCursor, sessions: found }) => {
        const sessions = found.map((info) => sessionOf(info, held))
        const frames: Array<AgentSessionsFrame> = sessions.length === 0 ? [] : [{ type: "sessions", sessions }]
        const count = { pages: seen.pages + 1, sessions: seen.sessions + sessions.length }
        // One that names the same page again would do so for ever.
        if (nextCursor === undefined || nextCursor === null || nextCursor === cursor) return [frames, Option.none()]
        if (count.pages < maxPages && count.sessions < maxSessions) {
          return [frames, Option.some({ ...count, cursor: nextCursor })]
        }
        return [[...frames, { type: "truncated" as const, after: count.sessions }], Option.none()]
      })
    )
  )
}

const sessionOf = (
  { additionalDirectories, archived, cwd, sessionId, title, updatedAt }: SessionInfo,
  held: ReadonlyMap<ResumeToken, ThreadId>
): AgentSession => {
  const token = ResumeToken.make(sessionId)
  const threadId = held.get(token)
  const at = typeof updatedAt === "string" ? Date.parse(updatedAt) : Number.NaN
  return {
    sessionId: token,
    cwd,
    ...(additionalDirectories !== undefined && { additionalDirectories }),
    ...(typeof title === "string" && title.trim() !== "" && { title }),
    ...(Number.isFinite(at) && { updatedAt: at }),
    ...(archived === true && { archived }),
    ...(threadId !== undefined && { threadId })
  }
}

const changed = (
  { ask, client }: AgentVisit,
  sessionId: ResumeToken,
  change: AgentSessionChange
): Effect.Effect<AgentSessionChanged, ProviderError> => {
  switch (change.type) {
    case "close":
      return Effect.as(ask("session/close", client.closeSession({ sessionId })), {})
    case "delete":
      return Effect.as(ask("session/delete", client.deleteSession({ sessionId })), {})
    case "archive":
      return Effect.as(ask("session/archive", client.archiveSession({ sessionId })), {})
    case "unarchive":
      return Effect.as(ask("session/unarchive", client.unarchiveSession({ sessionId })), {})
    case "rename":
      // What the agent keeps wins over what was asked for.
      return Effect.map(ask("session/set_title", client.setTitle({ sessionId, title: change.title })), ({ title }) => ({
        title
      }))
  }
}

export const layer: Layer.Layer<AgentSessions, never, AgentVisits | ProviderSessionDirectory> = Layer.effect(
  AgentSessions,
  make
)
