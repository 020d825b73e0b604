import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, listIn, objectIn, parseJson, textIn, type JsonObject } from "../Json.ts"
import type { StateFolder } from "./StateFolder.ts"

const file = "cli-config.json"

/** Cursor's `cli-config.json`: permissions and the chosen model, shared by all processes of one state folder. */
export class CliConfig {
  readonly #state: StateFolder
  /** Stands in for the file when nothing may be kept. */
  #memory: JsonObject = {}

  constructor(state: StateFolder) {
    this.#state = state
  }

  read(): JsonObject {
    const text = this.#state.read(file)
    const value = text === undefined ? this.#memory : parseJson(text)
    return isObject(value) ? value : {}
  }

  update(change: JsonObject): void {
    const next = { version: 1, ...this.read(), ...change }
    if (this.#state.write(`${JSON.stringify(next, undefined, 2)}\n`, file) === undefined) this.#memory = next
  }

  get approvalMode(): string | undefined {
    return textIn(this.read(), "approvalMode")
  }

  /** Tokens such as `Shell(npm)`, of the user and of the project in `cwd`. */
  tokens(list: "allow" | "deny", cwd: string): ReadonlyArray<string> {
    const own = listIn(objectIn(this.read(), "permissions"), list)
    const project = listIn(objectIn(readProjectConfig(cwd) ?? {}, "permissions"), list)
    return [...own, ...project].filter((token) => typeof token === "string")
  }

  allow(token: string): void {
    const permissions = objectIn(this.read(), "permissions")
    const known = listIn(permissions, "allow")
    if (known.includes(token)) return
    this.update({ permissions: { deny: [], ...permissions, allow: [...known, token] } })
  }
}

const readProjectConfig = (cwd: string): JsonObject | undefined => {
  const path = join(cwd, ".cursor", "cli.json")
  if (!existsSync(path)) return undefined
  const value = parseJson(readFileSync(path, "utf8"))
  return isObject(value) ? value : undefined
}

/** What is wrong with the project's `.cursor/cli.json`, which may hold permissions only. */
export const projectConfigFault = (cwd: string): string | undefined => {
  const path = join(cwd, ".cursor", "cli.json")
  if (!existsSync(path)) return undefined
  const config = readProjectConfig(cwd)
  if (config === undefined) return `Invalid project config at ${path}: not a JSON object`
  const unknown = Object.keys(config).filter((key) => key !== "permissions")
  if (unknown.length === 0) return undefined
  return `Invalid project config at ${path}: Unrecognized key(s) in object: ${unknown.map((key) => `'${key}'`).join(", ")}`
}
