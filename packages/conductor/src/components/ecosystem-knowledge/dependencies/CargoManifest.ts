/** What a `Cargo.toml` says of dependencies, members and agents. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import { join } from "node:path"
import { parse } from "smol-toml"
import { isCrateName } from "../../../ecosystems/cargo/CrateName.ts"
import * as ForeignFolder from "../../../ecosystems/ecosystem/ForeignFolder.ts"
import type { Warn } from "./Dependency.ts"

/** A crate that a manifest names. */
export interface NamedCrate {
  readonly name: string
  /** Which versions will do, as Cargo writes them. Absent: any. */
  readonly range?: string | undefined
  /** The absolute folder, if the manifest names one. */
  readonly path?: string | undefined
}

const mostBytes = 1024 * 1024

const tables = ["dependencies", "dev-dependencies", "build-dependencies"]

/** The members of a manifest; undefined if there is none, or if nobody can read it. */
export const read = async (folder: string): Promise<McpOverAcp.JsonObject | undefined> => {
  const text = await ForeignFolder.readText(join(folder, "Cargo.toml"), mostBytes)
  if ("problem" in text) return undefined
  try {
    return parse(text.text)
  } catch {
    return undefined
  }
}

const member = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((found, name) => McpOverAcp.objectOf(found)[name], value)

const crateOf = (key: string, value: unknown, folder: string): NamedCrate => {
  if (typeof value === "string") return { name: key, range: value }
  const { package: named, path, version } = McpOverAcp.objectOf(value)
  return {
    name: typeof named === "string" ? named : key,
    ...(typeof version === "string" && { range: version }),
    ...(typeof path === "string" && { path: join(folder, path) })
  }
}

/** A workspace, whose manifest may say more about a dependency. */
export interface Workspace {
  readonly folder: string
  readonly manifest: McpOverAcp.JsonObject
}

/** The crates that the manifest in a folder names, for each kind of build and for each system. */
export const cratesIn = (
  folder: string,
  manifest: McpOverAcp.JsonObject,
  workspace: Workspace | undefined,
  warn: Warn
): ReadonlyArray<NamedCrate> =>
  [manifest, ...Object.values(McpOverAcp.objectOf(manifest["target"]))].flatMap((one) =>
    tables.flatMap((table) =>
      Object.entries(McpOverAcp.objectOf(member(one, table))).flatMap(([key, value]) => {
        const isShared = member(value, "workspace") === true && workspace !== undefined
        const crate = isShared
          ? crateOf(key, member(workspace.manifest, "workspace", "dependencies", key), workspace.folder)
          : crateOf(key, value, folder)
        if (isCrateName(crate.name)) return [crate]
        warn(`${JSON.stringify(crate.name.slice(0, 100))} is no name of a crate.`)
        return []
      })
    )
  )

/** The patterns of a workspace's members; undefined if the manifest is not that of a workspace. */
export const membersIn = (manifest: McpOverAcp.JsonObject): unknown =>
  McpOverAcp.isJsonObject(manifest["workspace"]) ? (member(manifest, "workspace", "members") ?? []) : undefined

/** The crate whose manifest this is. */
export const packageIn = (manifest: McpOverAcp.JsonObject) => ({
  name: member(manifest, "package", "name"),
  version: member(manifest, "package", "version"),
  metadata: member(manifest, "package", "metadata", "symposium")
})
