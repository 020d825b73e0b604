/**
 * The part of a project's Cargo settings that says where crates come from. Other settings may name programs that Cargo would run, so they
 * are left out.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { parse, stringify, type TomlTable } from "smol-toml"
import * as CargoHome from "./CargoHome.ts"

const isTable = (value: unknown): value is TomlTable => Predicate.isObject(value) && !Array.isArray(value)

/** Members of a source that are paths, relative to the folder that holds `.cargo`. */
const paths: ReadonlySet<string> = new Set(["directory", "local-registry"])
const kept: ReadonlySet<string> = new Set(["replace-with", "registry", "directory", "local-registry"])

const sourceIn = (source: TomlTable, folder: string): TomlTable =>
  Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      kept.has(name) && typeof value === "string"
        ? [[name, paths.has(name) ? resolve(folder, value) : value] as const]
        : []
    )
  )

const tablesIn = (value: unknown, of: (table: TomlTable) => TomlTable): TomlTable =>
  isTable(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => (isTable(one) ? [[name, of(one)] as const] : []))
      )
    : {}

const readConfig = async (folder: string) => {
  for (const name of ["config.toml", "config"]) {
    const text = await readFile(join(folder, ".cargo", name), "utf8").catch(() => undefined)
    if (text !== undefined) return parse(text)
  }
  return undefined
}

/** The settings for a folder, as TOML: the nearest file counts most. What can't be read is left out. */
export const sourcesFor = (cwd: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const source = new Map<string, TomlTable>()
    const registries = new Map<string, TomlTable>()
    const add = (tables: Map<string, TomlTable>, found: TomlTable) => {
      for (const [name, table] of Object.entries(found))
        if (isTable(table) && !tables.has(name)) tables.set(name, table)
    }
    for (let folder = resolve(cwd); ; folder = dirname(folder)) {
      // Cargo reads its own folder by itself.
      const isCargos = join(folder, ".cargo") === resolve(CargoHome.folder())
      const config = isCargos ? undefined : await readConfig(folder).catch(() => undefined)
      add(
        source,
        tablesIn(config?.["source"], (one) => sourceIn(one, folder))
      )
      add(
        registries,
        tablesIn(config?.["registries"], ({ index }) => (typeof index === "string" ? { index } : {}))
      )
      if (dirname(folder) === folder)
        return stringify({ source: Object.fromEntries(source), registries: Object.fromEntries(registries) })
    }
  })
