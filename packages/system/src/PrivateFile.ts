/** A file that only its owner may read and write. */
import { randomUUID } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import * as PrivateFolder from "./PrivateFolder.ts"

/**
 * Replaces a file in one step, or not at all: readers see the old or the new text. Makes its missing folders. A link at the path is replaced
 * itself. Throws the error of the operating system.
 */
export const replace = async (path: string, text: string): Promise<void> => {
  PrivateFolder.make(dirname(path))
  const aside = `${path}.${randomUUID()}`
  try {
    await writeFile(aside, text, { mode: 0o600, flag: "wx" })
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}
