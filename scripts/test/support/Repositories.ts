/** Small repositories on the disk, to be looked over. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Room } from "../../rooms/RoomList.ts"

const made: Array<string> = []

/** Writes files by path, and returns the folder. `remove` takes all of them away. */
export const repository = (files: Readonly<Record<string, string | object>>): string => {
  const root = mkdtempSync(join(tmpdir(), "signalbox-rooms-"))
  made.push(root)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content))
  }
  return root
}

export const remove = (): void => made.splice(0).forEach((root) => rmSync(root, { recursive: true }))

export const room = (imports: ReadonlyArray<string> = [], uses: ReadonlyArray<string> = []): Room => ({
  holds: "Something.",
  imports,
  uses
})

export const manifest = (name: string, exports: object = { "./*": "./src/*.ts" }) => ({ name, exports })
