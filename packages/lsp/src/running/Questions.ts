/** Asks a server: places in its encoding, errors in words, stale answers asked for again, and never without a time limit. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import type { Lines, PositionEncoding } from "@signalbox/acp/Positions"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Document } from "../documents/Document.ts"
import type { DocumentStore } from "../documents/DocumentStore.ts"
import * as FileText from "../documents/FileText.ts"
import * as Sliced from "../features/Sliced.ts"
import * as FileUri from "../FileUri.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import { secondsOf } from "./Connection.ts"
import type { Delivery } from "./Delivery.ts"
import * as Encoding from "./Encoding.ts"
import type { Limits } from "./Limits.ts"
import type { Registrations } from "./Registrations.ts"
import type { SentDocuments } from "./SentDocuments.ts"

export interface Parts {
  readonly name: string
  readonly peer: JsonRpcPeer
  readonly limits: Limits
  readonly encoding: PositionEncoding
  readonly registrations: Registrations
  readonly sent: SentDocuments
  readonly store: DocumentStore
  readonly delivery: Delivery
  /** Says how the program ended, once it has. */
  readonly ended: Effect.Effect<string>
  /** Gives the server the text anew that a question is about. */
  readonly again: (document: Document) => Effect.Effect<void, LanguageServerError>
  readonly failure: (reason: LanguageServerError["reason"], message: string, code?: number) => LanguageServerError
}

export interface Questions {
  readonly ask: (method: string, params: object, document?: Document) => Effect.Effect<unknown, LanguageServerError>
  readonly askAnyway: (
    method: string,
    params: unknown,
    document?: Document
  ) => Effect.Effect<unknown, LanguageServerError>
  /** Counts the places of a message of the server in UTF-16. */
  readonly fromServer: (message: unknown, asked?: string) => Effect.Effect<unknown>
}

const methodNotFound = -32601
/** The document was changed while the server worked on it. */
const contentModified = -32801
const serverCancelled = -32802

/** Most times that one question is asked, if changes overtake its answers. */
const mostTries = 4

const isOvertaken = ({ code, data }: RpcError): boolean =>
  code === contentModified ||
  (code === serverCancelled && Predicate.isObject(data) && data["retriggerRequest"] === true)

export const make = (parts: Parts): Questions => {
  const { delivery, encoding, ended, failure, limits, name, peer, registrations, sent, store } = parts

  /** The text that the server has of a file, or that of the disk. */
  const textOf = (uri: string): Effect.Effect<Lines | undefined> => {
    const path = FileUri.pathOf(uri)
    if (path === undefined) return Effect.succeed(undefined)
    const known = sent.of(path) ?? store.seen(path)
    if (known !== undefined) return Effect.succeed(known.lines)
    return FileText.read(path).pipe(
      Effect.map((file) => file && Positions.of(file.text)),
      Effect.orElseSucceed(() => undefined)
    )
  }

  const converted = Effect.fnUntraced(function* (
    message: unknown,
    from: PositionEncoding,
    to: PositionEncoding,
    asked: string | undefined
  ) {
    if (encoding === "utf-16") return message
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const uris = new Set(yield* Sliced.flatMap(parts, (part) => [...Encoding.urisIn(part)]))
    if (asked !== undefined) uris.add(asked)
    const texts = new Map<string, Lines | undefined>()
    for (const uri of uris) texts.set(uri, yield* textOf(uri))
    const conversion = { from, to, textOf: (uri: string) => texts.get(uri), asked }
    if (!Array.isArray(message)) return Encoding.converted(message, conversion)
    return yield* Sliced.flatMap(parts, (item) => [Encoding.converted(item, conversion)])
  })

  const refused = (method: string, { code, message, unread }: RpcError): LanguageServerError => {
    if (unread === true) return failure("Malformed", `The answer of ${name} to ${method} can't be read: ${message}.`)
    const reason = code === methodNotFound ? "Unsupported" : "Refused"
    return failure(reason, `${name} answered ${method} with an error: ${message} (${code}).`, code)
  }

  const once = (method: string, params: unknown) =>
    Effect.suspend(() => {
      const answered = delivery.asked()
      return peer.call(method, params, {
        onResponse: (_, line) => Effect.sync(() => line !== undefined && answered())
      })
    })

  /** Asks until no change comes in between. The server gets the text anew before each further try. */
  const tried = (
    method: string,
    params: unknown,
    document: Document | undefined,
    left: number
  ): Effect.Effect<unknown, LanguageServerError> =>
    Effect.catchTags(once(method, params), {
      RpcError: (error) =>
        isOvertaken(error) && left > 1
          ? Effect.sleep(`${50 * (mostTries - left + 1)} millis`).pipe(
              Effect.andThen(document === undefined ? Effect.void : parts.again(document)),
              Effect.andThen(Effect.suspend(() => tried(method, params, document, left - 1)))
            )
          : Effect.fail(refused(method, error)),
      ConnectionClosed: () =>
        Effect.flatMap(ended, (words) =>
          Effect.fail(failure("Ended", `${name} ended while ${method} was open. ${words} It is started again.`))
        )
    })

  const askAnyway: Questions["askAnyway"] = (method, params, document) =>
    Effect.gen(function* () {
      const asked = document?.uri
      const given = yield* converted(params, "utf-16", encoding, asked)
      return yield* converted(yield* tried(method, given, document, mostTries), encoding, "utf-16", asked)
    }).pipe(
      Effect.timeoutOrElse({
        duration: limits.answer,
        orElse: () =>
          Effect.fail(
            failure(
              "TimedOut",
              `${name} did not answer ${method} within ${secondsOf(limits.answer)}. The question was cancelled. Ask again, or restart the server.`
            )
          )
      })
    )

  return {
    askAnyway,
    ask: (method, params, document) =>
      Effect.suspend(() =>
        registrations.offer(method, document) === undefined
          ? Effect.fail(failure("Unsupported", `${name} does not offer ${method}.`))
          : askAnyway(method, params, document)
      ),
    fromServer: (message, asked) => converted(message, encoding, "utf-16", asked)
  }
}
