/**
 * Schemas of next edit suggestions. They left the protocol in October 2026 and continue as a frozen extension.
 * Positions use the agreed encoding (`Positions`).
 */
import * as Schema from "effect/Schema"
import { SessionConfigOption } from "../generated/v1.ts"
import * as Wire from "../schema/Wire.ts"
import { Position, PositionEncoding, Range } from "../text/Position.ts"

const optional = <S extends Schema.Top>(schema: S) => Wire.lenient(Schema.NullOr(schema))
const list = <S extends Schema.Top>(item: S) => optional(Wire.skipInvalid(item))
/** An offer without parameters: its presence is the offer. */
const offer = optional(Schema.Struct({}))
const counted = optional(Schema.Struct({ maxCount: optional(Wire.unsigned) }))

/** The events and context that an agent wants. A member that is `null` or missing is not wanted. */
export const Capabilities = Schema.Struct({
  events: optional(
    Schema.Struct({
      document: optional(
        Schema.Struct({
          didOpen: offer,
          didChange: optional(Schema.Struct({ syncKind: Schema.Literals(["full", "incremental"]) })),
          didClose: offer,
          didSave: offer,
          didFocus: offer
        })
      )
    })
  ),
  context: optional(
    Schema.Struct({
      recentFiles: counted,
      relatedSnippets: offer,
      editHistory: counted,
      userActions: counted,
      openFiles: offer,
      diagnostics: offer
    })
  )
})
export type Capabilities = typeof Capabilities.Type

/** The members of `agentCapabilities` about suggestions. */
export const AgentCapabilities = Schema.Struct({
  nes: optional(Capabilities),
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

/** The members of `clientCapabilities` about suggestions, as an agent reads them. */
export const ClientOffer = Schema.Struct({
  nes: optional(Schema.Struct({ jump: offer, rename: offer, searchAndReplace: offer })),
  positionEncodings: list(PositionEncoding)
})

const about = { id: Schema.String, uri: Schema.String }

export const Suggestion = Schema.Union([
  Schema.Struct({
    kind: Schema.tag("edit"),
    ...about,
    edits: Schema.Array(Schema.Struct({ range: Range, newText: Schema.String })),
    cursorPosition: optional(Position)
  }),
  Schema.Struct({ kind: Schema.tag("jump"), ...about, position: Position }),
  Schema.Struct({ kind: Schema.tag("rename"), ...about, position: Position, newName: Schema.String }),
  /** The URI may be a folder's. */
  Schema.Struct({
    kind: Schema.tag("searchAndReplace"),
    ...about,
    search: Schema.String,
    replace: Schema.String,
    isRegex: optional(Schema.Boolean)
  })
])
export type Suggestion = typeof Suggestion.Type
export type Kind = Suggestion["kind"]

export const StartRequest = Schema.Struct({
  workspaceUri: optional(Schema.String),
  workspaceFolders: list(Schema.Struct({ uri: Schema.String, name: Schema.String })),
  repository: optional(Schema.Struct({ name: Schema.String, owner: Schema.String, remoteUrl: Schema.String }))
})
/** The workspace that a session is about. It stays the same as long as the session. */
export type StartRequest = typeof StartRequest.Type

export const StartResponse = Schema.Struct({
  sessionId: Schema.String,
  configOptions: list(SessionConfigOption)
})
export const SuggestResponse = Schema.Struct({ suggestions: Wire.skipInvalid(Suggestion) })

const RecentFile = Schema.Struct({ uri: Schema.String, languageId: Schema.String, text: Schema.String })
const RelatedSnippet = Schema.Struct({
  uri: Schema.String,
  excerpts: Wire.skipInvalid(Schema.Struct({ startLine: Wire.unsigned, endLine: Wire.unsigned, text: Schema.String }))
})
const EditHistoryEntry = Schema.Struct({ uri: Schema.String, diff: Schema.String })
const UserAction = Schema.Struct({
  action: Schema.String,
  uri: Schema.String,
  position: Position,
  /** Milliseconds since 1970. */
  timestampMs: Schema.Finite
})
const OpenFile = Schema.Struct({
  uri: Schema.String,
  languageId: Schema.String,
  visibleRange: optional(Range),
  lastFocusedMs: optional(Schema.Finite)
})
const Diagnostic = Schema.Struct({
  uri: Schema.String,
  range: Range,
  severity: Schema.Literals(["error", "warning", "information", "hint"]),
  message: Schema.String
})

export const WireContext = Schema.Struct({
  recentFiles: list(RecentFile),
  relatedSnippets: list(RelatedSnippet),
  editHistory: list(EditHistoryEntry),
  userActions: list(UserAction),
  openFiles: list(OpenFile),
  diagnostics: list(Diagnostic)
})

/** Context for a suggestion. Each list has the newest entry first, and is cut at its end. */
export interface Context {
  readonly recentFiles?: ReadonlyArray<typeof RecentFile.Type>
  readonly relatedSnippets?: ReadonlyArray<typeof RelatedSnippet.Type>
  readonly editHistory?: ReadonlyArray<typeof EditHistoryEntry.Type>
  readonly userActions?: ReadonlyArray<typeof UserAction.Type>
  readonly openFiles?: ReadonlyArray<typeof OpenFile.Type>
  readonly diagnostics?: ReadonlyArray<typeof Diagnostic.Type>
}

const TriggerKind = Schema.Literals(["automatic", "diagnostic", "manual"])
/** The cause of a request: typing or moving, a diagnostic near the cursor, or a person's explicit wish. */
export type TriggerKind = typeof TriggerKind.Type

/** The parameters of `nes/suggest`. An unknown trigger counts as `automatic`. */
export const WireSuggestRequest = Schema.Struct({
  sessionId: Schema.String,
  uri: Schema.String,
  version: Wire.integer,
  position: Position,
  selection: optional(Range),
  triggerKind: Wire.lenient(TriggerKind),
  context: optional(WireContext)
})

/** A request for suggestions. The session adds `version` from its document. */
export interface SuggestRequest {
  readonly uri: string
  readonly position: Position
  readonly selection?: Range
  readonly triggerKind: TriggerKind
  readonly context?: Context
}

export const RejectReason = Schema.Literals(["rejected", "ignored", "replaced", "cancelled"])
/**
 * Why a suggestion ended: `rejected` by a person, `ignored` by further typing, `replaced` by another one, or
 * `cancelled` as outdated.
 */
export type RejectReason = typeof RejectReason.Type

const inSession = { sessionId: Schema.String }
const inDocument = { ...inSession, uri: Schema.String }

/** The parameters of the notifications and of the smaller requests, by their methods. */
export const params = {
  "nes/close": Schema.Struct(inSession),
  "nes/accept": Schema.Struct({ ...inSession, id: Schema.String }),
  "nes/reject": Schema.Struct({ ...inSession, id: Schema.String, reason: optional(RejectReason) }),
  "document/didOpen": Schema.Struct({
    ...inDocument,
    languageId: Schema.String,
    version: Wire.integer,
    text: Schema.String
  }),
  "document/didChange": Schema.Struct({
    ...inDocument,
    version: Wire.integer,
    contentChanges: Schema.Array(
      Schema.Struct({ range: Schema.optionalKey(Schema.NullOr(Range)), text: Schema.String })
    )
  }),
  "document/didClose": Schema.Struct(inDocument),
  "document/didSave": Schema.Struct(inDocument),
  "document/didFocus": Schema.Struct({
    ...inDocument,
    version: Wire.integer,
    position: Position,
    visibleRange: Range
  })
}
