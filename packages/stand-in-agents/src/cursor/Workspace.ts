import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"

/** A path that the emulator will not touch or cannot use, in words for the user. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError"
}

const fileLimit = 2_000
const skipped = new Set([".git", "node_modules", ".turbo", "dist"])

/** The files under a session's folder, and no others: symbolic links that lead out of it are refused, too. */
export class Workspace {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** The absolute path. @throws WorkspaceError when it is outside of the folder. */
  locate(path: string): string {
    const absolute = isAbsolute(path) ? resolve(path) : resolve(this.#root, path)
    let existing = absolute
    while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
    const root = realpathSync(this.#root)
    const real = realpathSync(existing)
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new WorkspaceError(`${path} is outside of the workspace`)
    return absolute
  }

  exists(path: string): boolean {
    return existsSync(this.locate(path))
  }

  read(path: string): string {
    const file = this.locate(path)
    if (!existsSync(file)) throw new WorkspaceError(`File not found: ${path}`)
    if (!statSync(file).isFile()) throw new WorkspaceError(`Not a file: ${path}`)
    return readFileSync(file, "utf8")
  }

  write(path: string, content: string | Uint8Array): void {
    const file = this.locate(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }

  remove(path: string): void {
    rmSync(this.locate(path))
  }

  names(): ReadonlyArray<string> {
    return readdirSync(this.#root).sort()
  }

  /** Files below the folder, relative to it; at most 2000, dependencies and build output left out. */
  files(): ReadonlyArray<string> {
    const found: Array<string> = []
    const open = [this.#root]
    for (let folder = open.shift(); folder !== undefined && found.length < fileLimit; folder = open.shift()) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (skipped.has(entry.name)) continue
        const path = join(folder, entry.name)
        if (entry.isDirectory()) open.push(path)
        else if (entry.isFile() && found.length < fileLimit) found.push(relative(this.#root, path))
      }
    }
    return found
  }

  /** How many lines of all files contain the words; files over 256 KB are passed over. */
  matchingLines(words: string): number {
    return this.files()
      .filter((path) => statSync(join(this.#root, path)).size < 256 * 1024)
      .flatMap((path) => readFileSync(join(this.#root, path), "utf8").split("\n"))
      .filter((line) => line.includes(words)).length
  }
}
