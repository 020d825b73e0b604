/** Finds what an import means: a file of the repository, or a module from outside. */
import { posix } from "node:path"
import type { Package, Workspace } from "./Workspace.ts"

export type Target =
  /** `name`: the package by whose name the file was asked for. */
  | { readonly type: "file"; readonly file: string; readonly name?: string }
  | { readonly type: "outside"; readonly module: string }
  /** A file that is not there, or that its package does not export. */
  | { readonly type: "missing" }

export const resolver = ({ packages, trees }: Workspace): ((from: string, specifier: string) => Target) => {
  const files = new Set([...trees.values()].flat())
  const named = new Map(packages.map((each) => [each.name, each]))
  const known = (file: string | undefined, name?: string): Target =>
    file !== undefined && files.has(file)
      ? { type: "file", file, ...(name !== undefined && { name }) }
      : { type: "missing" }
  return (from, specifier) => {
    // A bundler reads what stands behind `?`.
    if (specifier.startsWith(".")) return known(posix.join(posix.dirname(from), specifier.replace(/\?.*$/, "")))
    const name = packageName(specifier)
    const found = named.get(name)
    return found === undefined
      ? { type: "outside", module: specifier }
      : known(exported(found, specifier.slice(name.length)), name)
  }
}

/** `effect` of `effect/Effect`, `@signalbox/acp` of `@signalbox/acp/Lenient`. */
export const packageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** The source file that a package gives for `/Lenient`, or for the empty path. A longer pattern counts more than a shorter one. */
const exported = ({ exports, folder }: Package, path: string): string | undefined => {
  const key = `.${path}`
  const [pattern] = Object.keys(exports)
    .filter((pattern) => pattern === key || fill(pattern, key) !== undefined)
    .sort((one, other) => Number(other === key) - Number(one === key) || other.length - one.length)
  const target = pattern === undefined ? undefined : exports[pattern]
  if (pattern === undefined || typeof target !== "string") return undefined
  return posix.join(folder, target.replaceAll("*", fill(pattern, key) ?? ""))
}

/** What `*` of a pattern stands for in a path. */
const fill = (pattern: string, path: string): string | undefined => {
  const [before, after] = pattern.split("*")
  if (before === undefined || after === undefined) return undefined
  const fits = path.length > before.length + after.length && path.startsWith(before) && path.endsWith(after)
  return fits ? path.slice(before.length, path.length - after.length) : undefined
}
