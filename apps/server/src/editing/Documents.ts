/** The documents that an editor has open: plain data, changed in order by one owner. */
import type { Change, Lines, Position, Range } from "@signalbox/acp/Positions"
import type { NesSession } from "@signalbox/acp/Nes"
import type { Context } from "@signalbox/acp/NesSchema"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * A document was reported in a way that can't be followed.
 *
 * - `notOpen`: it is not open.
 * - `stale`: its version does not rise.
 * - `tooMany`: too many documents are open.
 * - `elsewhere`: another editor has opened it since.
 */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  uri: Schema.String,
  reason: Schema.Literals(["notOpen", "stale", "tooMany", "elsewhere"]),
  message: Schema.String
}) {}

export interface OpenedDocument {
  readonly uri: string
  readonly languageId: string
  readonly version: number
  readonly text: string
  /** The editor that has it. Another one may open it too, and has it from then on. */
  readonly editor?: string | undefined
}

export interface Document extends Omit<OpenedDocument, "text"> {
  readonly lines: Lines
  /** When its text was reported, in milliseconds since 1970. */
  readonly atMs: number
  /** Why it is not sent to the agent; undefined if it is sent. */
  readonly withheld: string | undefined
  /** The last place and the visible part, if the editor has reported them. */
  readonly focus: { readonly position: Position; readonly visibleRange: Range; readonly atMs: number } | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

export type Diagnostic = NonNullable<Context["diagnostics"]>[number]

/** A change of a part of a text, in UTF-16 positions. Without a range it is the whole text. */
export type TextChange = Change

/** Takes what happens to the documents that are sent. Each event must end soon. */
export type DocumentFollower = {
  readonly [Event in "didChange" | "didClose" | "didFocus" | "didOpen" | "didSave"]: (
    ...about: Parameters<NesSession[Event]>
  ) => Effect.Effect<void>
}

/** Most characters of a document that is sent. */
export const longestText = 2 * 1024 * 1024
/** Most documents that are open at once. */
export const mostDocuments = 200

export const tooLong = "It is longer than 2 MiB."
