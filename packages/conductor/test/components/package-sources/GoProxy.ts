/** A proxy of Go modules as files, and a real `go` that asks no other one. */
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { zipOf } from "../../../../archive/test/support/ZipText.ts"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { isThere } from "./ProgramThere.ts"

/** Whether there is a `go` to run. Tests that need it are skipped otherwise. */
export const goIsThere = isThere("go", "version")

/** Modules by their path, each with its versions. */
export type Modules = Readonly<Record<string, ReadonlyArray<string>>>

const write = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Writes the files of a proxy, and returns its address. */
export const of = (modules: Modules): string => {
  const folder = temporaryFolder("go-proxy")
  for (const [name, versions] of Object.entries(modules)) {
    write(join(folder, name, "@v", "list"), `${versions.join("\n")}\n`)
    for (const version of versions) {
      const goMod = `module ${name}\n`
      const at = (ending: string) => join(folder, name, "@v", `${version}.${ending}`)
      write(at("info"), JSON.stringify({ Version: version, Time: "2026-01-02T03:04:05Z" }))
      write(at("mod"), goMod)
      const inside = `${name}@${version}`
      const source = { path: `${inside}/left.go`, text: `package left\n\nconst Version = "${version}"\n` }
      write(at("zip"), zipOf({ path: `${inside}/go.mod`, text: goMod }, source))
    }
  }
  return pathToFileURL(folder).href
}

/** Has Go ask this proxy, with a cache of its own, until the scope closes. */
export const use = (proxy: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // Folders of the cache can be removed afterwards.
      const wanted = { GOPROXY: proxy, GOSUMDB: "off", GOMODCACHE: temporaryFolder("go-cache"), GOFLAGS: "-modcacherw" }
      const before = Object.keys(wanted).map((name) => [name, process.env[name]] as const)
      Object.assign(process.env, wanted)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const [name, value] of before)
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
      })
  )
