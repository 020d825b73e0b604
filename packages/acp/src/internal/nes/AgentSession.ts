/** One session of an agent: its documents, the requests that run, and the suggestions that nobody has decided on. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { SessionConfigOption, SetSessionConfigOptionRequest } from "../generated/v1.ts"
import { type ConnectionClosed, ErrorCode, RpcError } from "../rpc/JsonRpc.ts"
import { Lines } from "../text/Lines.ts"
import type { Position, PositionEncoding, Range } from "../text/Position.ts"
import * as AgentDocuments from "./AgentDocuments.ts"
import type { Document } from "./AgentDocuments.ts"
import * as Places from "./Places.ts"
import type * as NesSchema from "./Schema.ts"

/** What the author of an agent knows of a session. */
export interface Session {
  readonly id: string
  /** The workspace, as far as the client has named it. */
  readonly workspace: NesSchema.StartRequest
  /** The kinds of suggestions that the client can show. */
  readonly kinds: ReadonlySet<NesSchema.Kind>
  /** The documents that are open now, by URI. */
  readonly documents: ReadonlyMap<string, Document>
  /** Closes with the session. Work in the background belongs there: `Effect.forkIn(session.scope)`. */
  readonly scope: Scope.Scope
  /** Reports the session's options after a change that the client did not ask for. */
  readonly sendConfigOptions: (options: ReadonlyArray<SessionConfigOption>) => Effect.Effect<void, ConnectionClosed>
}

/** What the author of an agent provides for a session. */
export interface SessionHandlers<R> {
  readonly configOptions?: ReadonlyArray<SessionConfigOption> | undefined
  /** Sets an option, and answers with all of them. */
  readonly setConfigOption?:
    | ((request: SetSessionConfigOptionRequest) => Effect.Effect<ReadonlyArray<SessionConfigOption>, RpcError, R>)
    | undefined
  /** Answers a request. Interrupted if the client cancels it or closes the session. */
  readonly suggest: (request: SuggestRequest) => Effect.Effect<ReadonlyArray<Suggestion>, RpcError, R>
  /** Takes an event, in order. Messages behind it wait. */
  readonly onEvent?: ((event: Event) => Effect.Effect<void, never, R>) | undefined
  /** Takes the end of a suggestion, in order. */
  readonly onEnd?: ((ended: Ended) => Effect.Effect<void, never, R>) | undefined
}

/** A request for suggestions. Places count in UTF-16. */
export interface SuggestRequest {
  readonly uri: string
  readonly version: number
  readonly position: Position
  readonly selection: Range | undefined
  readonly triggerKind: NesSchema.TriggerKind
  /** The document: as it was synchronized, or as the context has it. Undefined if the agent wants neither. */
  readonly document: Document | undefined
  /** All documents as they were when the request came, by URI. */
  readonly documents: ReadonlyMap<string, Document>
  /** The context. Lists that the client did not send are empty. */
  readonly context: Required<NesSchema.Context>
}

type OptionalId<S> = S extends { readonly id: string } ? Omit<S, "id"> & { readonly id?: string } : never

/** A suggestion of an agent, in UTF-16. A missing id is assigned. */
export type Suggestion = OptionalId<NesSchema.Suggestion>

/** An event about a document. `document` is missing where the agent does not have it. */
export type Event =
  | { readonly type: "didOpen"; readonly uri: string; readonly document: Document }
  | ({ readonly type: "didChange"; readonly uri: string } & AgentDocuments.Changed)
  | { readonly type: "didClose"; readonly uri: string; readonly document: Document | undefined }
  | { readonly type: "didSave"; readonly uri: string; readonly document: Document | undefined }
  | {
      readonly type: "didFocus"
      readonly uri: string
      readonly document: Document | undefined
      readonly position: Position
      readonly visibleRange: Range
    }

/** The end of a suggestion. */
export interface Ended {
  readonly outcome: "accepted" | "rejected"
  /** Why it was rejected, if the client said so. */
  readonly reason: NesSchema.RejectReason | undefined
  readonly id: string
  readonly suggestion: Suggestion
}

export interface AgentOptions<R> {
  /**
   * Reads a text that the client has not opened. Places in it are counted again if the client does not count in UTF-16.
   * Suggestions whose text nobody knows are not sent then.
   */
  readonly textOf?: ((uri: string) => Effect.Effect<string | undefined, never, R>) | undefined
  /** Takes what was not sent or not understood, in words for a log. */
  readonly onProblem?: ((problem: string) => void) | undefined
}

type Params = typeof NesSchema.params
type ParamsOf<Method extends keyof Params> = Params[Method]["Type"]

export interface AgentSession<R> {
  readonly handlers: SessionHandlers<R>
  readonly suggest: (
    params: typeof NesSchema.WireSuggestRequest.Type
  ) => Effect.Effect<{ readonly suggestions: ReadonlyArray<NesSchema.Suggestion> }, RpcError, R>
  readonly setConfigOption: (
    params: SetSessionConfigOptionRequest
  ) => Effect.Effect<{ readonly configOptions: ReadonlyArray<SessionConfigOption> }, RpcError, R>
  readonly end: (
    id: string,
    outcome: Ended["outcome"],
    reason: NesSchema.RejectReason | undefined
  ) => Effect.Effect<void, never, R>
  readonly didOpen: (params: ParamsOf<"document/didOpen">) => Effect.Effect<void, never, R>
  readonly didChange: (params: ParamsOf<"document/didChange">) => Effect.Effect<void, never, R>
  readonly didClose: (params: ParamsOf<"document/didClose">) => Effect.Effect<void, never, R>
  readonly didSave: (params: ParamsOf<"document/didSave">) => Effect.Effect<void, never, R>
  readonly didFocus: (params: ParamsOf<"document/didFocus">) => Effect.Effect<void, never, R>
  /** Ends what runs, and closes the scope. */
  readonly close: Effect.Effect<void>
}

interface Setup extends Pick<Session, "id" | "kinds" | "scope" | "sendConfigOptions"> {
  readonly request: NesSchema.StartRequest
  readonly encoding: PositionEncoding
  readonly scope: Scope.Closeable
}

/** Most suggestions of a session that are remembered for their end. The oldest is forgotten first. */
const mostOpen = 1_000

export const make = Effect.fnUntraced(function* <R>(
  { encoding, id, kinds, request, scope, sendConfigOptions }: Setup,
  options: AgentOptions<R> & {
    readonly start: (session: Session) => Effect.Effect<SessionHandlers<R>, RpcError, R>
  }
): Effect.fn.Return<AgentSession<R>, RpcError, R> {
  const documents = AgentDocuments.make(encoding)
  const open = new Map<string, Suggestion>()
  const closed = Deferred.makeUnsafe<never, RpcError>()
  let lastNumber = 0
  const problem = (message: string) => options.onProblem?.(message)
  const handlers = yield* Effect.onError(
    options.start({ id, workspace: request, kinds, documents: documents.all, scope, sendConfigOptions }),
    () => Scope.close(scope, Exit.void)
  )

  const report = (event: Event): Effect.Effect<void, never, R> => handlers.onEvent?.(event) ?? Effect.void
  const placesOf = (known: ReadonlyMap<string, Document>) =>
    Places.between((uri) => known.get(uri)?.lines, encoding, "utf-16")

  const prepared = (params: typeof NesSchema.WireSuggestRequest.Type): Result => {
    const { context = {}, position, selection, triggerKind = "automatic", uri, version } = params
    const known = withRecent(documents.all, params)
    const document = known.get(uri)
    if (document !== undefined && document.version !== version) {
      return { wrong: `Version ${version} of ${uri} is not known: it is ${document.version} here` }
    }
    const places = placesOf(known)
    const at = places.position(uri, position)
    if (at === undefined) return { wrong: `The text of ${uri} is not known` }
    return {
      uri,
      version,
      position: at,
      selection: selection ? places.range(uri, selection) : undefined,
      triggerKind,
      document,
      documents: known,
      context: Places.withEmptyLists(Places.inContext(context ?? {}, places))
    }
  }

  const linesOf = Effect.fnUntraced(function* (uri: string, known: ReadonlyMap<string, Document>) {
    const lines = known.get(uri)?.lines
    if (lines !== undefined) return lines
    const text = yield* options.textOf?.(uri) ?? Effect.succeed(undefined)
    return text === undefined ? undefined : Lines.of(text)
  })

  const counted = Effect.fnUntraced(function* (suggestion: NesSchema.Suggestion, known: ReadonlyMap<string, Document>) {
    if (encoding === "utf-16" || suggestion.kind === "searchAndReplace") return suggestion
    const lines = yield* linesOf(suggestion.uri, known)
    return lines && Places.inSuggestion(suggestion, lines, "utf-16", encoding)
  })

  const sent = Effect.fnUntraced(function* (
    suggestion: Suggestion,
    known: ReadonlyMap<string, Document>
  ): Effect.fn.Return<NesSchema.Suggestion | undefined, never, R> {
    if (!kinds.has(suggestion.kind)) {
      problem(`The client can't show suggestions of the kind ${suggestion.kind}`)
      return undefined
    }
    const given = yield* counted({ ...suggestion, id: suggestion.id ?? `${id}-${lastNumber + 1}` }, known)
    if (given === undefined) {
      problem(`The text of ${suggestion.uri} is not known, so that places in it can't be counted`)
      return undefined
    }
    lastNumber += 1
    open.set(given.id, suggestion)
    const [oldest] = open.keys()
    if (open.size > mostOpen && oldest !== undefined) open.delete(oldest)
    return given
  })

  return {
    handlers,
    suggest: Effect.fnUntraced(function* (params) {
      const request = prepared(params)
      if ("wrong" in request) return yield* RpcError.invalidParams(request.wrong)
      const list = yield* Effect.raceFirst(handlers.suggest(request), Deferred.await(closed))
      const suggestions: Array<NesSchema.Suggestion> = []
      for (const suggestion of list) {
        const each = yield* sent(suggestion, request.documents)
        if (each !== undefined) suggestions.push(each)
      }
      return { suggestions }
    }),
    setConfigOption: (params) =>
      handlers.setConfigOption === undefined
        ? Effect.fail(RpcError.invalidParams(`${id} has no option ${params.configId}`))
        : Effect.map(handlers.setConfigOption(params), (configOptions) => ({ configOptions })),
    end: (id, outcome, reason) =>
      Effect.suspend(() => {
        const suggestion = open.get(id)
        if (!open.delete(id) || suggestion === undefined) return Effect.void
        return handlers.onEnd?.({ outcome, reason, id, suggestion }) ?? Effect.void
      }),
    didOpen: (params) =>
      Effect.suspend(() => {
        const document = documents.open(params)
        if (!("problem" in document)) return report({ type: "didOpen", uri: params.uri, document })
        problem(document.problem)
        return Effect.void
      }),
    didChange: (params) =>
      Effect.suspend(() => {
        const changed = documents.change(params)
        if (!("problem" in changed)) return report({ type: "didChange", uri: params.uri, ...changed })
        problem(changed.problem)
        return Effect.void
      }),
    didClose: ({ uri }) => Effect.suspend(() => report({ type: "didClose", uri, document: documents.close(uri) })),
    didSave: ({ uri }) => Effect.suspend(() => report({ type: "didSave", uri, document: documents.all.get(uri) })),
    didFocus: ({ position, uri, visibleRange }) =>
      Effect.suspend(() => {
        const places = placesOf(documents.all)
        const at = places.position(uri, position)
        const range = places.range(uri, visibleRange)
        const document = documents.all.get(uri)
        if (at !== undefined && range !== undefined) {
          return report({ type: "didFocus", uri, document, position: at, visibleRange: range })
        }
        problem(`The text of ${uri} is not known, so that the focus can't be counted`)
        return Effect.void
      }),
    close: Effect.suspend(() => {
      Deferred.doneUnsafe(
        closed,
        Exit.fail(new RpcError({ code: ErrorCode.RequestCancelled, message: `${id} is closed` }))
      )
      return Scope.close(scope, Exit.void)
    })
  }
})

type Result = SuggestRequest | { readonly wrong: string }

/** The documents, and the texts of the context beside them. */
const withRecent = (
  documents: ReadonlyMap<string, Document>,
  { context, uri: asked, version }: typeof NesSchema.WireSuggestRequest.Type
): ReadonlyMap<string, Document> => {
  const known = new Map(documents)
  for (const { languageId, text, uri } of context?.recentFiles ?? []) {
    const isAsked = uri === asked
    // Events bring the text up to date, except of a client that sends it with the question.
    if (known.has(uri) && !(isAsked && known.get(uri)?.version !== version)) continue
    known.set(uri, { uri, languageId, version: isAsked ? version : 0, lines: Lines.of(text) })
  }
  return known
}
