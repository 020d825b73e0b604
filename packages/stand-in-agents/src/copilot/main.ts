/**
 * A stand-in for Copilot's language server (`@github/copilot-language-server` 1.539): the methods that its README documents for
 * suggestions of the next edit and for signing in. It needs no network and no account.
 *
 * - `--signed-out`: nobody is signed in until `signIn` and its command.
 * - `--slow`: no request for edits is answered.
 * - `--stale`: its edits say that they are for the text before the last change.
 * - `--dies`: it exits with code 3 when it is asked for edits.
 *
 * `COPILOT_LOG` names a file that gets each message it receives, a line each.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import * as Positions from "@signalbox/acp/Positions"
import * as LspPeer from "@signalbox/lsp/LspPeer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import { appendFileSync } from "node:fs"
import * as Corrections from "./Corrections.ts"

const flags = new Set(process.argv.slice(2))
const log = process.env["COPILOT_LOG"]

/** The code of the real server's error without an account. */
const notSignedIn = 1000
const accepted = "github.copilot.didAcceptCompletionItem"
const finishDeviceFlow = "github.copilot.finishDeviceFlow"

const Document = Schema.Struct({ uri: Schema.String, version: Schema.Finite })
const Opened = Schema.Struct({ textDocument: Schema.Struct({ ...Document.fields, text: Schema.String }) })
const Changed = Schema.Struct({
  textDocument: Document,
  contentChanges: Schema.Array(Schema.Struct({ range: Schema.optionalKey(Positions.Range), text: Schema.String }))
})
const Closed = Schema.Struct({ textDocument: Schema.Struct({ uri: Schema.String }) })
const Asked = Schema.Struct({ textDocument: Document, position: Positions.Position })
const Command = Schema.Struct({ command: Schema.String })

const read = <A>(schema: Schema.Codec<A, unknown>, params: unknown): Effect.Effect<A, RpcError> =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(params), (error) => RpcError.invalidParams(String(error)))

const main = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const documents = new Map<string, { readonly version: number; readonly lines: Positions.Lines }>()
  let signedIn = !flags.has("--signed-out")
  let ids = 0

  const handlersOf = (peer: JsonRpcPeer): LspPeer.Handlers<never> => {
    const status = Effect.suspend(() =>
      Effect.ignore(
        peer.notify("didChangeStatus", {
          busy: false,
          kind: signedIn ? "Normal" : "Error",
          message: signedIn ? "" : "You are not signed into GitHub."
        })
      )
    )

    const edits = Effect.fnUntraced(function* (params: unknown) {
      const { position, textDocument } = yield* read(Asked, params)
      if (flags.has("--dies")) process.exit(3)
      if (flags.has("--slow")) return yield* Effect.never
      if (!signedIn) {
        return yield* new RpcError({ code: notSignedIn, message: "Not authenticated: NotSignedIn" })
      }
      const document = documents.get(textDocument.uri)
      if (document === undefined) return yield* RpcError.invalidParams(`${textDocument.uri} is not open`)
      if (document.version !== textDocument.version) return { edits: [] }
      return {
        edits: Corrections.of(document.lines, position).map(({ range, text }) => {
          ids += 1
          const command = { title: "Accept inline edit", command: accepted, arguments: [`edit-${ids}`] }
          const version = textDocument.version - (flags.has("--stale") ? 1 : 0)
          return { text, range, textDocument: { ...textDocument, version }, command }
        })
      }
    })

    const execute = Effect.fnUntraced(function* (params: unknown) {
      const { command } = yield* read(Command, params)
      if (command === accepted) return null
      if (command !== finishDeviceFlow) return yield* RpcError.invalidParams(`Unknown command: ${command}`)
      yield* Effect.ignore(peer.call("window/showDocument", { uri: "https://github.com/login/device", external: true }))
      signedIn = true
      yield* status
      return { status: "OK", user: "octocat" }
    })

    const requests: ReadonlyArray<readonly [string, LspPeer.OnRequest<never>]> = [
      [
        "initialize",
        () =>
          Effect.succeed({
            capabilities: {
              textDocumentSync: { openClose: true, change: 2 },
              executeCommandProvider: { commands: [accepted, finishDeviceFlow] }
            },
            serverInfo: { name: "Stand-in for GitHub Copilot Language Server", version: "1.539.0" }
          })
      ],
      ["textDocument/copilotInlineEdit", edits],
      ["workspace/executeCommand", execute],
      [
        "signIn",
        () =>
          Effect.succeed(
            signedIn
              ? { status: "AlreadySignedIn", user: "octocat" }
              : {
                  userCode: "ABCD-EFGH",
                  command: { command: finishDeviceFlow, arguments: [], title: "Sign in" }
                }
          )
      ],
      ["shutdown", () => Effect.succeed(null)]
    ]
    const change = Effect.fnUntraced(function* (params: unknown) {
      const { contentChanges, textDocument } = yield* read(Changed, params)
      const before = documents.get(textDocument.uri)
      if (before === undefined) return
      documents.set(textDocument.uri, { version: textDocument.version, lines: before.lines.change(contentChanges) })
    })
    const notifications: ReadonlyArray<readonly [string, (params: unknown) => Effect.Effect<void, RpcError>]> = [
      ["initialized", () => status],
      [
        "textDocument/didOpen",
        (params) =>
          Effect.map(read(Opened, params), ({ textDocument: { text, uri, version } }) => {
            documents.set(uri, { version, lines: Positions.of(text) })
          })
      ],
      ["textDocument/didChange", change],
      [
        "textDocument/didClose",
        (params) => Effect.map(read(Closed, params), ({ textDocument }) => void documents.delete(textDocument.uri))
      ],
      ["textDocument/didFocus", () => Effect.void],
      ["textDocument/didShowInlineEdit", () => Effect.void],
      ["workspace/didChangeConfiguration", () => Effect.void],
      ["exit", () => Effect.sync(() => process.exit(0))]
    ]
    return {
      requests: new Map(requests),
      notifications: new Map(notifications.map(([method, take]) => [method, (params) => Effect.orDie(take(params))]))
    }
  }

  const output = stdio.stdout({ endOnDone: false })
  const peer = yield* LspPeer.make({ input: stdio.stdin, output }, handlersOf, {
    tap: {
      onLine: (direction, line) => {
        if (log !== undefined && direction === "in") appendFileSync(log, `${line}\n`)
      }
    }
  })
  yield* peer.closed
})

main.pipe(Effect.scoped, Effect.provide(NodeServices.layer), NodeRuntime.runMain)
