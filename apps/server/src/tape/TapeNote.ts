/** Notes on a tape between the lines of the wire. Members may be added; readers ignore unknown ones. */
import { SessionSource } from "@signalbox/contracts/AgentSession"
import { ProviderRef } from "@signalbox/contracts/Provider"
import { SessionChain } from "@signalbox/contracts/SessionChain"
import { SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Schema from "effect/Schema"

/** The version of the tape's format. Additions do not change it. */
export const format = 1

const Texts = Schema.Record(Schema.String, Schema.String)

/** The MCP servers that a session should get, without their secrets. Servers that could not be used are listed too. */
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

/**
 * A process has started: its command, and what was asked of its session. Holds the names of variables, never their
 * values.
 */
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
  /** The protocol version of the connection; absent for 1. */
  protocol: Schema.optionalKey(Schema.Literals([1, 2])),
  /** The version that the agent's `--version` printed, if there is one. */
  agentVersion: Schema.optionalKey(Schema.String),
  /** The session that was to be resumed. */
  resume: Schema.optionalKey(Schema.String),
  /** The source of its first session, and its additional folders. */
  from: Schema.optionalKey(SessionSource),
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  mcp: Schema.optionalKey(McpNote),
  /** The names of the components that were to stand in front of it. Absent without any. */
  components: Schema.optionalKey(Schema.Array(Schema.String)),
  /**
   * A digest of each prompt in our record of the thread, oldest first. It recognises a prompt, but doesn't reveal it.
   */
  knownPrompts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The settings that people had chosen. */
  settings: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
  /** Milliseconds that the agent has to end a cancelled turn. */
  cancelGraceMs: Schema.optionalKey(Schema.Finite)
})
export type StartNote = typeof StartNote.Type

/** The chain in front of the process is complete. Its parts are known from here on. */
export const ChainNote = Schema.Struct({
  event: Schema.Literal("chain"),
  /** Nearest to people first; the agent is last. */
  parts: SessionChain
})
export type ChainNote = typeof ChainNote.Type

/** The process has ended: by itself, because it was stopped, or because it did not stop a turn in time. */
export const ExitNote = Schema.Struct({
  event: Schema.Literal("exit"),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  ended: Schema.optionalKey(Schema.Literals(["itself", "stopped", "stuck"])),
  /** The key of the seal with which the components of its chain have marked their updates. No use to anybody any more. */
  seal: Schema.optionalKey(Schema.String)
})
export type ExitNote = typeof ExitNote.Type

/** The first line of every part except the first part. */
export const PartNote = Schema.Struct({
  event: Schema.Literal("part"),
  /** The number of this part, from 2. */
  part: Schema.Int,
  /** The number of this line, counted over all parts of the tape. */
  firstLine: Schema.Int,
  /** The lines that were deleted to keep the tape within its limit. Both ends are included. */
  missing: Schema.optionalKey(Schema.Struct({ fromLine: Schema.Int, toLine: Schema.Int }))
})
export type PartNote = typeof PartNote.Type

/** Stands before each tape in an export. The next line is the tape's first line. */
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
  /** The notice about secrets that may remain. */
  secrets: Schema.optionalKey(Schema.String),
  signalbox: Schema.String,
  /** Milliseconds since 1970. */
  exportedAt: Schema.Finite,
  tapes: Schema.Int
})
export type ExportNote = typeof ExportNote.Type

export const TapeNote = Schema.Union([StartNote, ChainNote, ExitNote, PartNote, TapeStartNote, ExportNote])
export type TapeNote = typeof TapeNote.Type

/** Reads a note. None for a kind that this version doesn't know. */
export const read = Schema.decodeUnknownOption(TapeNote)

/** A note as a line of a tape. `json`: the note without secrets. */
export const lineOf = (at: number, json: string): string => `{"at":${at},"dir":"note","line":${json}}`
