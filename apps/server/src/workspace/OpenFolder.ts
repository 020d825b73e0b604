/**
 * A folder that is held open: what is done in it happens in it, whatever is put in the place of its path meanwhile. That takes
 * `/proc`; where there is none, each step is followed by a look at where the path leads by then.
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
  /** The path of something in it, for the system. */
  readonly at: (name: string) => string
}

/** What the system says of the place of something that is open; undefined where it says nothing. */
const systemPlace = async (handle: FileHandle): Promise<string | undefined> => {
  const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  const removed = " (deleted)"
  const isRemoved = place?.endsWith(removed) === true && (await handle.stat()).nlink === 0
  return isRemoved ? place.slice(0, -removed.length) : place
}

/** The present path of something that was opened as `path`, without links; undefined where it can't be told any more. */
export const placeOf = async (handle: FileHandle, path: string): Promise<string | undefined> => {
  const place = await systemPlace(handle)
  if (place !== undefined) return place
  // The next best: the path leads there still, or again.
  const real = await follow(path)
  const [opened, there] = await Promise.all([handle.stat(), lstat(real.path)])
  return opened.dev === there.dev && opened.ino === there.ino ? real.path : undefined
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Fails where the last part of the path is a link or no folder. */
export const open = async (path: string): Promise<OpenFolder> => {
  const handle = await openFile(path, flags)
  const isAnchored = (await systemPlace(handle)) !== undefined
  return { handle, path, at: (name) => join(isAnchored ? `/proc/self/fd/${handle.fd}` : path, name) }
}

/** Makes a folder in this one, and says whether there was none. */
export const make = (folder: OpenFolder, name: string): Promise<boolean> =>
  mkdir(folder.at(name)).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false
      throw error
    }
  )
