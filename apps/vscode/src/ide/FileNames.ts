/** The names of files that are below the session's folder: without links, as operations have them, and as the editor has them. Pure. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as path from "node:path"

export interface FileNames {
  /** The editor knows the folder by the name that the thread has for it. */
  readonly inEditor: (place: string) => string
  readonly withoutLinks: (name: string) => string
}

const moved = (from: string, to: string) => (file: string) =>
  isWithin(from, file) ? path.join(to, path.relative(from, file)) : file

/** @param root `cwd` without links */
export const make = (cwd: string, root: string): FileNames => ({
  inEditor: moved(root, cwd),
  withoutLinks: moved(cwd, root)
})
