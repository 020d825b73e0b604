/**
 * What a tool call is about, read from its input. Agents name the same thing in many ways; the names here were seen on the wire.
 * A title is never read: it is the agent's description, and it may describe something else than what runs.
 */
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import * as Members from "./InputMembers.ts"
import { compact, isRecord } from "./Json.ts"
import type { ToolKind, ToolLocation, ToolSubject } from "./ToolCall.ts"

/** Something that the input says beside its subject, under a name that people see. */
export interface InputFact {
  readonly name: string
  readonly value: string
  /** The value is a path of the input, or a sentence of ours; else any text of the input. */
  readonly is?: "path" | "sentence"
}

/** One change of a file's text, as the input tells it. `find` is replaced by `put`; without it, `put` is the whole text. */
export interface TextChange {
  readonly find?: string
  readonly put: string
  /** `find` is replaced wherever it stands, not only where it stands first. */
  readonly everywhere: boolean
}

export interface InputReading {
  readonly subject: ToolSubject
  /** The file of the subject is not in the input: the agent names it beside, among the locations. */
  readonly isBeside: boolean
  readonly facts: ReadonlyArray<InputFact>
  /** In the order in which they are made. */
  readonly changes: ReadonlyArray<TextChange>
  /** What the agent says about the call in its own words. */
  readonly words: ReadonlyArray<string>
  /** The first of the members that are not understood. */
  readonly unread: ReadonlyArray<Members.UnreadMember>
  /** How many there are beyond these. */
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

/** Members whose name and value say all that there is to know. */
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

/** `input` is the call's `rawInput`. A call without a path in its input is about the first file that it names beside it. */
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
  // In an input that is not understood, nothing is taken for a mere description.
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

/** It names a command and a tool of an MCP server. Which of them is meant, only the agent knows. */
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

/** A command line, as a shell would take it: words that are given one by one are quoted where they need it. */
const commandText = (members: Members.InputMembers, facts: Array<InputFact>): string | undefined => {
  const line = members.text(...commands)
  if (line !== undefined) {
    const lines = Members.textsOf(members.peek("commands"))
    if (lines?.length === 1 && lines[0] === line) members.take("commands")
    const args = Members.textsOf(members.peek("args"))
    // A line with arguments beside it may be run in several ways. It is shown as it is, and its arguments as not understood.
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
  // How several lines are run is not known, so they stay among what was not understood, too.
  if (lines?.length === 1) members.take("commands")
  return lines?.join("\n")
}

/** What agents run through a shell is the line that they wrote for it. The shell stands beside it. */
const lineOf = (words: ReadonlyArray<string>, facts: Array<InputFact>): string | undefined => {
  const [program = "", flags = "", line] = words
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flags) ? quoted([program, flags]) : undefined
  if (words.length !== 3 || shell === undefined) return quoted(words)
  facts.push({ name: "Run by", value: shell })
  return line
}

/** A command line as a person would type it. `undefined` for words with a NUL, which no program can be given. */
const quoted = (words: ReadonlyArray<string>): string | undefined =>
  Result.getOrElse(CommandLine.join(words), () => undefined)

/** Variables that are set for a command, one a line. Of a shape that is not known, they stay unread. */
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

/** Kinds of calls that are about a file. */
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

/** An empty text says much here: nothing is found, or nothing is put. */
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

/** What is replaced in more places than a difference may show. */
const everywhereOf = (changes: ReadonlyArray<TextChange>): ReadonlyArray<InputFact> =>
  changes.flatMap(({ everywhere, find }, index) => {
    if (!everywhere || find === undefined) return []
    const which = changes.length === 1 ? "" : `, change ${index + 1} of ${changes.length}`
    return { name: "Replaces", value: `Every place in the file where the text stands${which}`, is: "sentence" }
  })
