/** `signalbox nes lsp` with the client of `vscode-languageserver-protocol`, which shares no code with the server. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import {
  CancellationTokenSource,
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  DidChangeTextDocumentNotification,
  ExecuteCommandRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  InlineCompletionRequest,
  InlineCompletionTriggerKind,
  LSPErrorCodes,
  ResponseError,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter
} from "vscode-languageserver-protocol/node"
import * as LspEditor from "./support/LspEditor.ts"
import { at, insertion, text } from "./support/LspWorkspace.ts"
import { start, temporaryFolder } from "./support/Signalbox.ts"
import * as Suggester from "./support/Suggester.ts"

const connected = Effect.fnUntraced(function* (script: (uri: string) => Suggester.Script) {
  const cwd = realpathSync(temporaryFolder("nes-lsp"))
  const uri = pathToFileURL(join(cwd, "a.ts")).href
  const agent = Suggester.make(script(uri))
  const running = yield* start(["nes", "lsp", "--agent", agent.line], { cwd, env: agent.env })
  const connection = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createProtocolConnection(new StreamMessageReader(running.stdout), new StreamMessageWriter(running.stdin))
    ),
    (one) => Effect.sync(() => one.dispose())
  )
  connection.listen()
  const rootUri = pathToFileURL(cwd).href
  const { capabilities } = yield* Effect.promise(() =>
    connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri, capabilities: LspEditor.inline })
  )
  yield* Effect.promise(async () => {
    await connection.sendNotification(InitializedNotification.type, {})
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "typescript", version: 1, text }
    })
  })
  const about = {
    textDocument: { uri },
    position: at(2, 15),
    context: { triggerKind: InlineCompletionTriggerKind.Invoked }
  }
  const leave = Effect.gen(function* () {
    yield* Effect.promise(async () => {
      await connection.sendRequest(ShutdownRequest.type)
      await connection.sendNotification(ExitNotification.type)
    })
    return yield* running.ended
  })
  return { about, agent, capabilities, connection, leave, uri }
})

describe("signalbox nes lsp with another client", { timeout: 60_000 }, () => {
  it.live("completes, takes what is accepted, and ends", () =>
    Effect.gen(function* () {
      const { about, agent, capabilities, connection, leave, uri } = yield* connected((uri) => ({
        answers: [[insertion(uri)]]
      }))
      assert.isTrue(capabilities.inlineCompletionProvider)
      const list = yield* Effect.promise(() => connection.sendRequest(InlineCompletionRequest.type, about))
      const [item, ...more] = Array.isArray(list) ? list : (list?.items ?? [])
      assert.deepStrictEqual(more, [])
      const { command, insertText, range } = item ?? assert.fail("Nothing was completed")
      yield* Effect.promise(async () => {
        await connection.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version: 2 },
          contentChanges: [
            { range: range ?? assert.fail(), text: typeof insertText === "string" ? insertText : insertText.value }
          ]
        })
        await connection.sendRequest(ExecuteCommandRequest.type, {
          command: command?.command ?? "",
          arguments: command?.arguments ?? []
        })
      })
      assert.strictEqual((yield* leave).code, 0)
      assert.strictEqual(agent.textOf(uri), text.replace("= tot\n", "= total + 1\n"))
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "insertion"], ["nes/close"]])
    })
  )

  it.live("takes back a question, and the agent learns that", () =>
    Effect.gen(function* () {
      const { about, agent, connection, leave } = yield* connected(() => ({ silent: ["nes/suggest"] }))
      const token = new CancellationTokenSource()
      const asking = connection.sendRequest(InlineCompletionRequest.type, about, token.token).then(
        () => undefined,
        (error: unknown) => error
      )
      yield* agent.hears("nes/suggest")
      token.cancel()
      const error = yield* Effect.promise(() => asking)
      assert.strictEqual(error instanceof ResponseError ? error.code : error, LSPErrorCodes.RequestCancelled)
      yield* agent.hears("$/cancel_request")
      assert.strictEqual((yield* leave).code, 0)
    })
  )
})
