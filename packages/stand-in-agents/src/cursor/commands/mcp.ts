import { createHash } from "node:crypto"
import { isList, isObject, objectIn, parseJson, type Json, type JsonObject } from "../../Json.ts"
import type { StateFolder } from "../StateFolder.ts"
import type { Command } from "./invocation.ts"
import { complain, print } from "./output.ts"

/** Servers from `mcp.json`; approvals and bans beside it, as arrays of names. */
export const mcp: Command = ({ environment, commandLine }) => {
  const { state } = environment
  const [verb = "list", name = ""] = commandLine.rest
  const servers = objectIn(readObject(state.read("mcp.json")), "mcpServers")
  if (verb === "list") return list(state, servers)
  if (!["list-tools", "enable", "disable", "login"].includes(verb)) return complain(`error: unknown command '${verb}'`)
  const server = servers[name]
  if (server === undefined) return complain(`MCP server "${name}" not found`)
  if (verb === "list-tools") return print(`lookup - A tool that does nothing\n\nTools of ${name} (simulated)`)
  if (verb === "login") return print(`${name} needs no login`)
  const approval = approvalOf(name, server)
  if (verb === "enable") {
    write(state, "mcp-approvals.json", [...read(state, "mcp-approvals.json"), approval])
    write(state, "mcp-disabled.json", without(read(state, "mcp-disabled.json"), name))
    return print(`✓ Enabled MCP server: ${name}`)
  }
  write(state, "mcp-disabled.json", [...read(state, "mcp-disabled.json"), name])
  return print(`✓ Disabled MCP server: ${name}`)
}

const list = (state: StateFolder, servers: JsonObject): number => {
  const names = Object.keys(servers)
  if (names.length === 0) return print("No MCP servers configured (expected in mcp.json)")
  const disabled = read(state, "mcp-disabled.json")
  const approved = read(state, "mcp-approvals.json")
  return print(
    names
      .map((name) => {
        const ready = approved.includes(approvalOf(name, servers[name] ?? null))
        return `${name}: ${disabled.includes(name) ? "disabled" : ready ? "ready" : "not loaded"}`
      })
      .join("\n")
  )
}

/** Names the project, too: what is approved in one folder is not in another. */
const approvalOf = (name: string, server: Json): string => {
  const text = JSON.stringify({ path: process.cwd(), server })
  return `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`
}

const readObject = (text: string | undefined): JsonObject => {
  const value = parseJson(text ?? "")
  return isObject(value) ? value : {}
}

const read = (state: StateFolder, file: string): ReadonlyArray<string> => {
  const value = parseJson(state.read(file) ?? "")
  return isList(value) ? value.filter((item) => typeof item === "string") : []
}

const write = (state: StateFolder, file: string, items: ReadonlyArray<string>): void => {
  state.write(`${JSON.stringify(Array.from(new Set(items)))}\n`, file)
}

const without = (items: ReadonlyArray<string>, item: string): ReadonlyArray<string> =>
  items.filter((other) => other !== item)
