/** Finds what an import means: a file of the repository, or a module from outside. */
import { posix } from "node:path"
import { isRecord } from "./RoomList.ts"
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
      : known(exported(found, specifier.slice(name.length), files), name)
  }
}

/** `effect` of `effect/Effect`, `@signalbox/acp` of `@signalbox/acp/Lenient`. */
export const packageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** The source file that a package gives for `/Lenient`, or for the empty path. */
const exported = ({ exports, folder }: Package, path: string, files: ReadonlySet<string>): string | undefined => {
  const entries =
    isRecord(exports) && Object.keys(exports).some((key) => key.startsWith(".")) ? exports : { ".": exports }
  const key = `.${path}`
  if (Object.hasOwn(entries, key)) return sourceOf(targets(entries[key]), "", folder, files)
  const patterns = Object.keys(entries)
    .filter((pattern) => fill(pattern, key) !== undefined)
    .sort((one, other) => other.length - one.length)
  const [pattern] = patterns
  return pattern === undefined
    ? undefined
    : sourceOf(targets(entries[pattern]), fill(pattern, key) ?? "", folder, files)
}

/** What `*` of a pattern stands for in a path. */
const fill = (pattern: string, path: string): string | undefined => {
  const [before, after] = pattern.split("*")
  if (before === undefined || after === undefined) return undefined
  const fits = path.length > before.length + after.length && path.startsWith(before) && path.endsWith(after)
  return fits ? path.slice(before.length, path.length - after.length) : undefined
}

/** All files that an export may mean, whatever the conditions are. */
const targets = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return value.flatMap(targets)
  return isRecord(value) ? Object.values(value).flatMap(targets) : []
}

/** A built file counts as the source that it is built from. */
const sourceOf = (
  targets: ReadonlyArray<string>,
  star: string,
  folder: string,
  files: ReadonlySet<string>
): string | undefined =>
  targets
    .map((target) => posix.join(folder, target.replaceAll("*", star)))
    .flatMap((file) => {
      const source = file.replace(`${folder}/dist/`, `${folder}/src/`).replace(/(?:\.d)?\.([mc]?)[jt]s$/, ".$1ts")
      return [file, source, source.replace(/\.ts$/, ".tsx")]
    })
    .find((file) => files.has(file))
