/** The names of files between a page and its agent: the paths of the page, and the URIs of the protocol. */
import * as Names from "../documents/PagePaths.ts"
import * as Sendable from "../editing/Sendable.ts"

export interface PagePaths extends Pick<Names.PagePaths, "name" | "named"> {
  /** The URI of a path, absolute or from the folder. */
  readonly uriOf: (path: string) => string
  /** The path of a URI as the page has named it, else from the folder. */
  readonly pathOf: (uri: string) => string
}

/** `folder`: that of the thread or of the editor, absolute. */
export const make = (folder: string): PagePaths => {
  const { absoluteOf, name, named } = Names.make(folder)
  return {
    uriOf: (path) => Sendable.uriOf(absoluteOf(path)),
    pathOf: (uri) => {
      const path = Sendable.pathOf(uri)
      return path === undefined ? uri : named(path)
    },
    named,
    name
  }
}
