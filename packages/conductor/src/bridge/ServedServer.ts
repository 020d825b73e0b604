/** One server at the bridge's address: its token, its sessions, and what is under way. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Keys from "@signalbox/loopback/Keys"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import type * as ClassicSession from "./ClassicSession.ts"

export interface ServedServer extends ClassicSession.Server {
  readonly keys: Keys.Keys
  /** Begins a session of classic MCP, and returns its id. The one that was used longest ago ends where there are too many. */
  readonly begin: Effect.Effect<string>
  readonly session: (id: string) => ClassicSession.ClassicSession | undefined
  readonly end: (id: string) => void
  /** Counts a request until the scope closes. False if too many are under way. */
  readonly admit: Effect.Effect<boolean, never, Scope.Scope>
  /** Counts a body that is read, in the same way. */
  readonly admitBody: Effect.Effect<boolean, never, Scope.Scope>
}

/** Clients connect again and again, and not all of them end their sessions. */
const mostSessions = 64

/** Lets in as many as a server answers at once, each until its scope closes. */
const makeDoor = (): Effect.Effect<boolean, never, Scope.Scope> => {
  let inside = 0
  return Effect.suspend(() => {
    if (inside >= McpOverAcp.defaultMostActive) return Effect.succeed(false)
    inside += 1
    return Effect.as(
      Effect.addFinalizer(() => Effect.sync(() => (inside -= 1))),
      true
    )
  })
}

export const make = (server: ClassicSession.Server, begin: ClassicSession.Begin): ServedServer => {
  const sessions = new Map<string, ClassicSession.ClassicSession>()
  const end = (id: string) => {
    sessions.get(id)?.end()
    sessions.delete(id)
  }
  return {
    ...server,
    keys: Keys.make(),
    begin: Effect.map(begin(server), (session) => {
      const [oldest] = sessions.keys()
      if (sessions.size >= mostSessions && oldest !== undefined) end(oldest)
      const id = randomUUID()
      sessions.set(id, session)
      return id
    }),
    session: (id) => {
      const session = sessions.get(id)
      // The map keeps the order of insertion: what was used last stands last.
      if (session !== undefined && sessions.delete(id)) sessions.set(id, session)
      return session
    },
    end,
    admit: makeDoor(),
    admitBody: makeDoor()
  }
}
