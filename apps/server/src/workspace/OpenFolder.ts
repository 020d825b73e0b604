/**
 * A folder that is held open. Work in it stays in it, even if its path is replaced meanwhile. That needs `/proc`.
 * Without `/proc`, each step is followed by a check of where the path leads then.
 */
import { constants } from "node:fs"
import { type FileHandle, lstat, mkdir, open as openFile, readlink } from "node:fs/promises"
import { join } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"
import { follow } from "./Containment.ts"

export interface OpenFolder {
  readonly handle: FileHandle
  /** The path under which it was opened. */
  readonly path: string
  /** The path of an entry of the folder, to pass to the system. */
  readonly at: (name: string) => string
}

/** The path of an open file, as the system reports it; undefined if it reports none. */
const systemPlace = async (handle: FileHandle): Promise<string | undefined> => {
  const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  const removed = " (deleted)"
  const isRemoved = place?.endsWith(removed) === true && (await handle.stat()).nlink === 0
  return isRemoved ? place.slice(0, -removed.length) : place
}

/** The current path of a file that was opened as `path`, without links. Undefined if it can't be found out any more. */
export const placeOf = async (handle: FileHandle, path: string): Promise<string | undefined> => {
  const place = await systemPlace(handle)
  if (place !== undefined) return place
  // Without a report of the system: check whether the path still leads to the open file.
  const real = await follow(path)
  const [opened, there] = await Promise.all([handle.stat(), lstat(real.path)])
  return opened.dev === there.dev && opened.ino === there.ino ? real.path : undefined
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a folder. Fails if the last part of the path is a link, or no folder. */
export const open = async (path: string): Promise<OpenFolder> => {
  const handle = await openFile(path, flags)
  const isAnchored = (await systemPlace(handle)) !== undefined
  return { handle, path, at: (name) => join(isAnchored ? `/proc/self/fd/${handle.fd}` : path, name) }
}

/** Makes a folder in this one. False if it existed already. */
export const make = (folder: OpenFolder, name: string): Promise<boolean> =>
  mkdir(folder.at(name)).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false
      throw error
    }
  )
