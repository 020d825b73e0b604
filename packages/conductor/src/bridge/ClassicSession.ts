/**
 * A session of classic MCP: the bridge answers `initialize`, `ping` and the end of requests itself. All else is translated, and goes to the
 * server over ACP as single requests.
 */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { McpCaller, McpNotification } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as ClientRequests from "./ClientRequests.ts"
import * as InputRounds from "./InputRounds.ts"
import * as RunningRequests from "./RunningRequests.ts"
import * as Subscriptions from "./Subscriptions.ts"
import * as Translation from "./Translation.ts"
import * as Wire from "./Wire.ts"

/** The server that a session is with. */
export interface Server {
  readonly serverId: string
  readonly name: string
}

export interface ClassicSession {
  /**
   * Answers a request. Interruption cancels it; so does a notification with its id.
   *
   * @param id as JSON text
   * @param say takes what the server says and asks about this request
   */
  readonly request: (
    id: string,
    method: string,
    params: McpOverAcp.JsonObject,
    say: Wire.Say
  ) => Effect.Effect<McpOverAcp.Outcome>
  /** Takes the client's answer to what it was asked. */
  readonly answered: ClientRequests.ClientRequests["answered"]
  readonly notified: (method: string, params: McpOverAcp.JsonObject) => void
  /** What the server says about no request: lines of JSON-RPC. The oldest are lost where nobody takes them. */
  readonly said: Queue.Queue<string>
  /** Listens for changes of lists and resources while the scope is open, for whoever takes what is said. */
  readonly hearing: Effect.Effect<void, never, Scope.Scope>
  /** Cancels what is under way, and completes `ended`. */
  readonly end: () => void
  readonly ended: Effect.Effect<void>
}

/** Methods of other revisions, or of what this bridge does not do. */
const unknownMethods: ReadonlySet<string> = new Set(["server/discover", "subscriptions/listen"])

/** Begins a session with a server. */
export type Begin = (server: Server) => Effect.Effect<ClassicSession>

/** Lines that wait for a client which does not take them. */
const mostWaiting = 256

export const make = Effect.fnUntraced(function* (
  caller: McpCaller,
  { name, serverId }: Server
): Effect.fn.Return<ClassicSession> {
  const running = RunningRequests.make()
  const asked = ClientRequests.make(() => client.capabilities)
  const said = yield* Queue.sliding<string>(mostWaiting)
  const ended = Deferred.makeUnsafe<void>()
  let client: Translation.ClassicClient = { capabilities: {}, info: undefined, logLevel: undefined }

  const call = (method: string, params: McpOverAcp.JsonObject, say: (notification: McpNotification) => void) =>
    caller
      .request({ serverId, method, params: Translation.withMeta(params, client) }, say)
      .pipe(Effect.catch((error) => Effect.succeed(Translation.failed(error))))

  const subscriptions = Subscriptions.make(call, (notification) => Queue.offerUnsafe(said, Wire.said(notification)))

  const initialize = (params: McpOverAcp.JsonObject): Effect.Effect<McpOverAcp.Outcome> => {
    const revision = Translation.classicRevision(params["protocolVersion"])
    client = { ...client, capabilities: McpOverAcp.objectOf(params["capabilities"]), info: params["clientInfo"] }
    return Effect.map(
      call("server/discover", {}, () => {}),
      (discovered) => {
        if ("result" in discovered) {
          subscriptions.offered(McpOverAcp.objectOf(McpOverAcp.objectOf(discovered.result)["capabilities"]))
          return { result: Translation.initialized(revision, name, discovered.result) }
        }
        // A server that says nothing of itself has tools, at least.
        return discovered.error.code === ErrorCode.MethodNotFound
          ? { result: Translation.initialized(revision, name, undefined) }
          : discovered
      }
    )
  }

  const answer = (method: string, params: McpOverAcp.JsonObject, say: Wire.Say): Effect.Effect<McpOverAcp.Outcome> => {
    if (method === "initialize") return initialize(params)
    if (method === "ping") return Effect.succeed({ result: {} })
    if (method === "logging/setLevel") {
      const { level } = params
      client = { ...client, logLevel: typeof level === "string" ? level : undefined }
      return Effect.succeed({ result: {} })
    }
    if (method === "resources/subscribe") return subscriptions.subscribe(params)
    if (method === "resources/unsubscribe") return subscriptions.unsubscribe(params)
    if (unknownMethods.has(method)) return Effect.succeed(Translation.failed(RpcError.methodNotFound(method)))
    const outcome = InputRounds.run(
      (sent) => call(method, sent, say),
      (question, about) => asked.ask(question, about, say),
      params
    )
    return Effect.map(outcome, (one) => Translation.classicOutcome(method, one))
  }

  const session: ClassicSession = {
    request: (id, method, params, say) =>
      running.run(
        id,
        Effect.suspend(() => answer(method, params, say))
      ),
    notified: (method, params) => {
      if (method === "notifications/initialized") subscriptions.ready()
      running.notified(method, params)
    },
    answered: asked.answered,
    said,
    hearing: subscriptions.hearing,
    end: () => {
      asked.end()
      running.cancelAll()
      Deferred.doneUnsafe(ended, Exit.void)
    },
    ended: Deferred.await(ended)
  }
  return session
})
