/** One tool call of an agent, always with its whole present state. */
import * as Schema from "effect/Schema"
import { ContentPart } from "./Content.ts"
import { Timestamp } from "./Ids.ts"
import { Research } from "./Research.ts"
import { Walkthrough } from "./Walkthrough.ts"

export const ToolKind = Schema.Literals([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other"
])
export type ToolKind = typeof ToolKind.Type

/**
 * The first four are the protocol's; Signalbox adds the others. `rejected`: a person refused it here. `cancelled`: it
 * was open when its turn was stopped. `unfinished`: it was open when its turn or process ended otherwise.
 */
export const ToolStatus = Schema.Literals([
  "pending",
  "in_progress",
  "completed",
  "failed",
  "rejected",
  "cancelled",
  "unfinished"
])
export type ToolStatus = typeof ToolStatus.Type

export const isRunning = ({ status }: { readonly status: ToolStatus }): boolean =>
  status === "pending" || status === "in_progress"

/** The subject of a call, read from its input. `none`: the agent did not give one. */
export const ToolSubject = Schema.Union([
  Schema.Struct({ type: Schema.tag("command"), command: Schema.String, cwd: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ type: Schema.tag("file"), path: Schema.String }),
  Schema.Struct({ type: Schema.tag("search"), pattern: Schema.String, path: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ type: Schema.tag("url"), url: Schema.String }),
  /** `args` is compact JSON. */
  Schema.Struct({
    type: Schema.tag("mcp"),
    server: Schema.String,
    tool: Schema.String,
    args: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    type: Schema.tag("task"),
    description: Schema.String,
    prompt: Schema.optionalKey(Schema.String),
    agent: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ type: Schema.tag("none") })
])
export type ToolSubject = typeof ToolSubject.Type

export const LineChanges = Schema.Struct({ added: Schema.Int, removed: Schema.Int })
export type LineChanges = typeof LineChanges.Type

/**
 * A change of a file. `oldText: null`: the file is new. Texts may be hunks or whole files, as the agent chooses.
 * `lines`: the lines that the whole change adds and removes, if the texts are only its beginning.
 */
export const FileDiff = Schema.Struct({
  path: Schema.String,
  oldText: Schema.NullOr(Schema.String),
  newText: Schema.String,
  lines: Schema.optionalKey(LineChanges)
})
export type FileDiff = typeof FileDiff.Type

export const ToolResult = Schema.Struct({
  exitCode: Schema.optionalKey(Schema.Int),
  stdout: Schema.optionalKey(Schema.String),
  stderr: Schema.optionalKey(Schema.String),
  /** The text that was read or answered. */
  text: Schema.optionalKey(Schema.String),
  /** The number of matches or files found. */
  count: Schema.optionalKey(Schema.Int),
  truncated: Schema.optionalKey(Schema.Boolean),
  /** The error, whatever status the agent claims. */
  error: Schema.optionalKey(Schema.String)
})
export type ToolResult = typeof ToolResult.Type

export const ToolLocation = Schema.Struct({ path: Schema.String, line: Schema.optionalKey(Schema.Int) })
export type ToolLocation = typeof ToolLocation.Type

/**
 * A terminal of a call: one that Signalbox runs for the agent, or one of the agent's own, as far as the agent reports
 * it. `output`: in order; the last part while it runs, and all that is kept afterwards. `unknown`: nobody has reported
 * its end, or whether it runs. `missing`: the agent names it and reports nothing about it.
 */
export const ToolTerminal = Schema.Struct({
  /** Unique within a session if Signalbox made it. */
  terminalId: Schema.String,
  state: Schema.Literals(["running", "exited", "unknown", "missing"]),
  /** The program and its arguments, in the form of a shell command. */
  command: Schema.optionalKey(Schema.String),
  cwd: Schema.optionalKey(Schema.String),
  output: Schema.String,
  /** Whether the beginning of the output is missing. */
  truncated: Schema.Boolean,
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String)
})
export type ToolTerminal = typeof ToolTerminal.Type

/**
 * A text of a call that is too long to be sent with it: the call has its beginning, and `readOutput` reads all of it.
 * `part` names the text: `stdout`, `stderr`, `text`, `error`, `rawInput`, `rawOutput`, `content:0` …, `diff:0:old`,
 * `diff:0:new` …, `terminal:0` …. `length` counts UTF-16 units. `chunks` are its stored pieces in order, each named by
 * its content.
 */
export const LongText = Schema.Struct({ part: Schema.String, length: Schema.Int, chunks: Schema.Array(Schema.String) })
export type LongText = typeof LongText.Type

export const ToolCall = Schema.Struct({
  /** The agent's id. It may contain line breaks. */
  toolCallId: Schema.String,
  /** The agent's words. */
  title: Schema.String,
  kind: ToolKind,
  status: ToolStatus,
  subject: ToolSubject,
  diffs: Schema.Array(FileDiff),
  content: Schema.Array(ContentPart),
  locations: Schema.Array(ToolLocation),
  /** The terminals in the agent's order. */
  terminals: Schema.optionalKey(Schema.Array(ToolTerminal)),
  result: Schema.optionalKey(ToolResult),
  /** Input and output as the agent sent them, in compact JSON. */
  rawInput: Schema.optionalKey(Schema.String),
  rawOutput: Schema.optionalKey(Schema.String),
  /** What the call presents, if it is the call of a walkthrough. */
  walkthrough: Schema.optionalKey(Walkthrough),
  /** The question to a researcher, if it is the call of one. */
  research: Schema.optionalKey(Research),
  /** The texts of this call that are cut. */
  long: Schema.optionalKey(Schema.Array(LongText)),
  startedAt: Timestamp,
  endedAt: Schema.optionalKey(Timestamp)
})
export type ToolCall = typeof ToolCall.Type

/** The exit code of its command: the agent's report, or else that of its last terminal with one. */
export const exitCodeOf = ({ result, terminals = [] }: ToolCall): number | undefined =>
  result?.exitCode ?? terminals.findLast(({ exitCode }) => exitCode !== undefined)?.exitCode

/**
 * The subject of a stored call. Earlier versions also read commands, patterns, addresses and files from its title.
 * These are only words of the agent.
 */
export const subjectOf = (tool: ToolCall): ToolSubject => {
  const { locations, rawInput, subject, title } = tool
  const text = rawInput === undefined ? textOf(subject) : undefined
  const fromTitle = text !== undefined && title.includes(text) && !locations.some(({ path }) => path === text)
  return fromTitle ? { type: "none" } : subject
}

const textOf = (subject: ToolSubject): string | undefined => {
  switch (subject.type) {
    case "command":
      return subject.command
    case "file":
      return subject.path
    case "search":
      return subject.pattern
    case "url":
      return subject.url
    case "mcp":
    case "task":
    case "none":
      return undefined
  }
}

/** The signal that ended its last terminal, if there is no exit code. */
export const signalOf = (tool: ToolCall): string | undefined =>
  exitCodeOf(tool) === undefined ? tool.terminals?.findLast(({ signal }) => signal !== undefined)?.signal : undefined

/** Whether the call failed, whatever status the agent claims. */
export const wentWrong = (tool: ToolCall): boolean =>
  tool.status === "failed" || tool.result?.error !== undefined || (exitCodeOf(tool) ?? 0) !== 0

/** Most files of one call that are looked at. */
const mostChanged = 200

const changing: ReadonlySet<ToolKind> = new Set(["edit", "delete", "move"])

/** The paths that a call names as files that it changes, as the agent wrote them. Empty if it changes none. */
export const changedFiles = ({ diffs, kind, locations, subject }: ToolCall): ReadonlyArray<string> => {
  const named = changing.has(kind) ? locations.map(({ path }) => path) : []
  if (changing.has(kind) && subject.type === "file") named.push(subject.path)
  return [...new Set([...diffs.map(({ path }) => path), ...named])].slice(0, mostChanged)
}
