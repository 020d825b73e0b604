/** Every import between the files of the repository, and every one of a module from outside. */
import { readImports } from "./ImportReader.ts"
import { resolver, type Target } from "./Resolver.ts"
import { isCode, type Workspace } from "./Workspace.ts"

export interface Import {
  readonly from: string
  readonly line: number
  readonly specifier: string
  readonly target: Target
}

/** An import of another file. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly line: number
}

export const importsOf = (workspace: Workspace): ReadonlyArray<Import> => {
  const resolve = resolver(workspace)
  return [...workspace.trees.values()]
    .flat()
    .filter(isCode)
    .flatMap((from) =>
      readImports(from, workspace.textOf(from)).map(({ line, specifier }) => ({
        from,
        line,
        specifier,
        target: resolve(from, specifier)
      }))
    )
}

export const edgesOf = (imports: ReadonlyArray<Import>): ReadonlyArray<Edge> =>
  imports.flatMap(({ from, line, target }) => (target.type === "file" ? [{ from, to: target.file, line }] : []))
