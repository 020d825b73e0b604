/** The declared servers that run in one session. Each was agreed to by a person, and ends with the session. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import type { Opened } from "@signalbox/acp/McpSessions"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { Host } from "../../../BuiltInComponent.ts"
import { fail, type NotHad } from "../tools/Named.ts"
import * as Consent from "./Consent.ts"
import type { DeclaredServer } from "./DeclaredServer.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface StartedServers {
  readonly isRunning: (server: DeclaredServer) => boolean
  /** Asks a person, and starts the server if it does not run. */
  readonly start: (server: DeclaredServer) => Effect.Effect<ServerProcess.ServerProcess, NotHad>
  /** The server, if it runs. */
  readonly running: (server: DeclaredServer) => Effect.Effect<ServerProcess.ServerProcess, NotHad>
}

/** How often a person is asked about one server in a session, while the answer is no. */
const mostRefusals = 3

/** The servers of a session. They end with the scope. */
export const make = Effect.fnUntraced(function* (
  client: Pick<Neighbour, "request">,
  { cwd, sessionId }: Pick<Opened, "cwd" | "sessionId">,
  host: Host,
  limits: ServerProcess.Limits = ServerProcess.usualLimits
): Effect.fn.Return<StartedServers, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const servers = new Map<string, ServerProcess.ServerProcess>()
  /** The questions that nobody has answered yet, and the starts after them. */
  const asking = new Map<string, Fiber.Fiber<ServerProcess.ServerProcess, NotHad>>()
  const refusals = new Map<string, number>()

  const begin = Effect.fnUntraced(function* (server: DeclaredServer) {
    const { key } = server
    const own = yield* Scope.fork(scope)
    const begun = yield* ServerProcess.start(server, cwd, host, limits).pipe(
      Scope.provide(own),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    servers.set(key, begun)
    const gone = Effect.suspend(() => {
      servers.delete(key)
      return Scope.close(own, Exit.void)
    })
    yield* Effect.forkIn(Effect.andThen(begun.ended, gone), scope)
    return begun
  })

  const agreed = Effect.fnUntraced(function* (server: DeclaredServer, session: string) {
    const { key, title } = server
    const times = refusals.get(key) ?? 0
    if (times === mostRefusals)
      return yield* fail(`${title} was not started. Nobody is asked again: ${mostRefusals} times the answer was no.`)
    yield* Effect.tapError(Consent.ask(client, session, server, cwd, host.seal), () =>
      Effect.sync(() => refusals.set(key, times + 1))
    )
    return yield* begin(server)
  })

  const start: StartedServers["start"] = Effect.fnUntraced(function* (server) {
    const { key, title } = server
    const before = servers.get(key)
    if (before !== undefined) return before
    const session = sessionId()
    if (session === undefined) return yield* fail(`${title} was not started. The session has not begun yet.`)
    const asked = asking.get(key)
    if (asked !== undefined) return yield* Fiber.join(asked)
    // People take their time, and a caller may give up meanwhile: what they say counts all the same, and the next call finds the server.
    const done = Effect.sync(() => asking.delete(key))
    const fiber = yield* Effect.forkIn(Effect.ensuring(agreed(server, session), done), scope)
    asking.set(key, fiber)
    return yield* Fiber.join(fiber)
  })

  return {
    isRunning: ({ key }) => servers.has(key),
    start,
    running: ({ key, title }) => {
      const found = servers.get(key)
      return found === undefined
        ? fail(`${title} does not run. Ask for it with start_declared_server.`)
        : Effect.succeed(found)
    }
  }
})
