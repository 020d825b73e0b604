/** What an agent does: one tool call, always in its whole current state. */
import * as Schema from "effect/Schema"
import { ContentPart } from "./Content.ts"
import { Timestamp } from "./Ids.ts"

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
 * The first four are the protocol's. The others are what we know better: `rejected` was refused by a person here, and `cancelled` was open
 * when its turn was stopped. `unfinished` was open when its turn or process ended for another reason.
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

/** What the call is about, read from its input. `none`: the agent did not say. */
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
 * `oldText: null` means that the file is new. Texts may be hunks, not whole files: agents choose. `lines`: what the whole change adds
 * and removes, where the texts here are only its beginning.
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
  /** What was read or answered. */
  text: Schema.optionalKey(Schema.String),
  /** Matches or files found. */
  count: Schema.optionalKey(Schema.Int),
  truncated: Schema.optionalKey(Schema.Boolean),
  /** Why it went wrong, whatever status the agent claims. */
  error: Schema.optionalKey(Schema.String)
})
export type ToolResult = typeof ToolResult.Type

export const ToolLocation = Schema.Struct({ path: Schema.String, line: Schema.optionalKey(Schema.Int) })
export type ToolLocation = typeof ToolLocation.Type

/**
 * A terminal of a call: one in which we run a program for the agent, or one of the agent's own. Of the latter we know what the agent
 * reports. `output` is what it printed, in the order in which it came: while it runs only the last part, and all that is kept once it is
 * over. `unknown`: nobody has said how it ended, or whether it runs. `missing`: the agent names it and tells nothing of it.
 */
export const ToolTerminal = Schema.Struct({
  /** Ours are unique within a session. */
  terminalId: Schema.String,
  state: Schema.Literals(["running", "exited", "unknown", "missing"]),
  /** The program and its arguments, as a shell would take them. */
  command: Schema.optionalKey(Schema.String),
  cwd: Schema.optionalKey(Schema.String),
  output: Schema.String,
  /** The beginning of the output is not here. */
  truncated: Schema.Boolean,
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String)
})
export type ToolTerminal = typeof ToolTerminal.Type

/**
 * A text of a call that is too long to travel with it: the call holds its beginning, the whole is read with `readOutput`.
 * `part` names the text: `stdout`, `stderr`, `text`, `error`, `rawInput`, `rawOutput`, `content:0` …, `diff:0:old`, `diff:0:new` …, `terminal:0` ….
 * `length` counts UTF-16 units; `chunks` are what it is stored as, in order, each named after what it holds.
 */
export const LongText = Schema.Struct({ part: Schema.String, length: Schema.Int, chunks: Schema.Array(Schema.String) })
export type LongText = typeof LongText.Type

export const ToolCall = Schema.Struct({
  /** The agent's id. Opaque: may hold line breaks. */
  toolCallId: Schema.String,
  /** The agent's words. */
  title: Schema.String,
  kind: ToolKind,
  status: ToolStatus,
  subject: ToolSubject,
  diffs: Schema.Array(FileDiff),
  content: Schema.Array(ContentPart),
  locations: Schema.Array(ToolLocation),
  /** In the agent's order. */
  terminals: Schema.optionalKey(Schema.Array(ToolTerminal)),
  result: Schema.optionalKey(ToolResult),
  /** Input and output as the agent sent them, compact JSON. */
  rawInput: Schema.optionalKey(Schema.String),
  rawOutput: Schema.optionalKey(Schema.String),
  /** The texts above that are only begun here. */
  long: Schema.optionalKey(Schema.Array(LongText)),
  startedAt: Timestamp,
  endedAt: Schema.optionalKey(Timestamp)
})
export type ToolCall = typeof ToolCall.Type

/** The code that its command ended with: as the agent tells it, else as the last of its terminals ended. */
export const exitCodeOf = ({ result, terminals = [] }: ToolCall): number | undefined =>
  result?.exitCode ?? terminals.findLast(({ exitCode }) => exitCode !== undefined)?.exitCode

/**
 * What a stored call is about. Earlier versions also took commands, patterns, addresses and files out of its title; those are words
 * of the agent, and no more than that.
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

/** The signal that ended the last of its terminals, where no code tells more. */
export const signalOf = (tool: ToolCall): string | undefined =>
  exitCodeOf(tool) === undefined ? tool.terminals?.findLast(({ signal }) => signal !== undefined)?.signal : undefined

/** Whether it went wrong, whatever status the agent claims. */
export const wentWrong = (tool: ToolCall): boolean =>
  tool.status === "failed" || tool.result?.error !== undefined || (exitCodeOf(tool) ?? 0) !== 0
