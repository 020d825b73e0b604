/** A user who may not read everything. Tests may run as root, who may. */
import { chmodSync, chownSync, existsSync, statSync } from "node:fs"
import { dirname } from "node:path"

const isRoot = process.getuid?.() === 0
const setpriv = "/usr/bin/setpriv"

/** Whether there is one. */
export const exists = !isRoot || existsSync(setpriv)

const id = 65_534
/** Others may pass a folder. */
const passing = 0o001

/** Gives a temporary file or folder to this user, who may then pass the folders above it. */
export const give = (path: string): void => {
  if (!isRoot) return
  chownSync(path, id, id)
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const { mode } = statSync(above)
    if ((mode & passing) === 0) chmodSync(above, mode | passing)
  }
}

/** The command before another one, so that it runs as this user. It may read what everybody may. */
export const within: ReadonlyArray<string> = isRoot ? [setpriv, `--reuid=${id}`, `--regid=${id}`, "--clear-groups"] : []
