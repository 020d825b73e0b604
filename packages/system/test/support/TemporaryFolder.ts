/** Folders for what a test needs on the disk. `apps/server/test/support/TestFile.ts` removes them when the test file has ended. */
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders = new Set<string>()

const remove = (folder: string): void => {
  folders.delete(folder)
  // A process that is being killed may write one more file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Makes a folder that is there until the test file has ended. */
export const temporaryFolder = (name = "test"): string => {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  folders.add(folder)
  return folder
}

/** Makes a folder that is there until the scope closes. */
export const scopedFolder = Effect.acquireRelease(
  Effect.sync(() => temporaryFolder()),
  (folder) => Effect.sync(() => remove(folder))
)

/** Removes every folder that was made here and is there still. */
export const removeAll = (): void => folders.forEach(remove)
