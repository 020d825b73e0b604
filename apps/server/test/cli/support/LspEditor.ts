/** An editor that speaks the Language Server Protocol: a client of `signalbox nes lsp` with documents of its own. */
import { assert } from "@effect/vitest"
import type { CallFailure } from "@signalbox/acp/JsonRpc"
import * as Positions from "@signalbox/acp/Positions"
import * as LspPeer from "@signalbox/lsp/LspPeer"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { pathToFileURL } from "node:url"
import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  CodeAction,
  CodeActionParams,
  Command,
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
  ExecuteCommandParams,
  InitializeParams,
  InitializeResult,
  InlineCompletionItem,
  InlineCompletionList,
  InlineCompletionParams,
  ShowDocumentParams,
  ShowMessageParams,
  TextEdit,
  WorkspaceEdit
} from "vscode-languageserver-protocol"
import * as Signalbox from "./Signalbox.ts"

/** What this editor can do. */
export const inline: ClientCapabilities = {
  textDocument: {
    inlineCompletion: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } }
  },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
  window: { showDocument: { support: true } }
}

export const actionsOnly: ClientCapabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } }
}

export interface LspEditor {
  readonly running: Signalbox.Running
  readonly peer: LspPeer.LspPeer
  /** Messages that people see. */
  readonly messages: Queue.Dequeue<string>
  /** Lines of its log. */
  readonly notes: Queue.Dequeue<string>
  /** Places that it was asked to show. */
  readonly shown: Queue.Dequeue<ShowDocumentParams>
  readonly initialize: (capabilities: ClientCapabilities) => Effect.Effect<InitializeResult, CallFailure>
  readonly open: (uri: string, text: string) => Effect.Effect<void, CallFailure>
  /** Types: one change of the text, at the editor's own positions. */
  readonly change: (uri: string, edits: ReadonlyArray<TextEdit>) => Effect.Effect<void, CallFailure>
  /** Gives a document another text as a whole. */
  readonly replace: (uri: string, text: string) => Effect.Effect<void, CallFailure>
  readonly textOf: (uri: string) => string | undefined
  readonly complete: (
    uri: string,
    at: Positions.Position
  ) => Effect.Effect<ReadonlyArray<InlineCompletionItem>, CallFailure>
  readonly actions: (
    uri: string,
    at: Positions.Position,
    context?: Partial<CodeActionParams["context"]>
  ) => Effect.Effect<ReadonlyArray<CodeAction>, CallFailure>
  /** Asks for code actions as an editor that takes commands only. */
  readonly commands: (uri: string, at: Positions.Position) => Effect.Effect<ReadonlyArray<Command>, CallFailure>
  /** Does with a completion what editors do: replaces its range, and then runs its command. */
  readonly accept: (uri: string, item: InlineCompletionItem | undefined) => Effect.Effect<void, CallFailure>
  /** Does with a code action what editors do: applies its edit, and then runs its command. */
  readonly choose: (action: CodeAction | undefined) => Effect.Effect<void, CallFailure>
  readonly execute: (command: Command | undefined) => Effect.Effect<void, CallFailure>
  readonly close: (uri: string) => Effect.Effect<void, CallFailure>
  /** Leaves as the protocol says. Completes when the process has ended. */
  readonly leave: Effect.Effect<Signalbox.Ended, CallFailure>
}

// What the server sends, as the protocol's types. Tests hold the values against what they expect.
const placeOf = (params: unknown): ShowDocumentParams => copied(params)
const editOf = (params: unknown): ApplyWorkspaceEditParams => copied(params)
const messageOf = (params: unknown): ShowMessageParams => copied(params)
const initializedOf = (result: unknown): InitializeResult => copied(result)
const itemsOf = (result: unknown): InlineCompletionList => copied(result)
const actionsOf = (result: unknown): ReadonlyArray<CodeAction> => copied(result)
const commandsOf = (result: unknown): ReadonlyArray<Command> => copied(result)
const copied = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))

interface OpenDocument {
  readonly version: number
  readonly lines: Positions.Lines
}

const askingAt = (
  uri: string,
  at: Positions.Position,
  context?: Partial<CodeActionParams["context"]>
): CodeActionParams => ({
  textDocument: { uri },
  range: { start: at, end: at },
  context: { diagnostics: [], triggerKind: 1, ...context }
})

export const start = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  options: Signalbox.Options & { readonly cwd: string }
) {
  const running = yield* Signalbox.start(["nes", "lsp", ...args], options)
  const input = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  running.stdout.on("data", (chunk: Uint8Array) => Queue.offerUnsafe(input, chunk))
  running.stdout.on("end", () => Queue.endUnsafe(input))
  const messages = yield* Queue.unbounded<string>()
  const notes = yield* Queue.unbounded<string>()
  const shown = yield* Queue.unbounded<ShowDocumentParams>()
  const documents = new Map<string, OpenDocument>()

  const changeAll = ({ changes, documentChanges }: WorkspaceEdit) =>
    Effect.gen(function* () {
      for (const [uri, edits] of Object.entries(changes ?? {})) yield* change(uri, edits)
      for (const one of documentChanges ?? []) {
        if (!("textDocument" in one)) continue
        const { uri, version } = one.textDocument
        // An edit of another version is refused, as editors do.
        if (version !== documents.get(uri)?.version) return false
        yield* change(
          uri,
          one.edits.flatMap((edit) => ("newText" in edit ? [edit] : []))
        )
      }
      return true
    })

  const peer = yield* LspPeer.make(
    {
      input: Stream.fromQueue(input),
      output: Sink.forEach((chunk: Uint8Array) => Effect.sync(() => void running.stdin.write(chunk)))
    },
    () => ({
      requests: new Map<string, LspPeer.OnRequest<never>>([
        ["window/showDocument", (params) => Effect.as(Queue.offer(shown, placeOf(params)), { success: true })],
        [
          "workspace/applyEdit",
          (params) => Effect.map(Effect.orDie(changeAll(editOf(params).edit)), (applied) => ({ applied }))
        ]
      ]),
      notifications: new Map<string, LspPeer.OnNotification<never>>([
        ["window/showMessage", (params) => Queue.offer(messages, messageOf(params).message).pipe(Effect.asVoid)],
        ["window/logMessage", (params) => Queue.offer(notes, messageOf(params).message).pipe(Effect.asVoid)]
      ])
    })
  )
  const change: LspEditor["change"] = Effect.fnUntraced(function* (uri, edits) {
    const { lines, version } = documents.get(uri) ?? { lines: Positions.of(""), version: 0 }
    // From the last to the first: so each range is about the text as it is.
    const inOrder = edits.toSorted((one, other) => lines.offsetAt(other.range.start) - lines.offsetAt(one.range.start))
    documents.set(uri, { version: version + 1, lines: lines.edit(edits) })
    const params: DidChangeTextDocumentParams = {
      textDocument: { uri, version: version + 1 },
      contentChanges: inOrder.map(({ newText, range }) => ({ range, text: newText }))
    }
    yield* peer.notify("textDocument/didChange", params)
  })

  const execute: LspEditor["execute"] = (command) => {
    if (command === undefined) return Effect.die("There is no command")
    const params: ExecuteCommandParams = { command: command.command, arguments: command.arguments ?? [] }
    return Effect.asVoid(peer.call("workspace/executeCommand", params))
  }

  const editor: LspEditor = {
    running,
    peer,
    messages,
    notes,
    shown,
    initialize: Effect.fnUntraced(function* (capabilities) {
      const rootUri = pathToFileURL(options.cwd).href
      const params: InitializeParams = {
        processId: process.pid,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: "work" }],
        capabilities
      }
      const result = initializedOf(yield* peer.call("initialize", params))
      yield* peer.notify("initialized", {})
      return result
    }),
    open: (uri, text) => {
      documents.set(uri, { version: 1, lines: Positions.of(text) })
      const params: DidOpenTextDocumentParams = { textDocument: { uri, languageId: "typescript", version: 1, text } }
      return peer.notify("textDocument/didOpen", params)
    },
    change,
    replace: (uri, text) => {
      const version = (documents.get(uri)?.version ?? 0) + 1
      documents.set(uri, { version, lines: Positions.of(text) })
      const params: DidChangeTextDocumentParams = { textDocument: { uri, version }, contentChanges: [{ text }] }
      return peer.notify("textDocument/didChange", params)
    },
    textOf: (uri) => documents.get(uri)?.lines.text,
    complete: (uri, position) => {
      const params: InlineCompletionParams = { textDocument: { uri }, position, context: { triggerKind: 1 } }
      return Effect.map(peer.call("textDocument/inlineCompletion", params), (result) => itemsOf(result).items)
    },
    actions: (uri, at, context) =>
      Effect.map(peer.call("textDocument/codeAction", askingAt(uri, at, context)), actionsOf),
    commands: (uri, at) => Effect.map(peer.call("textDocument/codeAction", askingAt(uri, at)), commandsOf),
    accept: Effect.fnUntraced(function* (uri, item) {
      const { command, insertText, range } = item ?? {}
      if (range === undefined || typeof insertText !== "string") return yield* Effect.die("There is no such completion")
      yield* change(uri, [{ range, newText: insertText }])
      yield* execute(command)
    }),
    choose: Effect.fnUntraced(function* (action) {
      if (action === undefined) return yield* Effect.die("There is no such code action")
      const { command, edit } = action
      if (edit !== undefined && !(yield* changeAll(edit))) return
      if (command !== undefined) yield* execute(command)
    }),
    execute,
    close: (uri) => {
      documents.delete(uri)
      const params: DidCloseTextDocumentParams = { textDocument: { uri } }
      return peer.notify("textDocument/didClose", params)
    },
    leave: Effect.gen(function* () {
      yield* peer.call("shutdown", undefined)
      yield* peer.notify("exit", undefined)
      const ended = yield* running.ended
      // Anything but frames on standard output would have broken the connection before.
      assert.strictEqual((yield* peer.closed).reason, "InputEnded")
      return ended
    })
  }
  return editor
})
