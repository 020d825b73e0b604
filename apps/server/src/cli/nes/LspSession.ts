/** `signalbox nes lsp` for one editor that has introduced itself: its documents, its questions, its commands. */
import { type RpcError, RpcError as Rpc } from "@signalbox/acp/JsonRpc"
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Position, Range } from "@signalbox/acp/Positions"
import type { OnNotification, OnRequest } from "@signalbox/lsp/LspPeer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type {
  CodeAction,
  Command,
  InlineCompletionList,
  InlineCompletionTriggerKind
} from "vscode-languageserver-protocol"
import { oneLine } from "../../base/Plain.ts"
import type { ProviderError } from "../../base/ProviderError.ts"
import type { Diagnostic, DocumentRefused } from "../../editing/Documents.ts"
import * as PatternSearch from "../../editing/PatternSearch.ts"
import type { Question } from "../../editing/SuggestionAnswer.ts"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import { actionKind, type LspClient } from "./LspClient.ts"
import * as LspCommands from "./LspCommands.ts"
import * as LspDocuments from "./LspDocuments.ts"
import { actionsOf, itemOf } from "./LspItems.ts"
import type { LspNotices } from "./LspNotices.ts"
import * as LspOffers from "./LspOffers.ts"
import * as Params from "./LspParams.ts"
import * as LspRest from "./LspRest.ts"
import { withoutPattern } from "./LspPatterns.ts"

export interface LspSession {
  readonly requests: ReadonlyMap<string, OnRequest<never>>
  readonly notifications: ReadonlyMap<string, OnNotification<never>>
}

export interface Options {
  readonly client: LspClient
  readonly desk: SuggestionDesk
  readonly notices: LspNotices
  readonly peer: Pick<JsonRpcPeer, "call">
  /** Runs what goes on beside an answer, until the session ends. */
  readonly later: (effect: Effect.Effect<void>) => void
}

/** A person has asked, in the numbers of the protocol. Otherwise the editor asks by itself. */
const invoked: InlineCompletionTriggerKind = 1

const severities: Readonly<Record<number, Diagnostic["severity"]>> = {
  1: "error",
  2: "warning",
  3: "information",
  4: "hint"
}

const readOpen = Params.reader(Params.DidOpen)
const readChange = Params.reader(Params.DidChange)
const readDocument = Params.reader(Params.OfDocument)
const readInline = Params.reader(Params.InlineCompletion)
const readActions = Params.reader(Params.CodeAction)

export const make = ({ client, desk, later, notices, peer }: Options): LspSession => {
  const offers = LspOffers.make()
  const rest = LspRest.make()
  const documents = LspDocuments.make(desk, offers)
  let focused: string | undefined
  /** The line of the latest question for each document. */
  const askedOn = new Map<string, number>()

  /** Asks, and remembers what the editor gets. */
  const ask = Effect.fnUntraced(function* (
    question: Question
  ): Effect.fn.Return<ReadonlyArray<Suggestion>, DocumentRefused | ProviderError> {
    const { position, uri } = question
    yield* documents.settle
    if (focused !== uri) {
      // Editors don't say what is in sight. The line of the caret certainly is.
      const line = { line: position.line, character: 0 }
      yield* desk.focus({ uri, position, visibleRange: { start: line, end: position } })
      focused = uri
    }
    const answer = yield* desk.suggest(question)
    switch (answer.type) {
      case "suggestions":
        notices.worked()
        rest.worked()
        yield* Effect.forEach(answer.dropped, ({ why }) => leftOut(why))
        return yield* taken(question, answer.suggestions)
      case "withheld":
        yield* notices.note(`There are no suggestions for ${oneLine(uri, 200)}: ${answer.why}`)
        return []
      case "overtaken":
      case "resting":
        return []
    }
  })

  const leftOut = (why: string) => notices.note(`A suggestion was left out: it ${why}.`)

  /** Keeps what the editor gets, unless the text has changed while a pattern was searched for. */
  const taken = Effect.fnUntraced(function* ({ position, uri }: Question, given: ReadonlyArray<Suggestion>) {
    const before = documents.get(uri)?.lines
    const matcher = PatternSearch.matcherForAnswer()
    const suggestions: Array<Suggestion> = []
    for (const suggestion of given) {
      const plain = yield* Effect.result(withoutPattern(suggestion, (each) => documents.get(each)?.lines, matcher))
      if (Result.isSuccess(plain)) suggestions.push(plain.success)
      else {
        yield* desk.reject(suggestion.id, "ignored")
        yield* leftOut(plain.failure)
      }
    }
    if (documents.get(uri)?.lines !== before) return []
    offers.put(uri, suggestions, documents.all())
    askedOn.set(uri, position.line)
    return suggestions
  })

  const offered = (uri: string): ReadonlyArray<Suggestion> => {
    const document = documents.get(uri)
    return document === undefined ? [] : offers.of(document)
  }

  /** An editor gets no error for a problem of the agent, which would be shown at each keystroke. */
  const asked = (question: Question): Effect.Effect<ReadonlyArray<Suggestion>, RpcError> =>
    ask(question).pipe(
      Effect.catchTag("ProviderError", (error) =>
        Effect.as(Effect.andThen(rest.failed(error.problem.code), notices.problem(error)), [])
      ),
      // The engine has refused a document that the editor has: the log has said why.
      Effect.catchTag("DocumentRefused", ({ message }) =>
        documents.get(question.uri) === undefined ? Effect.fail(Rpc.invalidParams(message)) : Effect.succeed([])
      )
    )

  const inline = Effect.fnUntraced(function* (params: unknown): Effect.fn.Return<InlineCompletionList, RpcError> {
    const { context, position, textDocument } = yield* readInline(params)
    const { uri } = textDocument
    const trigger = context?.triggerKind === invoked ? "manual" : "automatic"
    if (trigger === "automatic" && (yield* rest.leftMs) > 0) return { items: [] }
    const suggestions = yield* asked({ uri, position, trigger })
    const lines = documents.get(uri)?.lines
    if (lines === undefined) return { items: [] }
    return { items: suggestions.flatMap((suggestion) => itemOf(suggestion, lines, position) ?? []) }
  })

  const codeActions = Effect.fnUntraced(function* (
    params: unknown
  ): Effect.fn.Return<ReadonlyArray<CodeAction | Command>, RpcError> {
    const { context, range, textDocument } = yield* readActions(params)
    const { uri } = textDocument
    // An editor that asks for other kinds, e.g. when it saves, gets nothing, and no agent is asked.
    if (context.only?.some((kind) => kind === "" || kind === actionKind) === false) return []
    const isManual = context.triggerKind !== 2
    const caret: Position = range.end
    yield* diagnosed(uri, context.diagnostics ?? [])
    // An editor with completions in the line asks for those by itself, and so has asked already.
    const isKnown = offered(uri).length > 0 && askedOn.get(uri) === caret.line
    const isAsked = !client.hasInline || (isManual && !isKnown)
    const selection = isEmpty(range) ? {} : { selection: range }
    const leftMs = isAsked ? yield* rest.leftMs : 0
    if (leftMs > 0) {
      // Who has asked by a key gets a reason for the empty list.
      if (isManual) yield* notices.tell(`The agent did not answer in time. Ask again in ${Math.ceil(leftMs / 1000)} s.`)
      return []
    }
    const trigger = isManual ? "manual" : context.diagnostics?.some(isFinding) === true ? "diagnostic" : "automatic"
    const suggestions = isAsked ? yield* asked({ uri, position: caret, ...selection, trigger }) : offered(uri)
    const all = documents.all()
    return suggestions.flatMap((suggestion) =>
      actionsOf(suggestion, { caret: { uri, position: caret }, client, documents: all })
    )
  })

  /** The diagnostics at the caret: editors give a server no others. */
  const diagnosed = (uri: string, given: Diagnostics) =>
    Effect.ignore(
      desk.diagnose(
        { uri },
        given.map(({ message, range, severity }) => ({
          uri,
          range,
          message,
          severity: severities[severity ?? 1] ?? "error"
        }))
      )
    )

  /** What can't be followed is said in the log. No suggestion can come of it. */
  const heard = (effect: Effect.Effect<unknown, DocumentRefused | RpcError>): Effect.Effect<void> =>
    effect.pipe(
      Effect.asVoid,
      Effect.catch(({ message }) => notices.note(`A message of the editor is ignored: ${message}`))
    )

  return {
    requests: new Map<string, OnRequest<never>>([
      ["textDocument/inlineCompletion", inline],
      ["textDocument/codeAction", codeActions],
      [
        "workspace/executeCommand",
        (params) =>
          LspCommands.run(params, { client, documents, notices, offers, peer }, later).pipe(
            Effect.catchTag("DocumentRefused", ({ message }) => Effect.fail(Rpc.invalidParams(message)))
          )
      ]
    ]),
    notifications: new Map<string, OnNotification<never>>([
      [
        "textDocument/didOpen",
        (params) =>
          heard(
            Effect.gen(function* () {
              const { textDocument } = yield* readOpen(params)
              const why = yield* documents.open(textDocument)
              if (why !== undefined)
                yield* notices.note(`There are no suggestions for ${oneLine(textDocument.uri, 200)}: ${why}`)
            })
          )
      ],
      [
        "textDocument/didChange",
        (params) =>
          heard(
            Effect.flatMap(readChange(params), ({ contentChanges, textDocument: { uri, version } }) =>
              documents.change(uri, version ?? null, contentChanges.map(changeOf))
            )
          )
      ],
      [
        "textDocument/didClose",
        (params) =>
          heard(
            Effect.flatMap(readDocument(params), ({ textDocument: { uri } }) => {
              if (focused === uri) focused = undefined
              askedOn.delete(uri)
              return documents.close(uri)
            })
          )
      ],
      [
        "textDocument/didSave",
        (params) => heard(Effect.flatMap(readDocument(params), ({ textDocument: { uri } }) => documents.save(uri)))
      ]
    ])
  }
}

type Diagnostics = NonNullable<(typeof Params.CodeAction.Type)["context"]["diagnostics"]>

/** An error or a warning, which is a reason to ask. Without a severity it is an error. */
const isFinding = ({ severity }: Diagnostics[number]): boolean => (severity ?? 1) <= 2

const isEmpty = ({ end, start }: Range): boolean => start.line === end.line && start.character === end.character

const changeOf = ({ range, text }: { readonly range?: Range | undefined; readonly text: string }) =>
  range === undefined ? { text } : { range, text }
