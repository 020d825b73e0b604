/** The handlers for messages of an agent, and how messages reach them. */
import * as Effect from "effect/Effect"
import * as Acp from "../generated/v1.ts"
import * as Authentication from "./Authentication.ts"
import * as Elicitations from "./Elicitations.ts"
import * as Endpoint from "../protocol/Endpoint.ts"
import type { Handler, OnIssue } from "../protocol/Endpoint.ts"
import { type Notification, type Request, RpcError } from "../rpc/JsonRpc.ts"
import type * as JsonRpcPeer from "../rpc/JsonRpcPeer.ts"
import * as Lenient from "../schema/Lenient.ts"
import type { OpenQuestions } from "./OpenQuestions.ts"
import { isAbsolute } from "./SessionSetup.ts"
import * as SessionUpdates from "../protocol/SessionUpdates.ts"
import type { Subagents } from "./Subagents.ts"

/**
 * Handlers of a client. A missing handler is a capability that is not advertised; its method fails with -32601. A
 * handler is interrupted when the agent cancels its request (`$/cancel_request`) and when the connection ends.
 */
export interface Handlers<R = never> {
  /**
   * Handles consecutive updates in the order of the wire. Nothing is read until it completes, so it must not wait for
   * the agent.
   */
  readonly onUpdates: (batch: ReadonlyArray<SessionUpdates.IncomingUpdate>) => Effect.Effect<void, never, R>
  /**
   * Decides a permission request. Only an offered `optionId` may be selected; another one becomes an internal error. It
   * is interrupted when the session's turn is cancelled or the session closes, and the answer is then `cancelled`.
   */
  readonly requestPermission: Handler<Acp.RequestPermissionRequest, Acp.RequestPermissionResponse, R>
  readonly readTextFile?: Handler<Acp.ReadTextFileRequest, Acp.ReadTextFileResponse, R> | undefined
  readonly writeTextFile?: Handler<Acp.WriteTextFileRequest, Acp.WriteTextFileResponse, R> | undefined
  readonly terminal?: TerminalHandlers<R> | undefined
  readonly elicitation?: Elicitations.ElicitationHandlers<R> | undefined
  /** Receives a new report of who is signed in, in order with the updates. */
  readonly onAuthStatus?: ((status: Authentication.AuthStatus) => Effect.Effect<void, never, R>) | undefined
  /** A message to an MCP server that the client declared with `type: "acp"`. */
  readonly mcpMessage?: Handler<Acp.MessageMcpRequest, Acp.MessageMcpResponse, R> | undefined
  /** A request outside of the protocol. Default: -32601. */
  readonly extRequest?:
    | ((method: string, params: unknown, request: Request) => Effect.Effect<unknown, RpcError, R>)
    | undefined
  /** A notification outside of the protocol, in order with the updates. Default: ignored. */
  readonly extNotification?: ((notification: Notification) => Effect.Effect<void, never, R>) | undefined
  readonly onIssue?: OnIssue
}

/** Handlers of the terminal methods: all five or none (ACP v1, terminals). */
export interface TerminalHandlers<R> {
  readonly create: Handler<Acp.CreateTerminalRequest, Acp.CreateTerminalResponse, R>
  readonly output: Handler<Acp.TerminalOutputRequest, Acp.TerminalOutputResponse, R>
  readonly waitForExit: Handler<Acp.WaitForTerminalExitRequest, Acp.WaitForTerminalExitResponse, R>
  readonly kill: Handler<Acp.KillTerminalRequest, Acp.KillTerminalResponse, R>
  readonly release: Handler<Acp.ReleaseTerminalRequest, Acp.ReleaseTerminalResponse, R>
}

/** The capabilities that follow from the handlers. */
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

/** The client's state about the sessions of its connection. */
export interface Sessions {
  readonly questions: OpenQuestions
  readonly subagents: Subagents
}

export const peerHandlers = <R>(handlers: Handlers<R>, { questions, subagents }: Sessions): JsonRpcPeer.Handlers<R> => {
  const { onAuthStatus, onIssue, terminal } = handlers
  const elicitations = handlers.elicitation && Elicitations.make(handlers.elicitation, questions)
  const onDropped = (dropped: ReadonlyArray<Lenient.Dropped>, line: number) =>
    onIssue?.({ _tag: "Dropped", method: "session/update", line, dropped })

  const answers = Endpoint.answers<R>(onIssue)
  const { serve } = answers
  serve("session/request_permission", Acp.RequestPermissionRequest, (params, request) =>
    Effect.flatMap(
      questions.ask<Acp.RequestPermissionResponse, RpcError, R>(
        params.sessionId,
        Effect.suspend(() => handlers.requestPermission(params, request)),
        { outcome: { outcome: "cancelled" } }
      ),
      (response) => offered(params, response)
    )
  )
  serve(
    "fs/read_text_file",
    Acp.ReadTextFileRequest,
    atAbsolute(({ path }) => path, handlers.readTextFile)
  )
  serve(
    "fs/write_text_file",
    Acp.WriteTextFileRequest,
    atAbsolute(({ path }) => path, handlers.writeTextFile)
  )
  serve(
    "terminal/create",
    Acp.CreateTerminalRequest,
    atAbsolute(({ cwd }) => cwd, terminal?.create)
  )
  serve("terminal/output", Acp.TerminalOutputRequest, terminal?.output)
  serve("terminal/wait_for_exit", Acp.WaitForTerminalExitRequest, terminal?.waitForExit)
  serve("terminal/kill", Acp.KillTerminalRequest, terminal?.kill)
  serve("terminal/release", Acp.ReleaseTerminalRequest, terminal?.release)
  serve("elicitation/create", Acp.CreateElicitationRequest, elicitations?.create)
  serve("mcp/message", Acp.MessageMcpRequest, handlers.mcpMessage)

  const onOther = (notification: Notification): Effect.Effect<void, never, R> => {
    switch (notification.method) {
      case "elicitation/complete":
        return Endpoint.receive(onIssue, notification, readComplete, elicitations?.complete)
      case "auth/status_update":
        return Endpoint.receive(onIssue, notification, readAuthStatus, onAuthStatus)
      default:
        return handlers.extNotification?.(notification) ?? Effect.void
    }
  }

  /** Registers a sub-agent before the handlers receive its updates. */
  const learn = (update: SessionUpdates.IncomingUpdate) => {
    if (update._tag === "Unknown" || update.update.sessionUpdate !== "subagent_update") return
    if (subagents.announce(update.sessionId, update.update)) return
    const reason = `${update.update.sessionId} can't be a sub-agent of ${update.sessionId}`
    onIssue?.({ _tag: "MalformedNotification", method: "session/update", line: update.line, reason })
  }

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
          learn(update)
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

const readComplete = Lenient.reader(Acp.CompleteElicitationNotification)
const readAuthStatus = Lenient.map(Lenient.reader(Acp.AuthStatusUpdateNotification), Authentication.statusOf)

/** A handler that is called only with an absolute path, or without a path (ACP v1, file system). */
const atAbsolute = <Params, A, R>(
  pathOf: (params: Params) => string | null | undefined,
  handler: Handler<Params, A, R> | undefined
): Handler<Params, A, R> | undefined =>
  handler &&
  ((params, request) => {
    const path = pathOf(params)
    if (path === undefined || path === null || isAbsolute(path)) return handler(params, request)
    return Effect.fail(RpcError.invalidParams(`A path has to be absolute: ${path}`))
  })

const offered = (params: Acp.RequestPermissionRequest, response: Acp.RequestPermissionResponse) => {
  const { outcome } = response
  if (outcome.outcome === "cancelled" || params.options.some(({ optionId }) => optionId === outcome.optionId)) {
    return Effect.succeed(response)
  }
  return Effect.fail(RpcError.internal(`Option ${outcome.optionId} was not offered`))
}
