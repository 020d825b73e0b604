/**
 * What stands in a recording: what people edited, whom they asked for suggestions, the answers and what became of them.
 * One JSON object a line. Only documents that may be sent are in it. Positions count in UTF-16.
 */
import * as NesSchema from "@signalbox/acp/NesSchema"
import { Position, Range } from "@signalbox/acp/Positions"
import * as Schema from "effect/Schema"

/** The version of the format. A reader takes this one and the earlier ones. */
export const format = 1

/** Most bytes of a recording. It stops there. */
export const mostBytes = 256 * 1024 * 1024
/** Most bytes of one line. */
export const longestLine = 64 * 1024 * 1024

/** Milliseconds since 1970. */
const at = { at: Schema.Finite }
const about = { ...at, uri: Schema.String }
const Version = Schema.Int

/** The first line. */
export const Begun = Schema.Struct({
  type: Schema.tag("recording"),
  ...at,
  format: Schema.Int,
  /** The version of Signalbox. */
  signalbox: Schema.String,
  /** Whom the settings or the command line name. */
  agent: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /** The folders of the workspace, absolute. */
  roots: Schema.NonEmptyArray(Schema.String)
})
export type Begun = typeof Begun.Type

const Change = Schema.Struct({ range: Schema.optionalKey(Range), text: Schema.String })

const Diagnostic = Schema.Struct({
  uri: Schema.String,
  range: Range,
  severity: Schema.Literals(["error", "warning", "information", "hint"]),
  message: Schema.String
})

/** What a person does with a suggestion. */
export const End = Schema.Literals(["accepted", "ignored", "rejected"])
export type End = typeof End.Type

export const Line = Schema.Union([
  Begun,
  Schema.Struct({
    type: Schema.tag("opened"),
    ...about,
    languageId: Schema.String,
    version: Version,
    text: Schema.String
  }),
  Schema.Struct({ type: Schema.tag("changed"), ...about, version: Version, changes: Schema.Array(Change) }),
  Schema.Struct({ type: Schema.tag("closed"), ...about }),
  Schema.Struct({ type: Schema.tag("saved"), ...about }),
  Schema.Struct({ type: Schema.tag("focused"), ...about, position: Position, visibleRange: Range }),
  Schema.Struct({ type: Schema.tag("diagnosed"), ...about, diagnostics: Schema.Array(Diagnostic) }),
  /** The text of a file that is not open, as the agent may know it. Null if there is none any more. */
  Schema.Struct({ type: Schema.tag("read"), ...at, path: Schema.String, text: Schema.NullOr(Schema.String) }),
  /** The agent runs. */
  Schema.Struct({
    type: Schema.tag("started"),
    ...at,
    name: Schema.String,
    version: Schema.optionalKey(Schema.String)
  }),
  /** The agent has gone, and knows nothing any more when it comes again. */
  Schema.Struct({ type: Schema.tag("left"), ...at }),
  /** The agent is asked. Questions count from 1. */
  Schema.Struct({
    type: Schema.tag("asked"),
    ...about,
    question: Schema.Int,
    version: Version,
    position: Position,
    selection: Schema.optionalKey(Range),
    trigger: Schema.Literals(["automatic", "diagnostic", "manual"])
  }),
  /** The agent has answered in time. The ids are those that `ended` names. */
  Schema.Struct({
    type: Schema.tag("answered"),
    ...at,
    question: Schema.Int,
    latencyMs: Schema.Finite,
    suggestions: Schema.Array(NesSchema.Suggestion),
    /** Suggestions that could not be shown. */
    refused: Schema.Int
  }),
  /** `overtaken`: a later question or a change came first. */
  Schema.Struct({
    type: Schema.tag("unanswered"),
    ...at,
    question: Schema.Int,
    why: Schema.Literals(["failed", "overtaken"])
  }),
  /** A person has ended a suggestion. */
  Schema.Struct({ type: Schema.tag("ended"), ...at, id: Schema.String, end: End }),
  /** The last line. `full`: no more is recorded, since the recording is as long as it may be. */
  Schema.Struct({ type: Schema.tag("over"), ...at, why: Schema.Literals(["closed", "full"]) })
]).pipe(Schema.toTaggedUnion("type"))
export type Line = typeof Line.Type

export type LineOf<Type extends Line["type"]> = Extract<Line, { readonly type: Type }>
