import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Keeps sessions and settings, in the layout of Cursor's configuration folder. A folder that was not named by FAKE_CURSOR_STATE may belong
 * to a real Cursor. Without a `.fake-cursor` marker in it, it is neither read nor written, and everything lives in memory only.
 */
export class StateFolder {
  /** Absent when nothing may be kept. */
  readonly path: string | undefined

  constructor(path: string | undefined) {
    this.path = path
  }

  static of(variables: Variables): StateFolder {
    const own = variables["FAKE_CURSOR_STATE"]
    if (own !== undefined && own !== "") return new StateFolder(own)
    const xdg = variables["XDG_CONFIG_HOME"]
    const candidate =
      variables["CURSOR_CONFIG_DIR"] ?? (xdg === undefined ? join(homedir(), ".cursor") : join(xdg, "cursor"))
    return new StateFolder(existsSync(join(candidate, ".fake-cursor")) ? candidate : undefined)
  }

  read(...segments: ReadonlyArray<string>): string | undefined {
    if (this.path === undefined) return undefined
    const file = join(this.path, ...segments)
    return existsSync(file) ? readFileSync(file, "utf8") : undefined
  }

  /** @returns the file's path, or undefined when nothing may be kept. */
  write(text: string, ...segments: ReadonlyArray<string>): string | undefined {
    return this.#put(segments, (file) => writeFileSync(file, text))
  }

  append(text: string, ...segments: ReadonlyArray<string>): void {
    this.#put(segments, (file) => appendFileSync(file, text))
  }

  remove(...segments: ReadonlyArray<string>): void {
    if (this.path !== undefined) rmSync(join(this.path, ...segments), { recursive: true, force: true })
  }

  list(...segments: ReadonlyArray<string>): ReadonlyArray<string> {
    if (this.path === undefined) return []
    const folder = join(this.path, ...segments)
    return existsSync(folder) ? readdirSync(folder) : []
  }

  #put(segments: ReadonlyArray<string>, put: (file: string) => void): string | undefined {
    if (this.path === undefined) return undefined
    const file = join(this.path, ...segments)
    mkdirSync(dirname(file), { recursive: true })
    put(file)
    return file
  }
}
