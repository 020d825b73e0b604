/**
 * The built page, read once at the server's start and served from memory. The list of files is fixed then, so no path
 * of a request ever reaches the file system.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { extname, join, relative, sep } from "node:path"

interface Asset {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly type: string
}

export interface Page {
  /**
   * The response to a GET or HEAD of `path`, conditional on `ifNoneMatch`. Paths without an extension are routes of the
   * page.
   */
  readonly respond: (path: string, ifNoneMatch: string | undefined) => HttpServerResponse.HttpServerResponse
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

const assetOf = (path: string, bytes: Uint8Array): Asset => ({
  bytes,
  type: types[extname(path).toLowerCase()] ?? "application/octet-stream",
  headers: {
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`,
    // The names of bundled files hold a hash of their content; everything else may change with the next build.
    "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache"
  }
})

const read = async (root: string): Promise<ReadonlyMap<string, Asset>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const assets = new Map<string, Asset>()
  // One after the other: there are many, and a machine may permit few open files.
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(root, file).split(sep).join("/")}`
    assets.set(path, assetOf(path, await readFile(file)))
  }
  return assets
}

const unbuilt = "The page has not been built yet. `npm start` builds it; then start the server again."

/** Reads the folder `root`. If it is missing, the server works too, and a text says how to build the page. */
export const load = (root: string): Effect.Effect<Page> =>
  Effect.tryPromise(() => read(root)).pipe(
    Effect.orElseSucceed((): ReadonlyMap<string, Asset> => new Map()),
    Effect.map((assets) => ({
      respond: (path, ifNoneMatch) => {
        const asset = assets.get(path) ?? (extname(path) === "" ? assets.get("/index.html") : undefined)
        if (asset === undefined) {
          const text = assets.size === 0 ? unbuilt : "There is nothing at this address."
          return HttpServerResponse.text(text, { status: assets.size === 0 ? 503 : 404 })
        }
        if (ifNoneMatch !== undefined && ifNoneMatch === asset.headers["etag"]) {
          return HttpServerResponse.empty({ status: 304, headers: asset.headers })
        }
        return HttpServerResponse.uint8Array(asset.bytes, { contentType: asset.type, headers: asset.headers })
      }
    }))
  )
