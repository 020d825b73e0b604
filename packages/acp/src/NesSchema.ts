/**
 * Schemas of next edit suggestions. They left the protocol in October 2026 and continue as a frozen extension.
 * Positions use the agreed encoding (`Positions`).
 */
import * as Schema from "effect/Schema"
import { Position, type PositionEncoding, Range } from "./Positions.ts"
import * as Wire from "./Wire.ts"

/** An offer without parameters: its presence is the offer. */
const offer = Wire.lenient(Schema.NullOr(Schema.Struct({})))
const counted = Wire.lenient(Schema.NullOr(Schema.Struct({ maxCount: Wire.lenient(Schema.NullOr(Wire.unsigned)) })))

/** The events and context that an agent wants. A member that is `null` or missing is not wanted. */
export const Capabilities = Schema.Struct({
  events: Wire.lenient(
    Schema.NullOr(
      Schema.Struct({
        document: Wire.lenient(
          Schema.NullOr(
            Schema.Struct({
              didOpen: offer,
              didChange: Wire.lenient(
                Schema.NullOr(Schema.Struct({ syncKind: Schema.Literals(["full", "incremental"]) }))
              ),
              didClose: offer,
              didSave: offer,
              didFocus: offer
            })
          )
        )
      })
    )
  ),
  context: Wire.lenient(
    Schema.NullOr(
      Schema.Struct({
        recentFiles: counted,
        relatedSnippets: offer,
        editHistory: counted,
        userActions: counted,
        openFiles: offer,
        diagnostics: offer
      })
    )
  )
})
export type Capabilities = typeof Capabilities.Type

/** The members of `agentCapabilities` about suggestions. */
export const AgentCapabilities = Schema.Struct({
  nes: Wire.lenient(Schema.NullOr(Capabilities)),
  positionEncoding: Schema.optionalKey(Schema.Unknown)
})

/** The kinds of suggestions beside `edit` that a client can show. */
export interface ClientCapabilities {
  readonly jump?: {}
  readonly rename?: {}
  readonly searchAndReplace?: {}
}

/** The members of `clientCapabilities` for a session of suggestions. */
export interface Offer {
  readonly nes: ClientCapabilities
  /** The encodings in order of preference. */
  readonly positionEncodings: ReadonlyArray<PositionEncoding>
}

const about = { id: Schema.String, uri: Schema.String }

export const Suggestion = Schema.Union([
  Schema.Struct({
    kind: Schema.tag("edit"),
    ...about,
    edits: Schema.Array(Schema.Struct({ range: Range, newText: Schema.String })),
    cursorPosition: Wire.lenient(Schema.NullOr(Position))
  }),
  Schema.Struct({ kind: Schema.tag("jump"), ...about, position: Position }),
  Schema.Struct({ kind: Schema.tag("rename"), ...about, position: Position, newName: Schema.String }),
  /** The URI may be a folder's. */
  Schema.Struct({
    kind: Schema.tag("searchAndReplace"),
    ...about,
    search: Schema.String,
    replace: Schema.String,
    isRegex: Wire.lenient(Schema.NullOr(Schema.Boolean))
  })
])
export type Suggestion = typeof Suggestion.Type

export const StartResponse = Schema.Struct({ sessionId: Schema.String })
export const SuggestResponse = Schema.Struct({ suggestions: Wire.skipInvalid(Suggestion) })

export interface StartRequest {
  readonly workspaceUri?: string | null
  readonly workspaceFolders?: ReadonlyArray<{ readonly uri: string; readonly name: string }> | null
  readonly repository?: { readonly name: string; readonly owner: string; readonly remoteUrl: string } | null
}

/** Context for a suggestion. Each list has the newest entry first, and is cut at its end. */
export interface Context {
  readonly recentFiles?: ReadonlyArray<{ readonly uri: string; readonly languageId: string; readonly text: string }>
  readonly relatedSnippets?: ReadonlyArray<{
    readonly uri: string
    readonly excerpts: ReadonlyArray<{ readonly startLine: number; readonly endLine: number; readonly text: string }>
  }>
  readonly editHistory?: ReadonlyArray<{ readonly uri: string; readonly diff: string }>
  readonly userActions?: ReadonlyArray<{
    readonly action: string
    readonly uri: string
    readonly position: Position
    /** Milliseconds since 1970. */
    readonly timestampMs: number
  }>
  readonly openFiles?: ReadonlyArray<{
    readonly uri: string
    readonly languageId: string
    readonly visibleRange?: Range
    readonly lastFocusedMs?: number
  }>
  readonly diagnostics?: ReadonlyArray<{
    readonly uri: string
    readonly range: Range
    readonly severity: "error" | "warning" | "information" | "hint"
    readonly message: string
  }>
}

/** A request for suggestions. The session adds `version` from its document. */
export interface SuggestRequest {
  readonly uri: string
  readonly position: Position
  readonly selection?: Range
  readonly triggerKind: "automatic" | "diagnostic" | "manual"
  readonly context?: Context
}

/**
 * Why a suggestion ended: `rejected` by a person, `ignored` by further typing, `replaced` by another one, or
 * `cancelled` as outdated.
 */
export type RejectReason = "rejected" | "ignored" | "replaced" | "cancelled"
