/** Registries of crates on the disk, made from the small crate in `test/fixtures/crates`. */
import { tarOf } from "../../../../archive/test/support/TarText.ts"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { isThere } from "./ProgramThere.ts"

const greeting = fileURLToPath(new URL("../../fixtures/crates/greeting", import.meta.url))

/** Whether there is a cargo to run. Tests that need it are skipped otherwise. */
export const cargoIsThere = isThere("cargo")

const write = (folder: string, name: string, text: string): void => {
  const path = join(folder, name)
  mkdirSync(join(path, ".."), { recursive: true })
  writeFileSync(path, text)
}

const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile())

/** Writes one version of the crate into a folder. */
export const writeCrate = (folder: string, version: string, name = "greeting"): void => {
  cpSync(greeting, folder, { recursive: true })
  for (const file of ["Cargo.toml", "src/lib.rs"]) {
    const text = readFileSync(join(folder, file), "utf8")
    write(folder, file, text.replaceAll("1.0.0", version).replace('name = "greeting"', `name = "${name}"`))
  }
}

/** Adds one version of the crate to a folder of vendored crates. */
export const vendor = (folder: string, version: string, name = "greeting"): string => {
  const crate = join(folder, `${name}-${version}`)
  writeCrate(crate, version, name)
  const files = Object.fromEntries(
    filesIn(crate).map((file) => [relative(crate, join(crate, file)), sha256(readFileSync(join(crate, file)))])
  )
  write(crate, ".cargo-checksum.json", JSON.stringify({ files, package: sha256(`${name} ${version}`) }))
  return crate
}

/** The archive of one version, as `cargo package` makes it. */
export const packed = (version: string, name = "greeting"): { readonly archive: Buffer; readonly checksum: string } => {
  const folder = temporaryFolder("crate")
  const crate = join(folder, `${name}-${version}`)
  writeCrate(crate, version, name)
  const archive = tarOf(
    ...filesIn(crate).map((file) => ({
      path: `${name}-${version}/${file}`,
      text: readFileSync(join(crate, file), "utf8")
    }))
  )
  return { archive, checksum: sha256(archive) }
}

/** The file of the index that has the versions of a crate. */
const placeOf = (name: string): string => join(name.slice(0, 2), name.slice(2, 4), name)

/** Adds one version of the crate to a registry in a folder: archives, and an index of them. */
export const publish = (folder: string, version: string, name = "greeting"): void => {
  const { archive, checksum } = packed(version, name)
  writeFileSync(join(folder, `${name}-${version}.crate`), archive)
  const line = { name, vers: version, deps: [], cksum: checksum, features: { loud: [] }, yanked: false }
  const place = join(folder, "index", placeOf(name))
  mkdirSync(join(place, ".."), { recursive: true })
  appendFileSync(place, `${JSON.stringify(line)}\n`)
}

/** Serves a registry on loopback until the scope closes, or until it is stopped. */
export const serve = (folder: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly stop: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const path = (request.url ?? "").slice(1)
        if (path === "index/config.json")
          return void response.end(JSON.stringify({ dl: `http://${request.headers.host}/{crate}-{version}.crate` }))
        try {
          response.end(readFileSync(join(folder, path)))
        } catch {
          response.writeHead(404).end()
        }
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const stop = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, stop }))
      })
    }),
    ({ stop }) => Effect.sync(stop)
  )

/** A project that takes its crates from a source, as TOML of `[source.here]`. */
export const project = (source: string, lock?: string): string => {
  const folder = temporaryFolder("project")
  write(folder, "Cargo.toml", '[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n')
  write(folder, "src/lib.rs", "")
  write(
    folder,
    ".cargo/config.toml",
    `[source.crates-io]\nreplace-with = "here"\n[source.here]\n${source}\n[build]\nrustc = "./never-run"\n`
  )
  if (lock !== undefined) write(folder, "Cargo.lock", lock)
  return folder
}

/** Gives Cargo an empty folder of its own until the scope closes. */
export const ownCargoHome = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.env["CARGO_HOME"]
    const folder = temporaryFolder("cargo-home")
    process.env["CARGO_HOME"] = folder
    return { before, folder }
  }),
  ({ before }) =>
    Effect.sync(() => {
      if (before === undefined) delete process.env["CARGO_HOME"]
      else process.env["CARGO_HOME"] = before
    })
)
