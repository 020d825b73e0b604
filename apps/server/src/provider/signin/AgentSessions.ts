/**
 * Lists and changes agents' stored sessions, on a visit (ACP v1, session list, delete, close; session archive, title).
 */
import type { SessionInfo } from "@signalbox/acp/AcpSchema"
import { type AgentSession, type AgentSessionFilter, AgentSessionsFrame } from "@signalbox/contracts/AgentSession"
import { ResumeToken, type ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { realpath, stat } from "node:fs/promises"
import { homedir } from "node:os"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import { AgentVisits } from "../acp/visits/AgentVisits.ts"
import { abilitiesOf } from "../acp/connection/SessionAbilities.ts"
import * as SessionChange from "../acp/session/SessionChange.ts"
import { AgentSessions } from "../Services/AgentSessions.ts"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"
import type { ProviderError } from "../../base/ProviderError.ts"
import { ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"

/** Most sessions and pages of one list. Nobody reads more, and an agent may send pages without end. */
const maxSessions = 5_000
const maxPages = 1_000
/** Most folders that an agent is asked for one by one. */
const maxFolders = 20

const make = Effect.gen(function* () {
  const visits = yield* AgentVisits
  const directory = yield* ProviderSessionDirectory
  // Commands without a server have no threads, and so no running agents.
  const adapters = yield* Effect.serviceOption(ProviderAdapterRegistry)

  /** The adapter and the thread whose process has this session open. */
  const holderOf = Effect.fnUntraced(function* (id: ProviderId, sessionId: ResumeToken) {
    if (Option.isNone(adapters)) return undefined
    for (const adapter of adapters.value.all) {
      const held = (yield* adapter.listSessions).find(
        ({ provider, resumeToken }) => provider.id === id && resumeToken === sessionId
      )
      if (held !== undefined) return { adapter, threadId: held.threadId }
    }
    return undefined
  })

  return AgentSessions.of({
    list: (id, filter, near = []) =>
      Effect.gen(function* () {
        const visit = yield* visits.visit(id, yield* folderFor(filter))
        const abilities = abilitiesOf(visit.agent.agentCapabilities)
        const first = Stream.succeed(AgentSessionsFrame.make({ type: "abilities", abilities }))
        if (!abilities.list) return first
        const held = yield* directory.threadsOf(id)
        const folders = [...near, ...(yield* directory.foldersOf(id))]
        return Stream.concat(
          first,
          everywhere((filter) => pages(visit, filter, held), filter, folders)
        )
      }).pipe(Stream.unwrap),
    change: Effect.fn("AgentSessions.change")(function* (id, sessionId, change) {
      // Two processes that write one session would damage it.
      const holder = yield* holderOf(id, sessionId)
      if (holder !== undefined) return yield* holder.adapter.changeSession(holder.threadId, change)
      return yield* SessionChange.change(yield* visits.visit(id), sessionId, change)
    }, Effect.scoped)
  })
})

type Pages = (filter: AgentSessionFilter) => Stream.Stream<AgentSessionsFrame, ProviderError>

/**
 * Lists the sessions of all folders. Some agents list only the requested folder, or the one they run in; others don't
 * know the folder's name. An empty answer for a folder is asked again without it. If an answer has only one folder, the
 * others are asked, too. Each session comes once.
 */
const everywhere = (
  pagesOf: Pages,
  filter: AgentSessionFilter,
  folders: ReadonlyArray<string>
): Stream.Stream<AgentSessionsFrame, ProviderError> => {
  const seen = new Map<ResumeToken, string>()
  const fresh = (frame: AgentSessionsFrame): AgentSessionsFrame => {
    if (frame.type !== "sessions") return frame
    const sessions = frame.sessions.filter(({ cwd, sessionId }) => {
      const isFresh = !seen.has(sessionId)
      if (isFresh) seen.set(sessionId, cwd)
      return isFresh
    })
    return { ...frame, sessions }
  }
  const once = (pages: ReturnType<Pages>) =>
    Stream.filter(Stream.map(pages, fresh), (frame) => frame.type !== "sessions" || frame.sessions.length > 0)
  /** Ignores an error of a further request, since the first list counts without it. */
  const besides = (pages: ReturnType<Pages>) =>
    pages.pipe(
      Stream.catch(({ problem }) =>
        Stream.fromEffectDrain(Effect.logInfo(`An agent was asked for its sessions once more: ${problem.cause}`))
      )
    )
  const { cwd, ...rest } = filter
  const more = Stream.suspend(() => {
    if (cwd !== undefined) return seen.size > 0 ? Stream.empty : besides(once(ofFolder(pagesOf(rest), cwd)))
    const home = homedir()
    if ([...seen.values()].some((folder) => folder !== home)) return Stream.empty
    const others = [...new Set(folders)].filter((folder) => folder !== home).slice(0, maxFolders)
    return Stream.flatMap(Stream.fromIterable(others), (folder) => besides(once(pagesOf({ ...rest, cwd: folder }))))
  })
  return Stream.concat(once(pagesOf(filter)), more)
}

/** The sessions of one folder, under any of its names. */
const ofFolder = (pages: ReturnType<Pages>, cwd: string): ReturnType<Pages> => {
  const real = new Map<string, Promise<string>>()
  const nameOf = (folder: string): Promise<string> => {
    const known = real.get(folder) ?? realpath(folder).catch(() => folder)
    real.set(folder, known)
    return known
  }
  return Stream.mapEffect(pages, (frame) =>
    Effect.promise(async (): Promise<AgentSessionsFrame> => {
      if (frame.type !== "sessions") return frame
      const wanted = await nameOf(cwd)
      const names = await Promise.all(frame.sessions.map((session) => nameOf(session.cwd)))
      return { ...frame, sessions: frame.sessions.filter((_, index) => names[index] === wanted) }
    })
  )
}

/** The folder where the agent starts: that of the wanted sessions, if it exists. */
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
        const room = maxSessions - seen.sessions
        const sessions = found.slice(0, room).map((info) => sessionOf(info, held))
        const frames: Array<AgentSessionsFrame> = sessions.length === 0 ? [] : [{ type: "sessions", sessions }]
        const count = { pages: seen.pages + 1, sessions: seen.sessions + sessions.length }
        const cut: AgentSessionsFrame = { type: "truncated", after: count.sessions }
        if (found.length > room) return [[...frames, cut], Option.none()]
        // A page that names itself as the next would repeat forever.
        if (nextCursor === undefined || nextCursor === null || nextCursor === cursor) return [frames, Option.none()]
        if (count.pages < maxPages && count.sessions < maxSessions) {
          return [frames, Option.some({ ...count, cursor: nextCursor })]
        }
        return [[...frames, cut], Option.none()]
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

export const layer: Layer.Layer<AgentSessions, never, AgentVisits | ProviderSessionDirectory> = Layer.effect(
  AgentSessions,
  make
)
