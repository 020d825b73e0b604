/**
 * What a tool call is about, from what agents say of it: its input first, then its title, its kind and its locations.
 * Agents name the same thing in many ways; the names here were seen on the wire.
 */
import type { ToolKind, ToolLocation, ToolSubject } from "@signalbox/contracts/ToolCall"
import { compact, isEmpty, type JsonObject, objectOf, textOf } from "./Json.ts"

const none: ToolSubject = { type: "none" }

/** The subject of a call. `input` is `rawInput` as it came. */
export const subjectOf = (
  kind: ToolKind,
  title: string,
  input: unknown,
  locations: ReadonlyArray<ToolLocation>
): ToolSubject => {
  const object = objectOf(input)
  return (
    mcpOf(object) ?? taskOf(object) ?? commandOf(kind, title, object) ?? byKind(kind, title, object, locations) ?? none
  )
}

const mcpOf = (input: JsonObject): ToolSubject | undefined => {
  const server = textOf(input, "providerIdentifier", "server", "serverName", "server_name")
  const tool = textOf(input, "toolName", "tool", "tool_name")
  if (server === undefined || tool === undefined) return undefined
  const args = input["args"] ?? input["arguments"]
  return { type: "mcp", server, tool, ...(!isEmpty(args) && { args: compact(args) }) }
}

const taskOf = (input: JsonObject): ToolSubject | undefined => {
  if (input["_toolName"] !== "task" && !("subagent_type" in input) && !("subagentType" in input)) return undefined
  const description = textOf(input, "description", "prompt")
  if (description === undefined) return undefined
  const prompt = textOf(input, "prompt")
  const agent = textOf(input, "subagentType", "subagent_type")
  return {
    type: "task",
    description,
    ...(prompt !== undefined && { prompt }),
    ...(agent !== undefined && { agent })
  }
}

const commandOf = (kind: ToolKind, title: string, input: JsonObject): ToolSubject | undefined => {
  const command = commandText(input["command"] ?? input["cmd"]) ?? (kind === "execute" ? quoted(title) : undefined)
  if (command === undefined) return undefined
  const cwd = textOf(input, "cwd", "workdir", "workingDirectory")
  return { type: "command", command, ...(cwd !== undefined && { cwd }) }
}

const commandText = (command: unknown): string | undefined => {
  if (typeof command === "string" && command !== "") return command
  if (!Array.isArray(command) || command.length === 0) return undefined
  const words = command.map(String)
  // What agents run through a shell is the line that they wrote for it.
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "")
  return shell && words.length === 3 ? words[2] : words.join(" ")
}

const byKind = (
  kind: ToolKind,
  title: string,
  input: JsonObject,
  locations: ReadonlyArray<ToolLocation>
): ToolSubject | undefined => {
  const path = textOf(input, "path", "file_path", "filePath", "abs_path", "absolute_path", "filename", "target_file")
  switch (kind) {
    case "search": {
      const pattern = textOf(input, "pattern", "query", "glob", "regex", "glob_pattern", "search_term") ?? quoted(title)
      return pattern === undefined ? undefined : { type: "search", pattern, ...(path !== undefined && { path }) }
    }
    case "fetch": {
      const url = textOf(input, "url", "uri") ?? /\bhttps?:\/\/\S+/.exec(title)?.[0]
      if (url !== undefined) return { type: "url", url }
      const query = textOf(input, "query", "search_term")
      return query === undefined ? undefined : { type: "search", pattern: query }
    }
    case "read":
    case "edit":
    case "delete":
    case "move": {
      const file = path ?? locations[0]?.path ?? quoted(title) ?? /^Read (\S.*)$/.exec(title)?.[1]
      // A title without a path in it ("Read File") names no file.
      return file === undefined || file === "File" ? undefined : { type: "file", path: file }
    }
    case "execute":
    case "think":
    case "switch_mode":
    case "other": {
      if (path !== undefined) return { type: "file", path }
      const url = textOf(input, "url")
      return url === undefined ? undefined : { type: "url", url }
    }
  }
}

/** What a title sets in backticks or quotation marks: `` `npm test` ``, `grep "spike"`. */
const quoted = (title: string): string | undefined => {
  const tick = title.indexOf("`")
  if (tick !== -1) {
    const end = title.lastIndexOf("`")
    return end > tick + 1 ? title.slice(tick + 1, end) : undefined
  }
  return /"(.+)"/s.exec(title)?.[1]
}
