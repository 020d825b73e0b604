/** The names of files between a page and its agent: the paths of the page, and the URIs of the protocol. */
import { resolvePath, shownPath } from "@signalbox/contracts/Paths"
import * as Sendable from "../editing/Sendable.ts"

export interface PagePaths {
  /** The URI of a path, absolute or from the folder of the thread. */
  readonly uriOf: (path: string) => string
  /** The path of a URI as the page has named it, else from the folder of the thread. */
  readonly pathOf: (uri: string) => string
  /** The path of an absolute one, as the page has named it. */
  readonly named: (absolute: string) => string
  /** Takes the name of a file that the page has. */
  readonly name: (path: string) => void
}

/** Most names that are kept. */
const mostNames = 2000

/** `folder`: that of the thread, absolute. */
export const make = (folder: string): PagePaths => {
  const names = new Map<string, string>()
  const absolute = (path: string): string => resolvePath(path, folder)
  const named = (path: string): string => names.get(path) ?? shownPath(path, folder)
  return {
    uriOf: (path) => Sendable.uriOf(absolute(path)),
    pathOf: (uri) => {
      const path = Sendable.pathOf(uri)
      return path === undefined ? uri : named(path)
    },
    named,
    name: (path) => {
      const key = absolute(path)
      if (names.size >= mostNames && !names.has(key)) names.delete(names.keys().next().value ?? "")
      names.set(key, path)
    }
  }
}
