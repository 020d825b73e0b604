/** Tells programs of the same person that a server runs, where, and how to get in: a file that only its owner can read. */
import * as Effect from "effect/Effect"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"

export interface ServerFile {
  readonly url: string
  readonly pid: number
  readonly token: string
}

/** Keeps the file at `path` for as long as the scope lives. It is never half written, and never readable by others meanwhile. */
export const keep = (path: string, content: ServerFile) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const draft = `${path}.${process.pid}`
      rmSync(draft, { force: true })
      writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" })
      renameSync(draft, path)
    }),
    () => Effect.sync(() => removeOwn(path, content))
  )

/** A server that was started meanwhile has put its own there. */
const removeOwn = (path: string, { token }: ServerFile): void => {
  try {
    if (readFileSync(path, "utf8").includes(token)) rmSync(path, { force: true })
  } catch {
    // It is gone already.
  }
}
