/**
 * A session of next edit suggestions, beside the chats of a connection. It reports documents as far as the agent wants
 * them. Each suggestion is accepted or rejected exactly once (`NesSchema`).
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { AcpClient } from "./AcpClient.ts"
import { CapabilityMissing, InvalidRequest, MalformedResult, type RequestFailure } from "./AcpError.ts"
import type { ConnectionClosed } from "./JsonRpc.ts"
import * as Lenient from "./Lenient.ts"
import * as NesSchema from "./NesSchema.ts"
import type { Position, PositionEncoding, Range } from "./Positions.ts"

type Told = Effect.Effect<void, ConnectionClosed | InvalidRequest>

export interface NesSession {
  readonly encoding: PositionEncoding
  /**
   * Reports an opened document. The document is always remembered, but events that the agent does not want are not
   * sent.
   */
  readonly didOpen: (document: {
    readonly uri: string
    readonly languageId: string
    readonly version: number
    readonly text: string
  }) => Told
  /**
   * Reports a changed document: its whole text, and the changes in order. Each change applies to the result of the one
   * before. The agent gets the form that it wants.
   */
  readonly didChange: (document: {
    readonly uri: string
    readonly version: number
    readonly text: string
    readonly changes: ReadonlyArray<{ readonly range: Range; readonly text: string }>
  }) => Told
  readonly didClose: (uri: string) => Told
  readonly didSave: (uri: string) => Told
  readonly didFocus: (focus: {
    readonly uri: string
    readonly position: Position
    readonly visibleRange: Range
  }) => Told
  /**
   * Suggestions of the offered kinds. If the document has changed in the meantime there are none, and the agent's ones
   * are rejected as `cancelled`. Interrupting the caller cancels the request.
   */
  readonly suggest: (
    request: NesSchema.SuggestRequest
  ) => Effect.Effect<ReadonlyArray<NesSchema.Suggestion>, RequestFailure>
  readonly accept: (id: string) => Told
  readonly reject: (id: string, reason: NesSchema.RejectReason) => Told
}

/** Time that an agent has to end a session. */
const closeGrace = "2 seconds"

type Client = Pick<AcpClient, "extRequest" | "extNotification" | "agentCapabilities">

const readAgent = Lenient.reader(NesSchema.AgentCapabilities)
const readStart = Lenient.reader(NesSchema.StartResponse)
const readSuggest = Lenient.reader(NesSchema.SuggestResponse)

const answer = <A>(method: string, result: unknown, read: Lenient.Reader<A>): Effect.Effect<A, MalformedResult> => {
  const reading = read(result)
  return Result.isSuccess(reading)
    ? Effect.succeed(reading.success.value)
    : Effect.fail(new MalformedResult({ method, message: reading.failure, result }))
}

/** The encoding of positions that the agent chose. It must be one of the offered ones. */
const encodingOf = (
  asked: unknown,
  { positionEncodings }: NesSchema.Offer
): Effect.Effect<PositionEncoding, MalformedResult> => {
  if (asked === undefined || asked === null) return Effect.succeed("utf-16")
  const known = (["utf-16", ...positionEncodings] as const).find((encoding) => encoding === asked)
  if (known !== undefined) return Effect.succeed(known)
  const message = `positionEncoding: ${JSON.stringify(asked)} was not offered`
  return Effect.fail(new MalformedResult({ method: "initialize", message, result: asked }))
}

/**
 * Starts a session. Closing the scope ends it. `offer`: the offer of `initialize`. Fails with `AuthRequired` if the
 * agent needs a sign-in first.
 */
export const start = Effect.fnUntraced(function* (
  client: Client,
  offer: NesSchema.Offer,
  request: NesSchema.StartRequest = {}
): Effect.fn.Return<NesSession, RequestFailure, Scope.Scope> {
  const agent = yield* answer("initialize", client.agentCapabilities() ?? {}, readAgent)
  if (!agent.nes) return yield* new CapabilityMissing({ method: "nes/start", capability: "nes" })
  const { context, events } = agent.nes
  const encoding = yield* encodingOf(agent.positionEncoding, offer)
  const { sessionId } = yield* Effect.flatMap(client.extRequest("nes/start", request), (result) =>
    answer("nes/start", result, readStart)
  )
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.timeoutOption(client.extRequest("nes/close", { sessionId }), closeGrace))
  )

  const versions = new Map<string, number>()
  const open = new Set<string>()
  const wants = events?.document ?? {}

  const invalid = (method: string, message: string) => Effect.fail(new InvalidRequest({ method, message }))
  const tell = (method: string, params: object) => client.extNotification(method, { sessionId, ...params })
  /** Sends an event about an open document, if the agent wants it. */
  const event = (method: string, uri: string, wanted: unknown, params: object): Told =>
    Effect.suspend(() => {
      if (!versions.has(uri)) return invalid(method, `${uri} is not open`)
      return wanted ? tell(method, { uri, ...params }) : Effect.void
    })

  /** Ends a suggestion. Fails if it has ended already. */
  const end = (method: string, id: string, params: object): Told =>
    Effect.suspend(() =>
      open.delete(id) ? tell(method, { id, ...params }) : invalid(method, `${id} is no open suggestion`)
    )

  const didChange: NesSession["didChange"] = ({ changes, text, uri, version }) =>
    Effect.suspend(() => {
      const method = "document/didChange"
      const before = versions.get(uri)
      if (before !== undefined && version <= before) return invalid(method, `Version ${version} is not after ${before}`)
      const contentChanges = wants.didChange?.syncKind === "incremental" ? changes : [{ text }]
      const told = event(method, uri, wants.didChange, { version, contentChanges })
      if (before !== undefined) versions.set(uri, version)
      return told
    })

  const suggest: NesSession["suggest"] = Effect.fnUntraced(function* (given) {
    const method = "nes/suggest"
    const { uri } = given
    const version = versions.get(uri)
    if (version === undefined) return yield* invalid(method, `${uri} is not open`)
    const wanted = given.context && contextFor(context ?? {}, given.context)
    const params = { sessionId, ...given, version, ...(wanted && { context: wanted }) }
    const result = yield* client.extRequest(method, params)
    const { suggestions } = yield* answer(method, result, readSuggest)
    const shown = suggestions.filter(({ kind }) => kind === "edit" || offer.nes[kind] !== undefined)
    for (const { id } of shown) open.add(id)
    if (versions.get(uri) === version) return shown
    yield* Effect.forEach(shown, ({ id }) => end("nes/reject", id, { reason: "cancelled" }), { discard: true })
    return []
  })

  return {
    encoding,
    didOpen: ({ languageId, text, uri, version }) =>
      Effect.suspend(() => {
        versions.set(uri, version)
        return event("document/didOpen", uri, wants.didOpen, { languageId, version, text })
      }),
    didChange,
    didClose: (uri) =>
      Effect.suspend(() => {
        const told = event("document/didClose", uri, wants.didClose, {})
        return Effect.tap(told, () => Effect.sync(() => versions.delete(uri)))
      }),
    didSave: (uri) => event("document/didSave", uri, wants.didSave, {}),
    didFocus: ({ position, uri, visibleRange }) =>
      event("document/didFocus", uri, wants.didFocus, { version: versions.get(uri), position, visibleRange }),
    suggest,
    accept: (id) => end("nes/accept", id, {}),
    reject: (id, reason) => end("nes/reject", id, { reason })
  }
})

type Wanted = NonNullable<NesSchema.Capabilities["context"]>

/** The parts of the context that the agent wants, up to its limits. */
const contextFor = (wanted: Wanted, given: NesSchema.Context): NesSchema.Context => {
  const first = <A>(
    list: ReadonlyArray<A> | undefined,
    want: { readonly maxCount?: number | null } | null | undefined
  ) => (want ? list?.slice(0, want.maxCount ?? undefined) : undefined)
  const recentFiles = first(given.recentFiles, wanted.recentFiles)
  const relatedSnippets = first(given.relatedSnippets, wanted.relatedSnippets)
  const editHistory = first(given.editHistory, wanted.editHistory)
  const userActions = first(given.userActions, wanted.userActions)
  const openFiles = first(given.openFiles, wanted.openFiles)
  const diagnostics = first(given.diagnostics, wanted.diagnostics)
  return {
    ...(recentFiles && { recentFiles }),
    ...(relatedSnippets && { relatedSnippets }),
    ...(editHistory && { editHistory }),
    ...(userActions && { userActions }),
    ...(openFiles && { openFiles }),
    ...(diagnostics && { diagnostics })
  }
}
