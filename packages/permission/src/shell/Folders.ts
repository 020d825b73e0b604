/** In which folder a command leaves the shell. */
import { posix } from "node:path"

/** Relative to where the line begins, or absolute. Null: known when it runs only. Undefined: the shell has ended before. */
export type Folder = string | null | undefined

/** The folder after a command that succeeds, and after one that fails. */
export interface Outcome {
  readonly success: Folder
  readonly failure: Folder
}

export const both = (folder: Folder): Outcome => ({ success: folder, failure: folder })

/** The folder of what comes after one of two ways. */
export const merged = (one: Folder, other: Folder): Folder => {
  if (one === undefined) return other
  return other === undefined || one === other ? one : null
}

export const after = ({ failure, success }: Outcome): Folder => merged(success, failure)

/** The folder behind `cd`. `..` is taken as text, as shells do. */
export const joined = (folder: Folder, path: string): Folder => {
  if (posix.isAbsolute(path)) return trimmed(posix.normalize(path))
  return typeof folder === "string" ? trimmed(posix.join(folder, path)) : null
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)
