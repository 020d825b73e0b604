/**
 * The client's role for next edit suggestions: sessions beside the chats of a connection. A session reports documents as
 * far as the agent wants them. Each suggestion is accepted or rejected exactly once (`NesSchema`).
 *
 * Callers give and get positions in UTF-16. The session has a copy of each document, and converts by it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { AcpClient, IncomingUpdate } from "./AcpClient.ts"
import { CapabilityMissing, MalformedResult, NotServed, type RequestFailure } from "./AcpError.ts"
import type { SessionConfigOption } from "./AcpSchema.ts"
import * as Admission from "./internal/nes/Admission.ts"
import * as ClientDocuments from "./internal/nes/ClientDocuments.ts"
import type { Told } from "./internal/nes/ClientDocuments.ts"
import * as ClientSuggestions from "./internal/nes/ClientSuggestions.ts"
import * as ConfigOptions from "./internal/nes/ConfigOptions.ts"
import * as RemoteUrl from "./internal/nes/RemoteUrl.ts"
import { ErrorCode } from "./JsonRpc.ts"
import type { CallOptions } from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import * as NesSchema from "./NesSchema.ts"
import type { PositionEncoding } from "./Positions.ts"

export type { Limits, Reason, Refusal } from "./internal/nes/Admission.ts"

export interface NesSession extends ClientDocuments.Events {
  readonly id: string
  /** The encoding on the wire. */
  readonly encoding: PositionEncoding
  /**
   * Suggestions that can be shown and applied. The others are refused, counted, and rejected to the agent. If the
   * document has changed in the meantime there are none. Interrupting the caller cancels the request.
   */
  readonly suggest: (
    request: NesSchema.SuggestRequest
  ) => Effect.Effect<ReadonlyArray<NesSchema.Suggestion>, RequestFailure>
  /** Ends a suggestion as accepted. Fails if it has ended already. */
  readonly accept: (id: string) => Told
  /** Ends a suggestion as not accepted. Fails if it has ended already. */
  readonly reject: (id: string, reason: NesSchema.RejectReason) => Told
  /** How many suggestions were refused, by reason. */
  readonly refused: ReadonlyMap<Admission.Reason, number>
  readonly configOptions: () => ReadonlyArray<SessionConfigOption>
  /** Sets an option, and answers with all of them. */
  readonly setConfigOption: (
    configId: string,
    value: string | boolean
  ) => Effect.Effect<ReadonlyArray<SessionConfigOption>, RequestFailure>
  /** Takes an update of the connection. True if it was about this session. */
  readonly take: (update: IncomingUpdate) => boolean
}

export interface Options {
  /**
   * Reads the text of a document that is not open, so that suggestions for it can be checked. Without an answer they are
   * refused as `notOpen`.
   */
  readonly textOf?: ((uri: string) => Effect.Effect<string | undefined>) | undefined
  /** Takes each refused suggestion, for a log. */
  readonly onRefused?: ((refusal: Admission.Refusal) => void) | undefined
  readonly limits?: Partial<Admission.Limits> | undefined
  /** The longest document in UTF-16 units. Default: 2 MiB. */
  readonly longestDocument?: number | undefined
}

/** Time that an agent has to end a session. */
const closeGrace = "2 seconds"

type Client = Pick<AcpClient, "extRequest" | "extNotification" | "agentCapabilities">

const readAgent = Lenient.reader(NesSchema.AgentCapabilities)
const readStart = Lenient.reader(NesSchema.StartResponse)

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

/** The workspace without credentials in the repository's address. */
const withoutCredentials = ({ repository, ...rest }: NesSchema.StartRequest): NesSchema.StartRequest => {
  if (!repository) return rest
  const remoteUrl = RemoteUrl.withoutCredentials(repository.remoteUrl)
  return remoteUrl === undefined ? rest : { ...rest, repository: { ...repository, remoteUrl } }
}

/** Makes a request. An agent that does not know its method only claims to have suggestions. */
const asking = (client: Client) => (method: string, params: object, options?: CallOptions) =>
  Effect.mapError(client.extRequest(method, params, options), (failure) => {
    if (failure._tag !== "RpcError" || failure.code !== ErrorCode.MethodNotFound) return failure
    const message = `The agent advertises nes, but does not know ${method}`
    return new NotServed({ code: failure.code, message, method, capability: "nes" })
  })

/** Asks the agent for a session. One that begins after its caller has gone is closed at once. */
const begin = (client: Client, request: NesSchema.StartRequest, close: (sessionId: string) => Effect.Effect<void>) =>
  Effect.uninterruptibleMask((restore) => {
    const method = "nes/start"
    let isAbandoned = false
    const onResponse: CallOptions["onResponse"] = (exit) => {
      const id = isAbandoned && Exit.isSuccess(exit) && Predicate.isObject(exit.value) ? exit.value["sessionId"] : ""
      return typeof id === "string" && id !== "" ? Effect.asVoid(Effect.forkDetach(close(id))) : Effect.void
    }
    return restore(asking(client)(method, withoutCredentials(request), { onResponse })).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          isAbandoned = true
        })
      ),
      Effect.flatMap((result) =>
        Effect.map(answer(method, result, readStart), ({ sessionId }) => ({
          sessionId,
          configOptions: ConfigOptions.read(result) ?? []
        }))
      ),
      Effect.tap(({ sessionId }) => Effect.addFinalizer(() => close(sessionId)))
    )
  })

/**
 * Starts a session. Closing the scope ends it. `offer`: the offer of `initialize`. Fails with `AuthRequired` if the
 * agent needs a sign-in first (`Authentication.retryOnce`). `NotServed`: the agent only claims to have suggestions.
 */
export const start = Effect.fnUntraced(function* (
  client: Client,
  offer: NesSchema.Offer,
  request: NesSchema.StartRequest = {},
  { limits, longestDocument = 2 * 1_048_576, onRefused, textOf }: Options = {}
): Effect.fn.Return<NesSession, RequestFailure, Scope.Scope> {
  const agent = yield* answer("initialize", client.agentCapabilities() ?? {}, readAgent)
  if (!agent.nes) return yield* new CapabilityMissing({ method: "nes/start", capability: "nes" })
  const { context, events } = agent.nes
  const encoding = yield* encodingOf(agent.positionEncoding, offer)
  const ask = asking(client)
  const close = (id: string) =>
    Effect.ignore(Effect.timeoutOption(client.extRequest("nes/close", { sessionId: id }), closeGrace))
  const { sessionId, ...begun } = yield* begin(client, request, close)
  let { configOptions } = begun

  const tell = (method: string, params: object) => client.extNotification(method, { sessionId, ...params })
  const suggestions = ClientSuggestions.make({
    wants: context ?? {},
    encoding,
    isOffered: (kind) => kind === "edit" || offer.nes[kind] !== undefined,
    documents: () => documents.all,
    ask: (params, options) => ask("nes/suggest", { sessionId, ...params }, options),
    tell,
    textOf,
    onRefused,
    limits: { ...Admission.defaultLimits, ...limits },
    scope: yield* Effect.scope
  })
  const documents = ClientDocuments.make({
    wants: events?.document ?? {},
    encoding,
    longest: longestDocument,
    tell,
    outdate: suggestions.outdate,
    leave: suggestions.leave
  })
  // Before the session is closed: finalizers run from the last to the first.
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(suggestions.leaveAll, closeGrace)))

  const takeOptions = (value: unknown) => {
    configOptions = ConfigOptions.read(value) ?? configOptions
    return configOptions
  }
  const { all: _, ...documentEvents } = documents
  const { accept, refused, reject, suggest } = suggestions
  return {
    id: sessionId,
    encoding,
    ...documentEvents,
    suggest,
    accept,
    reject,
    refused,
    configOptions: () => configOptions,
    setConfigOption: (configId, value) => {
      const setting = { sessionId, configId, ...(typeof value === "boolean" && { type: "boolean" }), value }
      return Effect.map(client.extRequest("session/set_config_option", setting), takeOptions)
    },
    take: (update) => {
      if (update.sessionId !== sessionId) return false
      if (Predicate.isObject(update.raw) && update.raw["sessionUpdate"] === "config_option_update")
        takeOptions(update.raw)
      return true
    }
  }
})
