/** The names of files below the session's folders: without links, as operations have them, and as the editor has them. Pure. */
import { isWithin } from "@signalbox/contracts/Paths"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import * as path from "node:path"

export interface FileNames {
  /** The editor knows the folders by the names that the thread has for them. */
  readonly inEditor: (place: string) => string
  readonly withoutLinks: (name: string) => string
}

/** The files of a session among all that a window has. */
export interface SessionFiles extends Pick<FileNames, "withoutLinks"> {
  /** @param place without links */
  readonly has: (place: string) => boolean
}

/** The innermost folder counts. */
const moved = (folders: ReadonlyArray<readonly [from: string, to: string]>) => {
  const inwards = folders.toSorted(([one], [other]) => other.length - one.length)
  return (file: string): string => {
    const [from, to] = inwards.find(([from]) => isWithin(from, file)) ?? []
    return from === undefined || to === undefined ? file : path.join(to, path.relative(from, file))
  }
}

/** @param folders the session's folders, by their names and without links */
export const make = (folders: SessionFolder["folders"]): FileNames => ({
  inEditor: moved(folders.map(({ name, root }) => [root, name])),
  withoutLinks: moved(folders.map(({ name, root }) => [name, root]))
})
