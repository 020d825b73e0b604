/** Cargo's own folder: the sources of crates that it has unpacked, and the archives that it has downloaded. */
import * as Effect from "effect/Effect"
import { readdir, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import * as CrateName from "./CrateName.ts"

export const folder = (): string => process.env["CARGO_HOME"] ?? join(homedir(), ".cargo")

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false
  )

const registriesIn = (kind: "src" | "cache") =>
  readdir(join(folder(), "registry", kind)).catch((): ReadonlyArray<string> => [])

/** The archive of a crate that Cargo has downloaded; undefined if there is none. */
export const archive = (name: string, version: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (const registry of await registriesIn("cache"))
      for (const spelling of CrateName.spellings(name)) {
        const path = join(folder(), "registry", "cache", registry, `${spelling}-${version}.crate`)
        if (await isThere(path)) return path
      }
    return undefined
  })

/**
 * The folder of a crate that Cargo has unpacked; undefined if there is none. All registries are looked through: a mirror has a folder of
 * its own, with the name of its host.
 */
export const unpacked = (name: string, version: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (const registry of await registriesIn("src"))
      for (const spelling of CrateName.spellings(name)) {
        const path = join(folder(), "registry", "src", registry, `${spelling}-${version}`)
        // Cargo writes this file when the crate is whole.
        if (await isThere(join(path, ".cargo-ok"))) return path
      }
    return undefined
  })
