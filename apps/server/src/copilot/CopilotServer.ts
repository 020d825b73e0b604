/**
 * A conversation with Copilot's language server, by the methods that the README of `@github/copilot-language-server` documents. It
 * knows no process: whoever has one passes its streams.
 */
import { type CallFailure, ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { CallOptions } from "@signalbox/acp/JsonRpcPeer"
import type * as Lenient from "@signalbox/acp/Lenient"
import type { Position } from "@signalbox/acp/Positions"
import type * as FramedTransport from "@signalbox/lsp/FramedTransport"
import * as LspPeer from "@signalbox/lsp/LspPeer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { version } from "../base/Version.ts"
import * as CopilotWire from "./CopilotWire.ts"

/** A language server that runs. */
export interface Started {
  readonly bytes: FramedTransport.Bytes<unknown>
  /** Why it has ended, in a sentence. Completes only if it has. */
  readonly ended: Effect.Effect<string>
}

/** Its failures are answers for an ACP client: -32000 if nobody is signed in, else -32603 with a sentence. */
export interface CopilotServer {
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  /** Alternatives for the next edit. The request is cancelled if its caller is interrupted. */
  readonly edits: (asked: {
    readonly uri: string
    readonly version: number
    readonly position: Position
  }) => Effect.Effect<ReadonlyArray<CopilotWire.InlineEdit>, RpcError>
  readonly execute: (command: CopilotWire.Command) => Effect.Effect<unknown, RpcError>
  readonly signIn: Effect.Effect<CopilotWire.SignIn, RpcError>
  /** Waits for the server's first word on it, but not for ever: then it counts as signed in until a request fails. */
  readonly isSignedIn: Effect.Effect<boolean>
  /** Completes when the server says that somebody is signed in. */
  readonly untilSignedIn: Effect.Effect<void>
  /** Asks the server to end. */
  readonly shutdown: Effect.Effect<void>
}

export type Folders = ReadonlyArray<{ readonly uri: string; readonly name: string }>

export interface Options {
  readonly workspaceFolders: Folders
  /** Takes what people should read: an address to open, a message of the server. */
  readonly say: (words: string) => void
}

/** The code of an error without an account: *Not authenticated: NotSignedIn*. */
const notSignedIn = 1000

export const signInFirst = new RpcError({
  code: ErrorCode.AuthRequired,
  message: "Nobody is signed in to GitHub Copilot."
})

/** It says who is signed in right after it was initialized. */
const statusGrace = "5 seconds"
const shutdownGrace = "1 second"
/** The end of its pipe is known before the end of its process. */
const endGrace = "5 seconds"

/** Nothing is reported to anybody about the use of suggestions. */
const settings = { telemetry: { telemetryLevel: "off" } }

const Sections = Schema.Struct({ items: Schema.Array(Schema.Struct({ section: Schema.String })) })
const Shown = Schema.Struct({ uri: Schema.String })
const Said = Schema.Struct({ type: Schema.Finite, message: Schema.String })
/** `MessageType.Warning`: higher numbers are for logs. */
const lowestShown = 2

/** Starts talking, and completes when the server is initialized. */
export const make = Effect.fn("CopilotServer.make")(function* (
  { bytes, ended }: Started,
  { say, workspaceFolders }: Options
): Effect.fn.Return<CopilotServer, RpcError, Scope.Scope> {
  const status = yield* SubscriptionRef.make<CopilotWire.Status | undefined>(undefined)
  const spoken = yield* Deferred.make<void>()

  const peer = yield* LspPeer.make(bytes, () => ({
    requests: new Map<string, LspPeer.OnRequest<never>>([
      ["workspace/configuration", (params) => Effect.succeed(configurationFor(params))],
      ["window/showDocument", (params) => Effect.sync(() => shown(params, say))],
      ["window/showMessageRequest", (params) => Effect.sync(() => (told(params, say), null))],
      ["window/workDoneProgress/create", () => Effect.succeed(null)],
      ["client/registerCapability", () => Effect.succeed(null)],
      ["client/unregisterCapability", () => Effect.succeed(null)]
    ]),
    notifications: new Map<string, LspPeer.OnNotification<never>>([
      ["window/showMessage", (params) => Effect.sync(() => told(params, say))],
      [
        "didChangeStatus",
        (params) => {
          const reading = CopilotWire.readStatus(params)
          if (Result.isFailure(reading)) return Effect.void
          return Effect.andThen(
            SubscriptionRef.set(status, reading.success.value),
            Effect.asVoid(Deferred.succeed(spoken, undefined))
          )
        }
      ]
    ])
  }))

  const words = (method: string) => (error: CallFailure) => {
    if (error._tag === "RpcError")
      return Effect.fail(
        error.code === notSignedIn ? signInFirst : RpcError.internal(`Copilot refused ${method}: ${error.message}`)
      )
    return Effect.flatMap(Effect.timeoutOption(ended, endGrace), (why) =>
      Effect.fail(RpcError.internal(Option.getOrElse(why, () => error.message)))
    )
  }
  const call = (method: string, params: unknown, options?: CallOptions): Effect.Effect<unknown, RpcError> =>
    peer.call(method, params, options).pipe(Effect.catch(words(method)))
  /** A server that has gone is noticed by the next request. */
  const notify: CopilotServer["notify"] = (method, params) => Effect.ignore(peer.notify(method, params))
  const read = <A>(method: string, params: unknown, reader: Lenient.Reader<A>): Effect.Effect<A, RpcError> =>
    Effect.flatMap(call(method, params), (result) => {
      const reading = reader(result)
      return Result.isSuccess(reading)
        ? Effect.succeed(reading.success.value)
        : Effect.fail(RpcError.internal(`Copilot answered ${method} with something else: ${reading.failure}`))
    })

  yield* call("initialize", {
    processId: process.pid,
    workspaceFolders,
    capabilities: {
      workspace: { workspaceFolders: true, configuration: true },
      window: { showDocument: { support: true } }
    },
    initializationOptions: {
      editorInfo: { name: "Signalbox", version },
      editorPluginInfo: { name: "signalbox", version }
    }
  })
  yield* notify("initialized", {})
  yield* notify("workspace/didChangeConfiguration", { settings })

  return {
    notify,
    edits: ({ position, uri, version }) =>
      Effect.map(
        read("textDocument/copilotInlineEdit", { textDocument: { uri, version }, position }, CopilotWire.readEdits),
        ({ edits }) => edits
      ),
    execute: (command) =>
      call(
        "workspace/executeCommand",
        { ...command, arguments: command.arguments ?? [] },
        // A command counts, whether its answer is awaited or not.
        { cancelOnInterrupt: false }
      ),
    signIn: read("signIn", {}, CopilotWire.readSignIn),
    isSignedIn: Effect.gen(function* () {
      yield* Effect.timeoutOption(Deferred.await(spoken), statusGrace)
      return (yield* SubscriptionRef.get(status))?.kind !== "Error"
    }),
    untilSignedIn: SubscriptionRef.changes(status).pipe(
      Stream.filter((now) => now !== undefined && now.kind !== "Error"),
      Stream.runHead,
      Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: () => Effect.void }))
    ),
    shutdown: call("shutdown", null).pipe(
      Effect.andThen(notify("exit", null)),
      Effect.timeoutOption(shutdownGrace),
      Effect.ignore
    )
  }
})

/** One value for each section that was asked for. */
const configurationFor = (params: unknown): ReadonlyArray<unknown> => {
  const asked = Schema.decodeUnknownOption(Sections)(params)
  if (Option.isNone(asked)) return []
  return asked.value.items.map(({ section }) => (section === "telemetry" ? settings.telemetry : null))
}

/** People open the address themselves: no program of ours starts their browser. */
const shown = (params: unknown, say: Options["say"]): { readonly success: boolean } => {
  const asked = Schema.decodeUnknownOption(Shown)(params)
  if (Option.isNone(asked)) return { success: false }
  say(`Open ${asked.value.uri}`)
  return { success: true }
}

const told = (params: unknown, say: Options["say"]): void => {
  const message = Schema.decodeUnknownOption(Said)(params)
  if (Option.isSome(message) && message.value.type <= lowestShown) say(message.value.message)
}
