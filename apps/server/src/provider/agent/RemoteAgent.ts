/** A remote agent in place of our own process. Signalbox connects to it, and can end only the connection. */
import { type RemoteTransport, TransportError } from "@signalbox/acp/Transport"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Redaction from "@signalbox/redaction/Redaction"
import { type ProviderError, providerError } from "../../base/ProviderError.ts"
import type { AgentExit } from "./AgentExit.ts"
import type { Remote } from "./Launch.ts"
import type { RunningAgent } from "./RunningAgent.ts"

/** Connects; closing the scope ends the connection. */
export const connect = Effect.fn("RemoteAgent.connect")(function* (
  remote: Remote,
  { onOutputEnd }: { readonly onOutputEnd?: (() => void) | undefined }
): Effect.fn.Return<RunningAgent, ProviderError, Scope.Scope> {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const transport = yield* Effect.mapError(Scope.provide(open(remote), scope), (error) => unreachable(remote, error))
  const clock = yield* Clock.Clock
  const startedAt = clock.currentTimeMillisUnsafe()
  const exit = Deferred.makeUnsafe<AgentExit>()
  let lastSignAt = startedAt
  let broken: TransportError | undefined
  const heard = <A>(chunks: A): A => {
    lastSignAt = clock.currentTimeMillisUnsafe()
    return chunks
  }
  const over = () => {
    const reason = broken === undefined ? "The server ended the connection." : wordsOf(remote, broken)
    Deferred.doneUnsafe(exit, Exit.succeed<AgentExit>({ reason, ...nothingSaid }))
    onOutputEnd?.()
  }
  const stop = Effect.andThen(
    Scope.close(scope, Exit.void),
    Effect.suspend(() => {
      over()
      return Deferred.await(exit)
    })
  )
  return {
    pid: undefined,
    startedAt,
    lastSignAt: () => lastSignAt,
    pipes: () => (Deferred.isDoneUnsafe(exit) ? "closed" : "open"),
    transport: {
      input: transport.input.pipe(
        Stream.mapArray(heard),
        Stream.mapError((error) => (broken = error)),
        Stream.ensuring(Effect.sync(over))
      ),
      output: Sink.mapInputArray(transport.output, heard)
    },
    exited: Deferred.await(exit),
    stderr: () => nothingSaid,
    stop,
    kill: stop
  }
})

const nothingSaid: Pick<AgentExit, "stderrLines" | "stderrTail"> = { stderrTail: [], stderrLines: 0 }

/** Opens the connection. The transports are loaded on demand, since most agents are local processes. */
const open = ({ headers, url }: Remote): Effect.Effect<RemoteTransport, TransportError, Scope.Scope> =>
  Effect.gen(function* () {
    if (/^wss?:/.test(url)) {
      const [{ make }, { layerWebSocketConstructor }] = yield* Effect.promise(() =>
        Promise.all([import("@signalbox/acp/WebSocketTransport"), import("@effect/platform-node/NodeWS")])
      )
      return yield* Effect.provide(make({ url, headers }), layerWebSocketConstructor)
    }
    const [{ make }, { layerUndici }] = yield* Effect.promise(() =>
      Promise.all([import("@signalbox/acp/HttpTransport"), import("@effect/platform-node/NodeHttpClient")])
    )
    // The client lives as long as the connection, not only until it is open.
    return yield* Effect.provideContext(make({ url, headers }), yield* Layer.build(layerUndici))
  })

const unreachable = (remote: Remote, error: TransportError) =>
  providerError("agent-start-failed", "The agent can't be reached.", wordsOf(remote, error), {
    evidence: { path: Redaction.text(remote.url) },
    nextSteps: [{ action: "check-again", label: "Check its address and try again" }]
  })

/**
 * The reason why a connection failed. Sign-in data is removed from the address, since the text stays in the transcript.
 */
const wordsOf = (remote: Remote, { body, message: told, reason, status }: TransportError): string => {
  const [url, message] = [Redaction.text(remote.url), Redaction.text(told)]
  const answer = status === undefined ? "" : ` (HTTP ${status})`
  switch (reason) {
    case "Unauthorized":
      return `The server at ${url} refused the credentials${answer}.`
    case "Gone":
      return `The server at ${url} does not know this address, or this connection any more${answer}.`
    case "Rejected":
      return `The server at ${url} refused${answer}. ${body?.slice(0, 300) ?? ""}`.trimEnd()
    case "Unreachable":
      return `There is no connection to ${url}: ${message}`
    case "Closed":
    case "Malformed":
      return `The connection to ${url} broke off: ${message}`
  }
}
