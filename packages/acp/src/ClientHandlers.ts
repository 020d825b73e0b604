/** What an agent may ask of a client, and how its messages reach the handlers. */
import * as Effect from "effect/Effect"
import * as Acp from "./AcpSchema.ts"
import * as Endpoint from "./Endpoint.ts"
import type { Handler, OnIssue } from "./Endpoint.ts"
import { type Notification, type Request, RpcError } from "./JsonRpc.ts"
import type * as JsonRpcPeer from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import * as SessionUpdates from "./SessionUpdates.ts"

/**
 * A handler that is absent is a capability that is not advertised, and its method is answered with -32601.
 * A handler is interrupted when the agent cancels its request (`$/cancel_request`) and when the connection ends.
 */
export interface Handlers<R = never> {
  /** Consecutive updates in the order of the wire. Nothing is read until this completes: it must not wait for the agent. */
  readonly onUpdates: (batch: ReadonlyArray<SessionUpdates.IncomingUpdate>) => Effect.Effect<void, never, R>
  /** Only an offered `optionId` may be selected; another one is answered as an internal error. */
  readonly requestPermission: Handler<Acp.RequestPermissionRequest, Acp.RequestPermissionResponse, R>
  readonly readTextFile?: Handler<Acp.ReadTextFileRequest, Acp.ReadTextFileResponse, R> | undefined
  readonly writeTextFile?: Handler<Acp.WriteTextFileRequest, Acp.WriteTextFileResponse, R> | undefined
  readonly terminal?: TerminalHandlers<R> | undefined
  readonly elicitation?: ElicitationHandlers<R> | undefined
  /** A request outside of the protocol. Default: -32601. */
  readonly extRequest?:
    | ((method: string, params: unknown, request: Request) => Effect.Effect<unknown, RpcError, R>)
    | undefined
  /** A notification outside of the protocol, in order with the updates. Default: ignored. */
  readonly extNotification?: ((notification: Notification) => Effect.Effect<void, never, R>) | undefined
  readonly onIssue?: OnIssue
}

/** All five or none (ACP v1, terminals). */
export interface TerminalHandlers<R> {
  readonly create: Handler<Acp.CreateTerminalRequest, Acp.CreateTerminalResponse, R>
  readonly output: Handler<Acp.TerminalOutputRequest, Acp.TerminalOutputResponse, R>
  readonly waitForExit: Handler<Acp.WaitForTerminalExitRequest, Acp.WaitForTerminalExitResponse, R>
  readonly kill: Handler<Acp.KillTerminalRequest, Acp.KillTerminalResponse, R>
  readonly release: Handler<Acp.ReleaseTerminalRequest, Acp.ReleaseTerminalResponse, R>
}

export interface ElicitationHandlers<R> {
  /** The modes that are advertised; another one is answered with -32602. */
  readonly modes: ReadonlyArray<"form" | "url">
  readonly create: Handler<Acp.CreateElicitationRequest, Acp.CreateElicitationResponse, R>
  /** The outcome of a URL that was opened. Unknown ids are to be ignored. */
  readonly onComplete?: ((params: Acp.CompleteElicitationNotification) => Effect.Effect<void, never, R>) | undefined
}

/** What the handlers let us advertise. */
export const capabilitiesOf = <R>(
  handlers: Handlers<R>
): Pick<Acp.ClientCapabilities, "fs" | "terminal" | "elicitation"> => {
  const modes = handlers.elicitation?.modes ?? []
  return {
    fs: {
      readTextFile: handlers.readTextFile !== undefined,
      writeTextFile: handlers.writeTextFile !== undefined
    },
    terminal: handlers.terminal !== undefined,
    ...(modes.length === 0 ? {} : { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) })
  }
}

export const peerHandlers = <R>(handlers: Handlers<R>): JsonRpcPeer.Handlers<R> => {
  const { elicitation, onIssue, terminal } = handlers
  const onDropped = (dropped: ReadonlyArray<Lenient.Dropped>, line: number) =>
    onIssue?.({ _tag: "Dropped", method: "session/update", line, dropped })

  const answers = Endpoint.answers<R>(onIssue)
  const { serve } = answers
  serve("session/request_permission", Acp.RequestPermissionRequest, (params, request) =>
    Effect.flatMap(handlers.requestPermission(params, request), (response) => offered(params, response))
  )
  serve("fs/read_text_file", Acp.ReadTextFileRequest, handlers.readTextFile)
  serve("fs/write_text_file", Acp.WriteTextFileRequest, handlers.writeTextFile)
  serve("terminal/create", Acp.CreateTerminalRequest, terminal?.create)
  serve("terminal/output", Acp.TerminalOutputRequest, terminal?.output)
  serve("terminal/wait_for_exit", Acp.WaitForTerminalExitRequest, terminal?.waitForExit)
  serve("terminal/kill", Acp.KillTerminalRequest, terminal?.kill)
  serve("terminal/release", Acp.ReleaseTerminalRequest, terminal?.release)
  if (elicitation !== undefined) {
    serve("elicitation/create", Acp.CreateElicitationRequest, (params, request) =>
      elicitation.modes.some((mode) => mode === params.mode)
        ? elicitation.create(params, request)
        : Effect.fail(RpcError.invalidParams(`Elicitation mode ${params.mode} is not supported`))
    )
  }

  const readComplete = Lenient.reader(Acp.CompleteElicitationNotification)
  const onOther = (notification: Notification): Effect.Effect<void, never, R> =>
    notification.method === "elicitation/complete"
      ? Endpoint.receive(onIssue, notification, readComplete, elicitation?.onComplete)
      : (handlers.extNotification?.(notification) ?? Effect.void)

  return {
    onIssue,
    onRequest: (request) => {
      const answer = answers.get(request.method)
      if (answer !== undefined) return answer(request)
      if (handlers.extRequest === undefined || Object.hasOwn(Acp.clientRequests, request.method)) {
        return Effect.fail(RpcError.methodNotFound(request.method))
      }
      return handlers.extRequest(request.method, request.params, request)
    },
    onNotifications: (batch) => {
      const effects: Array<Effect.Effect<void, never, R>> = []
      let updates: Array<SessionUpdates.IncomingUpdate> | undefined
      for (const notification of batch) {
        if (notification.method === "session/update") {
          const update = SessionUpdates.read(notification, onDropped)
          if (updates !== undefined) updates.push(update)
          else {
            const run = [update]
            updates = run
            effects.push(Effect.suspend(() => handlers.onUpdates(run)))
          }
        } else {
          updates = undefined
          effects.push(Effect.suspend(() => onOther(notification)))
        }
      }
      const [first] = effects
      return effects.length === 1 && first !== undefined ? first : Effect.all(effects, { discard: true })
    }
  }
}

const offered = (params: Acp.RequestPermissionRequest, response: Acp.RequestPermissionResponse) => {
  const { outcome } = response
  if (outcome.outcome === "cancelled" || params.options.some(({ optionId }) => optionId === outcome.optionId)) {
    return Effect.succeed(response)
  }
  return Effect.fail(RpcError.internal(`Option ${outcome.optionId} was not offered`))
}
