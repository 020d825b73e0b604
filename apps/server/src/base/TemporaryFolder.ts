/** Temporary folders of our own. They are removed however we end, unless we are killed. */
import * as Effect from "effect/Effect"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Folders that are there still: whoever is in a hurry ends us before their scopes close. */
const folders = new Set<string>()

const remove = (folder: string): void => {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true })
}

const atExit = (): void => folders.forEach(remove)

/** Makes a folder that is there until the scope closes or the process exits. `name`: what it is for, in one word. */
export const make = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), `signalbox-${name}-`)))
      folders.add(folder)
      process.off("exit", atExit).once("exit", atExit)
      return folder
    }),
    (folder) => Effect.sync(() => remove(folder))
  )
