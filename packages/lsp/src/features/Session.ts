/** A running server as questions see it. All places are counted in UTF-16 here. */
import type { PositionEncoding } from "@signalbox/acp/Positions"
import type * as Effect from "effect/Effect"
import type { Document } from "../documents/Document.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"

/** Hears that parts of a server's answer were malformed: `count` of them were left out. */
export type OnMalformed = (method: string, count: number, sample: string) => void

export interface Session {
  /** The server's options of a method, for this document. Undefined if it does not offer it. */
  readonly offer: (method: string, document?: Document) => unknown
  /** Gives the server the text of a file as it is now. */
  readonly send: (path: string) => Effect.Effect<Document, LanguageServerError>
  /** Gives the server another text of a file, until it gets that file's own again by `send`. */
  readonly suppose: (path: string, text: string) => Effect.Effect<Document, LanguageServerError>
  /** Whether the server still has this text of the file. */
  readonly has: (document: Document) => boolean
  /** Asks. Fails with `Unsupported` unless the server offers the method. */
  readonly ask: (method: string, params: object, document?: Document) => Effect.Effect<unknown, LanguageServerError>
  /** Asks by a method that the protocol doesn't have, whether it is declared or not. */
  readonly askAnyway: (
    method: string,
    params: unknown,
    document?: Document
  ) => Effect.Effect<unknown, LanguageServerError>
  /** How the server counts characters. Only numbers without a position, such as those of tokens, are still counted so. */
  readonly encoding: PositionEncoding
  readonly onMalformed: OnMalformed
  readonly malformed: (method: string, why: string) => LanguageServerError
}

/** Asks the server that runs now, as soon as it is ready. A question that has no effect is asked again after a crash. */
export type Asking = <A>(
  question: (session: Session) => Effect.Effect<A, LanguageServerError>,
  options?: {
    /** Whether the question may change something, so that it is never asked twice. */
    readonly once?: boolean
    /** Whether no other question may be open meanwhile, since the server has a text that nobody has. */
    readonly alone?: boolean
  }
) => Effect.Effect<A, LanguageServerError>
