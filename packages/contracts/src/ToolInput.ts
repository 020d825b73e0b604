/**
 * Reads what a tool call does from its input. Agents use many names for one thing; the names here were seen on the
 * wire. Titles are never read: an agent's description may differ from what runs.
 */
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import * as Members from "./InputMembers.ts"
import { compact, isRecord } from "./Json.ts"
import type { ToolKind, ToolLocation, ToolSubject } from "./ToolCall.ts"

/** A fact of the input beside its subject, with a name for people. */
export interface InputFact {
  readonly name: string
  readonly value: string
  /**
   * `path`: the value is a path of the input. `sentence`: it is a sentence of Signalbox. By default any text of the
   * input.
   */
  readonly is?: "path" | "sentence"
}

/**
 * One change of a file's text, from the input. `find` is replaced by `put`; without `find`, `put` is the whole text.
 */
export interface TextChange {
  readonly find?: string
  readonly put: string
  /** Whether `find` is replaced everywhere, not only at its first place. */
  readonly everywhere: boolean
}

export interface InputReading {
  readonly subject: ToolSubject
  /** Whether the subject's file is not in the input, but among the agent's locations. */
  readonly isBeside: boolean
  readonly facts: ReadonlyArray<InputFact>
  /** The changes in the order of their application. */
  readonly changes: ReadonlyArray<TextChange>
  /** The agent's descriptions of the call, in its own words. */
  readonly words: ReadonlyArray<string>
  /** The first members that Signalbox does not understand. */
  readonly unread: ReadonlyArray<Members.UnreadMember>
  /** The number of further ones. */
  readonly unlisted: number
}

const paths = ["path", "file_path", "filePath", "abs_path", "absolute_path", "filename", "target_file"]
const commands = ["command", "cmd"]
const servers = ["providerIdentifier", "server", "serverName", "server_name"]
const tools = ["toolName", "tool", "tool_name"]
const folders = ["cwd", "workdir", "workingDirectory", "working_directory", "dir_path", "directory"]
const finds = ["old_string", "oldString", "old_str", "oldStr", "oldText", "old_text"]
const puts = ["new_string", "newString", "new_str", "newStr", "newText", "new_text"]
const wholes = ["content", "contents", "file_text"]
const everywheres = ["replace_all", "replaceAll"]

/** Members that their name and value fully describe. */
const plainMembers: {
  readonly [Type in "command" | "task" | "search" | "url" | "file" | "other"]: ReadonlyArray<string>
} = {
  command: ["timeout", "timeout_ms", "timeoutMs", "is_background", "isBackground", "run_in_background", "background"],
  task: ["model", "run_in_background"],
  search: [
    "glob",
    "include",
    "exclude",
    "type",
    "output_mode",
    "head_limit",
    "limit",
    "max_results",
    "multiline",
    "case_sensitive",
    "caseSensitive",
    "case_insensitive",
    "recursive",
    "-i",
    "-n",
    "-A",
    "-B",
    "-C"
  ],
  url: ["method", "format", "prompt", "timeout", "max_length"],
  file: ["offset", "limit", "line", "start_line", "end_line", "startLine", "endLine", "pages"],
  other: []
}

const noSubject: ToolSubject = { type: "none" }

/** Reads an input. `input`: the call's `rawInput`. A call without a path in its input is about its first location. */
export const readInput = (kind: ToolKind, input: unknown, locations: ReadonlyArray<ToolLocation>): InputReading => {
  const members = Members.make(input)
  const facts: Array<InputFact> = []
  const isUnclear = isAmbiguous(members)
  const named = isUnclear
    ? noSubject
    : (mcpOf(members) ?? taskOf(members) ?? commandOf(members, facts) ?? byKind(kind, members))
  const beside = named.type === "none" && !isUnclear && ofFile.has(kind) ? locations[0]?.path : undefined
  const subject: ToolSubject = beside === undefined ? named : { type: "file", path: beside }
  const changes = kind === "edit" && subject.type === "file" ? changesOf(members) : []
  facts.push(...everywhereOf(changes))
  if (subject.type === "file") {
    const target = kind === "move" ? members.text("destination", "to", "new_path", "newPath", "target") : undefined
    if (target !== undefined) facts.push({ name: "Moved to", value: target, is: "path" })
  }
  if (subject.type !== "none") facts.push(...plainFacts(members, subject.type))
  // In an input that is not understood, no member counts as a mere description.
  const words = subject.type === "none" ? [] : wordsOf(members, subject)
  return {
    subject,
    isBeside: beside !== undefined,
    facts,
    changes,
    words,
    unread: members.unread(),
    unlisted: members.unlisted()
  }
}

/** Whether it names both a command and a tool of an MCP server. Only the agent knows which one it means. */
const isAmbiguous = (members: Members.InputMembers): boolean =>
  members.has(...servers) && members.has(...tools) && members.has(...commands, "commands")

const wordsOf = (members: Members.InputMembers, subject: ToolSubject): ReadonlyArray<string> => {
  const told = subject.type === "task" && subject.prompt !== undefined ? [subject.description] : []
  return [...told, ...["description", "explanation", "justification"].flatMap((name) => members.text(name) ?? [])]
}

const plainFacts = (
  members: Members.InputMembers,
  type: Exclude<ToolSubject["type"], "none">
): ReadonlyArray<InputFact> =>
  plainMembers[type === "mcp" ? "other" : type].flatMap((name) => {
    const value = members.peek(name)
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return []
    members.take(name)
    return { name, value: String(value) }
  })

const mcpOf = (members: Members.InputMembers): ToolSubject | undefined => {
  if (typeof members.peek(...servers) !== "string" || typeof members.peek(...tools) !== "string") return undefined
  const server = members.text(...servers)
  const tool = members.text(...tools)
  if (server === undefined || tool === undefined) return undefined
  const name = ["args", "arguments"].find((name) => members.has(name))
  const args = name === undefined ? undefined : compact(members.peek(name))
  if (name !== undefined) members.take(name)
  return { type: "mcp", server, tool, ...(args !== undefined && { args }) }
}

const taskOf = (members: Members.InputMembers): ToolSubject | undefined => {
  if (members.peek("_toolName") !== "task" && !members.has("subagent_type", "subagentType")) return undefined
  const prompt = members.text("prompt")
  const description = members.text("description") ?? prompt
  if (description === undefined) return undefined
  members.text("_toolName")
  const agent = members.text("subagentType", "subagent_type")
  return {
    type: "task",
    description,
    ...(prompt !== undefined && { prompt }),
    ...(agent !== undefined && { agent })
  }
}

const commandOf = (members: Members.InputMembers, facts: Array<InputFact>): ToolSubject | undefined => {
  const command = commandText(members, facts)
  if (command === undefined) return undefined
  const cwd = members.text(...folders)
  facts.push(...environmentOf(members))
  return { type: "command", command, ...(cwd !== undefined && { cwd }) }
}

/** The command line in the form of a shell command. Separate words are quoted where they need it. */
const commandText = (members: Members.InputMembers, facts: Array<InputFact>): string | undefined => {
  const line = members.text(...commands)
  if (line !== undefined) {
    const lines = Members.textsOf(members.peek("commands"))
    if (lines?.length === 1 && lines[0] === line) members.take("commands")
    const args = Members.textsOf(members.peek("args"))
    // A line with separate arguments may run in several ways. It is shown unchanged, and its arguments as not
    // understood.
    const whole = args === undefined || quoted([line]) !== line ? undefined : lineOf([line, ...args], facts)
    if (whole !== undefined) members.take("args")
    return whole ?? line
  }
  const words = Members.textsOf(members.peek(...commands))
  if (words !== undefined) {
    const whole = lineOf(words, facts)
    if (whole !== undefined) members.take(commands.find((name) => members.has(name)) ?? "")
    return whole
  }
  const lines = Members.textsOf(members.peek("commands"))
  // It is unknown how several lines run, so they also stay among the members that are not understood.
  if (lines?.length === 1) members.take("commands")
  return lines?.join("\n")
}

/** The line that an agent runs through a shell. The shell itself becomes a fact. */
const lineOf = (words: ReadonlyArray<string>, facts: Array<InputFact>): string | undefined => {
  const [program = "", flags = "", line] = words
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flags) ? quoted([program, flags]) : undefined
  if (words.length !== 3 || shell === undefined) return quoted(words)
  facts.push({ name: "Run by", value: shell })
  return line
}

/** The command line as people type it. Undefined for words with a NUL, which no program can receive. */
const quoted = (words: ReadonlyArray<string>): string | undefined =>
  Result.getOrElse(CommandLine.join(words), () => undefined)

/** Variables that are set for a command, one a line. In an unknown form they stay unread. */
const environmentOf = (members: Members.InputMembers): ReadonlyArray<InputFact> => {
  const env = members.peek("env")
  const pairs = Array.isArray(env)
    ? env.map((item: unknown) =>
        isRecord(item) && Object.keys(item).length === 2 ? [item["name"], item["value"]] : []
      )
    : isRecord(env)
      ? Object.entries(env)
      : []
  if (pairs.length > Members.mostListed) return []
  const texts = pairs.flatMap(([name, value]) => {
    const text = typeof value === "string" ? Result.getOrElse(CommandLine.quote(value), () => undefined) : undefined
    return typeof name === "string" && text !== undefined ? `${name}=${text}` : []
  })
  if (texts.length === 0 || texts.length < pairs.length) return []
  members.take("env")
  return [{ name: "Environment", value: texts.join("\n") }]
}

/** Kinds of calls whose subject is a file. */
const ofFile: ReadonlySet<ToolKind> = new Set(["read", "edit", "delete", "move"])

const byKind = (kind: ToolKind, members: Members.InputMembers): ToolSubject => {
  switch (kind) {
    case "search": {
      const pattern = members.text("pattern", "query", "regex", "search_term") ?? members.text("glob", "glob_pattern")
      if (pattern === undefined) return noSubject
      const path = members.text(...paths, ...folders)
      return { type: "search", pattern, ...(path !== undefined && { path }) }
    }
    case "fetch": {
      const url = members.text("url", "uri")
      if (url !== undefined) return { type: "url", url }
      const query = members.text("query", "search_term")
      return query === undefined ? noSubject : { type: "search", pattern: query }
    }
    case "read":
    case "edit":
    case "delete":
    case "move": {
      const source = kind === "move" ? members.text("source", "from", "old_path", "oldPath") : undefined
      const path = source ?? members.text(...paths)
      return path === undefined ? noSubject : { type: "file", path }
    }
    case "execute":
    case "think":
    case "switch_mode":
    case "other": {
      const path = members.text(...paths)
      if (path !== undefined) return { type: "file", path }
      const url = members.text("url")
      return url === undefined ? noSubject : { type: "url", url }
    }
  }
}

const changesOf = (members: Members.InputMembers): ReadonlyArray<TextChange> => {
  const one = changeOf(members)
  if (one !== undefined) return [one]
  const edits = members.peek("edits")
  if (!Array.isArray(edits) || edits.length > Members.mostListed) return []
  const changes = edits.flatMap((edit: unknown) => {
    const inner = Members.make(edit)
    const change = changeOf(inner)
    return change === undefined || inner.unread().length > 0 ? [] : change
  })
  if (changes.length < edits.length) return []
  members.take("edits")
  return changes
}

/** A change of text. An empty text counts here: nothing is found, or nothing is put. */
const changeOf = (members: Members.InputMembers): TextChange | undefined => {
  if (!members.names(...finds) || !members.names(...puts)) {
    const whole = members.text(...wholes)
    return whole === undefined ? undefined : { put: whole, everywhere: false }
  }
  const find = members.text(...finds)
  const put = members.text(...puts)
  const everywhere = members.peek(...everywheres)
  if (typeof everywhere === "boolean") members.take(...everywheres)
  return { find: find ?? "", put: put ?? "", everywhere: everywhere === true }
}

/** Facts about texts that are replaced in more places than a diff may show. */
const everywhereOf = (changes: ReadonlyArray<TextChange>): ReadonlyArray<InputFact> =>
  changes.flatMap(({ everywhere, find }, index) => {
    if (!everywhere || find === undefined) return []
    const which = changes.length === 1 ? "" : `, change ${index + 1} of ${changes.length}`
    return { name: "Replaces", value: `Every place in the file where the text stands${which}`, is: "sentence" }
  })
