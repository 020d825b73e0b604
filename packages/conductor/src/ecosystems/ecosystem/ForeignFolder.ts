/** Reads files in a folder that other people wrote. No path and no link leads out of it, and no file is read beyond a bound. */
import { isMissing } from "@signalbox/system/SystemError"
import * as fs from "node:fs"
import { constants } from "node:fs"
import { realpath } from "node:fs/promises"
import { isAbsolute, join, relative, sep } from "node:path"

/** Why a file is not read, as a clause about it. */
export type Problem = "is not there" | "leads out of its folder" | "is no file" | "is too large" | "can't be read"

export type Outcome = { readonly text: string } | { readonly problem: Problem }

/** Whether a path is a folder, or in it. Both are without links. */
export const isIn = (folder: string, path: string): boolean => {
  const found = relative(folder, path)
  return found === "" || !(found === ".." || found.startsWith(`..${sep}`) || isAbsolute(found))
}

/**
 * The path in a folder, with symbolic links followed.
 *
 * @param root the folder, without links
 */
export const follow = async (
  root: string,
  path: string
): Promise<{ readonly path: string } | { readonly problem: Problem }> => {
  if (isAbsolute(path) || !isIn(root, join(root, path))) return { problem: "leads out of its folder" }
  try {
    const real = await realpath(join(root, path))
    return isIn(root, real) ? { path: real } : { problem: "leads out of its folder" }
  } catch (error) {
    return { problem: isMissing(error) ? "is not there" : "can't be read" }
  }
}

/** How a file is opened. A pipe or a device is not waited for. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK

/** Most files are shorter, so they need no further call. */
const firstBytes = 8 * 1024

/**
 * The text of a file, if it has so many bytes at most. The calls are those of Node with callbacks: many small files are read, and each object of a
 * promise's file costs more than the file.
 *
 * @param flags how the file is opened
 */
export const readText = (path: string, mostBytes: number, flags = reading): Promise<Outcome> =>
  new Promise((resolve) => {
    fs.open(path, flags, (error, file) => {
      if (error !== null) return resolve({ problem: isMissing(error) ? "is not there" : "can't be read" })
      const end = (outcome: Outcome) => {
        fs.close(file, () => {})
        resolve(outcome)
      }
      const readWhole = (bytes: number) =>
        fs.read(file, Buffer.allocUnsafe(bytes), 0, bytes, 0, (error, bytesRead, buffer) =>
          end(error === null ? { text: buffer.toString("utf8", 0, bytesRead) } : { problem: "can't be read" })
        )
      const look = () =>
        fs.fstat(file, (error, about) => {
          if (error !== null) return end({ problem: "can't be read" })
          if (!about.isFile()) return end({ problem: "is no file" })
          if (about.size > mostBytes) return end({ problem: "is too large" })
          // It may grow meanwhile.
          readWhole(about.size)
        })
      const bytes = Math.min(firstBytes, mostBytes)
      fs.read(file, Buffer.allocUnsafe(bytes), 0, bytes, null, (error, bytesRead, buffer) => {
        // An empty file, a pipe and a folder look alike here.
        if (error !== null || bytesRead === 0 || bytesRead === bytes) return look()
        end({ text: buffer.toString("utf8", 0, bytesRead) })
      })
    })
  })

/** The text of a file that is no link. Undefined if it is one, or can't be opened. */
export const readOwn = async (path: string, mostBytes: number): Promise<Outcome | undefined> => {
  const read = await readText(path, mostBytes, reading | constants.O_NOFOLLOW)
  return "problem" in read && read.problem === "can't be read" ? undefined : read
}
