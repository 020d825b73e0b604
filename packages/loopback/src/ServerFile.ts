/** Tells programs of the same person that a server runs, where, and how to get in: a file that only its owner can read. */
import * as Effect from "effect/Effect"
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"

export interface ServerFile {
  readonly url: string
  readonly pid: number
  readonly token: string
}

/**
 * Keeps the file at `path` for as long as the scope lives. It is never half written, and never readable by others meanwhile. The server
 * runs also where it can't be written: on a full disk, or where a folder has its name.
 */
export const keep = (path: string, content: ServerFile) =>
  Effect.acquireRelease(
    Effect.try({ try: () => write(path, content), catch: String }).pipe(
      Effect.catch((reason) =>
        Effect.logWarning(`Other commands of Signalbox will not find this server: ${path} can't be written. ${reason}`)
      )
    ),
    () => Effect.sync(() => removeOwn(path, content))
  )

const write = (path: string, content: ServerFile): void => {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** A server that was started meanwhile has put its own there. */
const removeOwn = (path: string, { token }: ServerFile): void => {
  try {
    if (statSync(path).isFile() && readFileSync(path, "utf8").includes(token)) rmSync(path, { force: true })
  } catch {
    // It is gone already.
  }
}
