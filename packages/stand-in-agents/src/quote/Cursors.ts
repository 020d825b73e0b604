/** Keeps where each session is in the text, in files that outlive the process. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** What a session id may be: it names a file. */
const isName = (sessionId: string): boolean => /^[\w-]{1,64}$/.test(sessionId)

export interface Cursors {
  /** How many quotes a session has heard; undefined if there is no such session. */
  readonly get: (sessionId: string) => number | undefined
  readonly set: (sessionId: string, heard: number) => void
}

/** @param folder is made if it is not there */
export const make = (folder: string): Cursors => {
  mkdirSync(folder, { recursive: true })
  return {
    get: (sessionId) => {
      if (!isName(sessionId)) return undefined
      try {
        const heard = Number(readFileSync(join(folder, sessionId), "utf8"))
        return Number.isSafeInteger(heard) && heard >= 0 ? heard : undefined
      } catch {
        return undefined
      }
    },
    set: (sessionId, heard) => writeFileSync(join(folder, sessionId), String(heard))
  }
}
