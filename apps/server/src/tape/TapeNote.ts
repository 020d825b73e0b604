/** What a tape says about itself between the lines of the wire. Members may be added; readers take what they know. */
import { SessionSource } from "@signalbox/contracts/AgentSession"
import { ProviderRef } from "@signalbox/contracts/Provider"
import { SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Schema from "effect/Schema"

/** The number of the tape's format: what stands on a tape, and what it means. An addition leaves the number as it is. */
export const format = 1

const Texts = Schema.Record(Schema.String, Schema.String)

/** The MCP servers that a session was to be given, without what is secret in them. Those that could not be had come along. */
const McpNote = Schema.Struct({
  ready: Schema.Array(
    Schema.Union([
      Schema.Struct({
        type: Schema.tag("stdio"),
        name: Schema.String,
        command: Schema.String,
        args: Schema.Array(Schema.String),
        env: Texts
      }),
      Schema.Struct({
        type: Schema.Literals(["http", "sse"]),
        name: Schema.String,
        url: Schema.String,
        headers: Texts
      })
    ])
  ),
  leftOut: Schema.Array(Schema.Struct({ name: Schema.String, reason: Schema.String }))
})

/** A process has started: how, and what its session was asked to be. The names of variables, never their values. */
export const StartNote = Schema.Struct({
  event: Schema.Literal("start"),
  /** Absent on the oldest tapes, which are of format 1. */
  format: Schema.optionalKey(Schema.Int),
  argv: Schema.Array(Schema.String),
  cwd: Schema.String,
  envNames: Schema.Array(Schema.String),
  /** The id of the process; absent if it runs elsewhere. */
  pid: Schema.optionalKey(Schema.Int),
  threadId: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(ProviderRef),
  /** The version of the protocol that was spoken; 1 where it is absent. */
  protocol: Schema.optionalKey(Schema.Literals([1, 2])),
  /** The version that the agent's `--version` said, if it has one. */
  agentVersion: Schema.optionalKey(Schema.String),
  /** The session that was to be taken up. */
  resume: Schema.optionalKey(Schema.String),
  /** The source of its first session, and more folders than the one. */
  from: Schema.optionalKey(SessionSource),
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  mcp: Schema.optionalKey(McpNote),
  /** One digest for each prompt that our record of the thread held, oldest first: enough to tell them again, not to read them. */
  knownPrompts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The settings that people had chosen. */
  settings: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
  /** How long the agent may take to end a turn that it was told to stop. */
  cancelGraceMs: Schema.optionalKey(Schema.Finite)
})
export type StartNote = typeof StartNote.Type

/** It has ended: by itself, because it was stopped, or because it did not stop a turn in time. */
export const ExitNote = Schema.Struct({
  event: Schema.Literal("exit"),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  ended: Schema.optionalKey(Schema.Literals(["itself", "stopped", "stuck"]))
})
export type ExitNote = typeof ExitNote.Type

/** The first line of every part but the first. */
export const PartNote = Schema.Struct({
  event: Schema.Literal("part"),
  /** From 2. */
  part: Schema.Int,
  /** The number of this very line in the tape as a whole. */
  firstLine: Schema.Int,
  /** What was given up so that the tape stays within its bound, both ends included. */
  missing: Schema.optionalKey(Schema.Struct({ fromLine: Schema.Int, toLine: Schema.Int }))
})
export type PartNote = typeof PartNote.Type

/** In an export, before each tape: the next line is its first. */
const TapeStartNote = Schema.Struct({
  event: Schema.Literal("tape"),
  name: Schema.String,
  /** Milliseconds since 1970. */
  startedAt: Schema.optionalKey(Schema.Finite)
})
export type TapeStartNote = typeof TapeStartNote.Type

/** The first line of an export. */
const ExportNote = Schema.Struct({
  event: Schema.Literal("export"),
  /** What can't be promised of it. */
  secrets: Schema.optionalKey(Schema.String),
  signalbox: Schema.String,
  /** Milliseconds since 1970. */
  exportedAt: Schema.Finite,
  tapes: Schema.Int
})
export type ExportNote = typeof ExportNote.Type

export const TapeNote = Schema.Union([StartNote, ExitNote, PartNote, TapeStartNote, ExportNote])
export type TapeNote = typeof TapeNote.Type

/** None for a note that was added later than we know. */
export const read = Schema.decodeUnknownOption(TapeNote)

/** A note as a line of a tape. `json` is the note, fit to be written. */
export const lineOf = (at: number, json: string): string => `{"at":${at},"dir":"note","line":${json}}`
