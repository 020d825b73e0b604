/**
 * An ACP agent for next edit suggestions that asks Copilot's language server for them. Each session has a server of its own, with the
 * session's folders.
 */
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as NesAgent from "@signalbox/acp/NesAgent"
import type { Transport } from "@signalbox/acp/Transport"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { version } from "../base/Version.ts"
import * as CopilotServer from "./CopilotServer.ts"
import type * as CopilotWire from "./CopilotWire.ts"

export interface Options {
  /** Starts the language server; the scope ends it. */
  readonly start: Effect.Effect<CopilotServer.Started, RpcError, Scope.Scope>
  /** Takes a line for people. */
  readonly say: (words: string) => void
  /** Runs when the language server of a session has ended by itself, and what was asked of it is answered. Takes a sentence. */
  readonly onLost: (why: string) => Effect.Effect<void>
}

/** How long the answer to the last request may take. */
const lastAnswerGrace = "500 millis"

/** The id of the one way to sign in. */
const github = "github"

/** Most alternatives of an answer. The first one is the best. */
const most = 5

/** Makes the agent's end of a connection. */
export const make = Effect.fn("CopilotAgent.make")(function* <E>(
  transport: Transport<E>,
  options: Options
): Effect.fn.Return<AcpAgent.AcpAgent, never, Scope.Scope> {
  const handlersOf = yield* NesAgent.handlers(agentOf(options))
  return yield* AcpAgent.make(transport, (client) => handlersOf(client, chatsOf(options)))
})

/** A language server that was greeted, and is asked to end when the scope closes. */
const serverOf = Effect.fnUntraced(function* ({ say, start }: Options, workspaceFolders: CopilotServer.Folders) {
  const started = yield* start
  const server = yield* CopilotServer.make(started, { workspaceFolders, say })
  yield* Effect.addFinalizer(() => server.shutdown)
  return { ...server, ended: started.ended }
})

const chatsOf = (options: Options): NesAgent.Chats<never> => ({
  initialize: () =>
    Effect.succeed({
      protocolVersion: 1,
      agentInfo: { name: "copilot-suggestions", title: "GitHub Copilot suggestions", version },
      authMethods: [{ id: github, name: "GitHub", description: "Enter a code on github.com, in your browser." }]
    }),
  newSession: () =>
    Effect.fail(RpcError.invalidParams("This agent suggests edits only. Copilot's own agent is for prompts.")),
  authenticate: ({ methodId }) =>
    methodId === github
      ? Effect.as(Effect.scoped(signIn(options)), {})
      : Effect.fail(RpcError.invalidParams(`There is no way to sign in with the id ${methodId}`))
})

/** Completes when somebody is signed in. People see the code on standard error. */
const signIn = Effect.fnUntraced(function* (options: Options) {
  const server = yield* serverOf(options, [])
  const { command, userCode } = yield* server.signIn
  if (!userCode || !command) return
  options.say(`Enter the code ${userCode} at https://github.com/login/device`)
  // Its answer may come when the code was entered, or before.
  yield* server.execute(command)
  yield* server.untilSignedIn
})

const agentOf = (options: Options): NesAgent.NesAgent => ({
  wants: {
    events: { document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {}, didFocus: {} } }
  },
  encodings: ["utf-16"],
  onProblem: options.say,
  start: Effect.fnUntraced(function* ({ scope, workspace }) {
    const server = yield* Effect.provideService(serverOf(options, foldersOf(workspace)), Scope.Scope, scope)
    if (!(yield* server.isSignedIn)) return yield* CopilotServer.signInFirst
    const lost = Effect.flatMap(server.ended, (why) => Effect.delay(options.onLost(why), lastAnswerGrace))
    yield* Effect.forkIn(lost, scope)
    /** The server's commands for accepting a suggestion. */
    const commands = new WeakMap<NesAgent.Suggestion, CopilotWire.Command>()
    return {
      suggest: (request) => {
        const { position, uri, version } = request
        return Effect.map(server.edits({ uri, version, position }), (edits) =>
          edits
            .filter(isCurrent(request))
            .slice(0, most)
            .map((edit) => {
              const suggestion = suggestionOf(edit, uri)
              if (edit.command) commands.set(suggestion, edit.command)
              return suggestion
            })
        )
      },
      onEvent: (event) =>
        Effect.forEach(noticesOf(event), ([method, params]) => server.notify(method, params), { discard: true }),
      onEnd: Effect.fnUntraced(function* ({ outcome, reason, suggestion }) {
        const command = commands.get(suggestion)
        if (command === undefined || reason === "replaced" || reason === "cancelled") return
        // Whoever decided on it has seen it. Nothing is documented for one that was rejected.
        yield* server.notify("textDocument/didShowInlineEdit", { item: { command } })
        if (outcome !== "accepted") return
        // What the client says next does not wait for the server's answer.
        yield* Effect.forkIn(Effect.ignore(server.execute(command)), scope, { startImmediately: true })
      })
    }
  })
})

const foldersOf = ({ workspaceFolders, workspaceUri }: NesAgent.Session["workspace"]): CopilotServer.Folders => {
  if (workspaceFolders) return workspaceFolders
  return workspaceUri ? [{ uri: workspaceUri, name: workspaceUri.slice(workspaceUri.lastIndexOf("/") + 1) }] : []
}

/** Whether an edit is for the text of now. It need not say for which one it is. */
const isCurrent =
  ({ documents, version }: NesAgent.SuggestRequest) =>
  ({ textDocument }: CopilotWire.InlineEdit): boolean =>
    (textDocument?.version ?? undefined) === undefined ||
    textDocument?.version === (documents.get(textDocument?.uri ?? "")?.version ?? version)

/** Several edits of an answer are alternatives, so each is a suggestion. */
const suggestionOf = (
  { range, text, textDocument }: CopilotWire.InlineEdit,
  asked: string
): Extract<NesAgent.Suggestion, { readonly kind: "edit" }> => ({
  kind: "edit",
  uri: textDocument?.uri ?? asked,
  edits: [{ range, newText: text }]
})

type Notice = readonly [method: string, params: unknown]

/** An event of the client in the words of a language server. */
const noticesOf = (event: NesAgent.Event): ReadonlyArray<Notice> => {
  const { uri } = event
  switch (event.type) {
    case "didOpen": {
      const { languageId, lines, version } = event.document
      return [["textDocument/didOpen", { textDocument: { uri, languageId, version, text: lines.text } }]]
    }
    case "didChange": {
      const { version } = event.document
      return [["textDocument/didChange", { textDocument: { uri, version }, contentChanges: event.changes }]]
    }
    case "didClose":
      return [["textDocument/didClose", { textDocument: { uri } }]]
    case "didFocus":
      return [["textDocument/didFocus", { textDocument: { uri } }]]
    case "didSave":
      return []
  }
}
