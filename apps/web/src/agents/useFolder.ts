import { type Directory, DirectoryUnreadable } from "@signalbox/contracts/Directory"
import { useEffect, useState } from "react"
import { listDirectory, problemOf } from "../connection/commands.ts"

/** What is known about the path that is typed. */
export interface Folder {
  readonly path: string
  /** The folder itself when it is one, else the folder around it. */
  readonly listing: Directory | undefined
  /** Whether `path` is a folder that can be read. */
  readonly exists: boolean
  /** What its name must begin with, while it isn't one. */
  readonly prefix: string
  readonly reason?: string
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1) || "/"

const look = async (path: string, signal: AbortSignal): Promise<Folder> => {
  try {
    return { path, listing: await listDirectory(path, signal), exists: true, prefix: "" }
  } catch (error) {
    const reason = error instanceof DirectoryUnreadable ? error.reason : problemOf(error).cause
    const parent = parentOf(path)
    const listing = parent === path ? undefined : await listDirectory(parent, signal).catch(() => undefined)
    return { path, listing, exists: false, prefix: path.slice(parent.length), reason }
  }
}

/** The path that was meant: `~` is the person's home. */
export const meant = (typed: string, home: string): string =>
  typed === "~" || typed.startsWith("~/") ? home + typed.slice(1) : typed

/** Looks at a path, a moment after it was typed. Until it has looked, what it knows is about an earlier `path`. */
export const useFolder = (path: string): Folder | undefined => {
  const [folder, setFolder] = useState<Folder>()
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      look(path, abort.signal).then(
        (found) => {
          if (!abort.signal.aborted) setFolder(found)
        },
        (error: unknown) => {
          if (!abort.signal.aborted)
            setFolder({ path, listing: undefined, exists: false, prefix: "", reason: problemOf(error).cause })
        }
      )
    }, 60)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [path])
  return folder
}
