/** The repository as far as imports need it: its source trees, their files, and what its packages export. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix, sep } from "node:path"
import { isRecord } from "./RoomList.ts"

export interface Package {
  readonly name: string
  readonly folder: string
  /** Source files by path, both with `*` for a part of it; anything but a text is not exported. */
  readonly exports: Readonly<Record<string, unknown>>
}

export interface Workspace {
  readonly packages: ReadonlyArray<Package>
  /** Files by source tree. All paths are relative to the root, with `/`. */
  readonly trees: ReadonlyMap<string, ReadonlyArray<string>>
  readonly textOf: (file: string) => string
}

/** The folders of packages. */
const shelves = ["packages", "apps"]

/** Reads `src` of every package, and the trees that the list names besides. */
export const read = (root: string, listed: Iterable<string>): Workspace => {
  const packages = shelves.flatMap((shelf) => foldersIn(root, shelf)).flatMap((folder) => packageIn(root, folder))
  const sources = packages.map(({ folder }) => `${folder}/src`)
  const trees = [...new Set([...sources, ...listed])].filter((tree) => existsSync(join(root, tree)))
  return {
    packages,
    trees: new Map(trees.map((tree) => [tree, filesBelow(root, tree)])),
    textOf: (file) => readFileSync(join(root, file), "utf8")
  }
}

const foldersIn = (root: string, shelf: string): ReadonlyArray<string> =>
  existsSync(join(root, shelf))
    ? readdirSync(join(root, shelf), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${shelf}/${name}`)
        .sort()
    : []

const packageIn = (root: string, folder: string): ReadonlyArray<Package> => {
  const manifest = join(root, folder, "package.json")
  if (!existsSync(manifest)) return []
  const read: unknown = JSON.parse(readFileSync(manifest, "utf8"))
  if (!isRecord(read)) return []
  const { exports, name } = read
  return typeof name === "string" ? [{ name, folder, exports: isRecord(exports) ? exports : {} }] : []
}

const filesBelow = (root: string, tree: string): ReadonlyArray<string> =>
  readdirSync(join(root, tree), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, ".").length + 1))
    .map((path) => path.split(sep).join(posix.sep))
    .sort()

/** Whether a file has imports that can be read. */
export const isCode = (file: string): boolean => /\.[mc]?[jt]sx?$/.test(file)
