/**
 * Announces a running server to programs of its owner: its address and token, in a file that only the owner can read.
 */
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"

export interface ServerFile {
  readonly url: string
  readonly pid: number
  readonly token: string
}

/**
 * Keeps the file at `path` while the scope lives. Readers never see a partial file, and others can't read it. The
 * server also runs if the file can't be written: e.g. on a full disk, or if a folder has its name.
 */
export const keep = (path: string, content: ServerFile) =>
  Effect.acquireRelease(
    Effect.try({ try: () => write(path, content), catch: messageOf }).pipe(
      Effect.catch((reason) =>
        Effect.logWarning(`Other commands of Signalbox will not find this server: ${path} can't be written: ${reason}.`)
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

/** Removes the file, unless a newer server has replaced it. */
const removeOwn = (path: string, { token }: ServerFile): void => {
  try {
    if (statSync(path).isFile() && readFileSync(path, "utf8").includes(token)) rmSync(path, { force: true })
  } catch {
    // The file is gone already.
  }
}
