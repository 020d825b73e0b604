/** The first exchange with a server: what each side offers. */
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import type { PositionEncoding } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { InitializeParams } from "vscode-languageserver-protocol"
import * as FileUri from "../FileUri.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { ServerDefinition } from "../ServerDefinition.ts"
import { clientCapabilities } from "./ClientCapabilities.ts"
import { secondsOf } from "./Connection.ts"
import { workspaceFolder } from "./Incoming.ts"
import type { Limits } from "./Limits.ts"

export interface Parts {
  readonly definition: ServerDefinition
  readonly root: string
  readonly limits: Limits
  /** Whether somebody decides about changes that the server wants to make by itself. */
  readonly appliesEdits: boolean
  readonly peer: JsonRpcPeer
  /** Says how the program ended, once it has. */
  readonly ended: Effect.Effect<string>
  /** Hears what the server offers, before `initialized` is sent: then it may register more at once. */
  readonly onDeclared: (capabilities: Readonly<Record<string, unknown>>) => void
  readonly failure: (reason: LanguageServerError["reason"], message: string, code?: number) => LanguageServerError
}

export interface Begun {
  readonly encoding: PositionEncoding
  /** The name and version that the server reports. */
  readonly about: string | undefined
}

/** The encoding that a server has chosen. An unknown one is taken for UTF-16, which every server must know. */
const encodingOf = (chosen: unknown): PositionEncoding =>
  chosen === "utf-8" || chosen === "utf-32" ? chosen : "utf-16"

/** Nothing else is said before this is done. */
export const begin = Effect.fnUntraced(function* ({
  appliesEdits,
  definition,
  ended,
  failure,
  limits,
  onDeclared,
  peer,
  root
}: Parts): Effect.fn.Return<Begun, LanguageServerError> {
  const { args, command, initializationOptions, name, settings } = definition
  const params = {
    // A server that watches it ends when we are killed.
    processId: process.pid,
    clientInfo: { name: "Signalbox" },
    locale: "en",
    rootPath: root,
    rootUri: FileUri.of(root),
    workspaceFolders: [workspaceFolder(root)],
    capabilities: clientCapabilities(appliesEdits),
    initializationOptions
  } satisfies InitializeParams
  const answer = yield* peer.call("initialize", params).pipe(
    Effect.catchTags({
      RpcError: ({ code, message }) =>
        Effect.fail(
          failure(
            "StartFailed",
            `${name} answered initialize with an error: ${message} (${code}). Look at its settings.`,
            code
          )
        ),
      ConnectionClosed: () =>
        Effect.flatMap(ended, (words) =>
          Effect.fail(
            failure("StartFailed", `${name} ended before it had begun. ${words} Run ${command} by hand to see more.`)
          )
        )
    }),
    Effect.timeoutOrElse({
      duration: limits.start,
      orElse: () =>
        Effect.fail(
          failure(
            "StartFailed",
            `${name} did not answer initialize within ${secondsOf(limits.start)}. Check that ${[command, ...args].join(" ")} is a language server on its standard streams.`
          )
        )
    })
  )
  const { capabilities, serverInfo } = Predicate.isObject(answer) ? answer : {}
  if (!Predicate.isObject(capabilities))
    return yield* failure(
      "StartFailed",
      `${name} answered initialize without capabilities. Check that it is a language server.`
    )
  onDeclared({ ...capabilities })
  yield* Effect.ignore(peer.notify("initialized", {}))
  if (settings !== undefined) yield* Effect.ignore(peer.notify("workspace/didChangeConfiguration", { settings }))
  const info = Predicate.isObject(serverInfo) ? [serverInfo["name"], serverInfo["version"]] : []
  const about = info.filter((part) => typeof part === "string").join(" ")
  return {
    encoding: encodingOf(capabilities["positionEncoding"]),
    about: about === "" ? undefined : about
  }
})
