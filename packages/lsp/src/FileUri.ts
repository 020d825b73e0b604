/** Paths of this machine as `file:` uris, and back. Servers spell one uri in several ways, so paths are compared. */
import { fileURLToPath, pathToFileURL } from "node:url"

/** The uri of an absolute path. */
export const of = (path: string): string => pathToFileURL(path).href

/** The absolute path of a uri. Undefined if the uri names no file of this machine. */
export const pathOf = (uri: string): string | undefined => {
  if (!uri.startsWith("file:")) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
