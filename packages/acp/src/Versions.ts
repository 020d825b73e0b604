/** Negotiates the protocol version with an agent (ACP, initialization, version negotiation). */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type RequestFailure, UnsupportedVersion } from "./AcpError.ts"
import type { InitializeResponse } from "./AcpSchema.ts"
import type * as AcpClient from "./AcpClient.ts"
import type { Dialect } from "./Dialect.ts"

export { spoken } from "./internal/protocol/OfferedVersion.ts"

export interface Connected {
  readonly client: AcpClient.AcpClient
  readonly agent: InitializeResponse
}

/**
 * Connects, and initializes in the highest version that both sides speak. An agent that wants another version than it was asked for has seen
 * nothing of what the client can do. It gets a new connection.
 *
 * @param connect makes a connection and a client on it, which speaks the dialect, or version 1; it ends with its scope
 * @param dialects the versions to speak beside version 1
 */
export const negotiate = <E, R>(
  connect: (dialect: Dialect | undefined) => Effect.Effect<AcpClient.AcpClient, E, R>,
  hello: AcpClient.InitializeOptions,
  dialects: ReadonlyArray<Dialect>
): Effect.Effect<Connected, E | RequestFailure | UnsupportedVersion, R | Scope.Scope> => {
  const attempt = Effect.fnUntraced(function* (version: number) {
    const scope = yield* Scope.fork(yield* Effect.scope)
    const client = yield* connect(dialects.find((each) => each.version === version)).pipe(
      Effect.provideService(Scope.Scope, scope)
    )
    const exit = yield* Effect.exit(client.initialize(hello))
    if (Exit.isSuccess(exit)) return { client, agent: exit.value }
    yield* Scope.close(scope, exit)
    return yield* Effect.failCause(exit.cause)
  })
  const from = (
    version: number,
    others: ReadonlyArray<number>
  ): Effect.Effect<Connected, E | RequestFailure | UnsupportedVersion, R | Scope.Scope> =>
    attempt(version).pipe(
      Effect.catch((failure): ReturnType<typeof from> => {
        if (!(failure instanceof UnsupportedVersion) || !others.includes(failure.offered)) return Effect.fail(failure)
        return from(
          failure.offered,
          others.filter((each) => each !== failure.offered)
        )
      })
    )
  const versions = [1, ...dialects.map(({ version }) => version)]
  const highest = Math.max(...versions)
  return from(
    highest,
    versions.filter((each) => each !== highest)
  )
}
