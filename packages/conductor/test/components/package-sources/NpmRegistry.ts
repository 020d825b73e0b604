/** A registry of npm on loopback, with packages that a test makes. */
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { tarOf, type TarEntry } from "../../../../archive/test/support/TarText.ts"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { isThere } from "./ProgramThere.ts"

/** Whether there is an npm to run. Tests that need it are skipped otherwise. */
export const npmIsThere = isThere("npm")

export interface Published {
  readonly version: string
  readonly archive: Buffer
  /** What the registry says of the archive, if that is not the truth. */
  readonly integrity?: string | undefined
}

/** The archive of a version, with more entries. */
export const archiveOf = (name: string, version: string, ...more: ReadonlyArray<TarEntry>): Buffer =>
  tarOf(
    {
      path: "package/package.json",
      text: JSON.stringify({ name, version, repository: { url: "https://example.org/repo.git", directory: "pkg" } })
    },
    { path: "package/src/index.js", text: `export const version = "${version}"\n` },
    ...more
  )

/** Serves packages until the scope closes, and gives npm a cache of its own. */
export const serve = (packages: Readonly<Record<string, ReadonlyArray<Published>>>) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly url: string
      readonly asked: Array<string>
      readonly stop: () => void
      readonly before: string | undefined
    }>((resume) => {
      const asked: Array<string> = []
      const before = process.env["npm_config_cache"]
      process.env["npm_config_cache"] = temporaryFolder("npm-cache")
      const server = createServer((request, response) => {
        const path = decodeURIComponent(request.url ?? "").slice(1)
        asked.push(path)
        const [name = "", archived] = path.split("/-/")
        const versions = packages[name]
        const one = versions?.find(({ version }) => archived === `${version}.tgz`)
        if (one !== undefined) return void response.end(one.archive)
        if (versions === undefined || archived !== undefined) return void response.writeHead(404).end("{}")
        const origin = `http://${request.headers.host}`
        response.setHeader("content-type", "application/json")
        response.end(
          JSON.stringify({
            name,
            "dist-tags": { latest: versions.at(-1)?.version },
            versions: Object.fromEntries(
              versions.map(({ archive, integrity, version }) => [
                version,
                {
                  name,
                  version,
                  dist: {
                    tarball: `${origin}/${name}/-/${version}.tgz`,
                    integrity: integrity ?? `sha512-${createHash("sha512").update(archive).digest("base64")}`
                  }
                }
              ])
            )
          })
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const stop = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, asked, stop, before }))
      })
    }),
    ({ before, stop }) =>
      Effect.sync(() => {
        stop()
        if (before === undefined) delete process.env["npm_config_cache"]
        else process.env["npm_config_cache"] = before
      })
  )

/** A project that takes its packages from a registry. */
export const projectOf = (url: string): string => {
  const folder = temporaryFolder("project")
  writeFileSync(join(folder, "package.json"), '{"name":"mine"}')
  writeFileSync(join(folder, ".npmrc"), `registry=${url}\n`)
  return folder
}
