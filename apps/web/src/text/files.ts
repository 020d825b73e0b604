/** The thread whose files the texts around may name. Without one, names of files are words. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { pathWithin } from "@signalbox/contracts/Paths"
import { createContext, useContext, useMemo } from "react"
import { fileHref } from "../browser/hrefs.ts"

export interface Files {
  readonly threadId: ThreadId
  /** The folder of the thread. Only what is below it is opened. */
  readonly cwd: string
}

export const FilesContext = createContext<Files | undefined>(undefined)

export const useFiles = (): Files | undefined => useContext(FilesContext)

/** The address of a file in the editor. Undefined outside of the thread's folder, and where no thread is known. `line`: from 1. */
export const useFileHref = (path: string | undefined, line?: number): string | undefined => {
  const files = useFiles()
  const within = files && path !== undefined ? pathWithin(path, files.cwd) : undefined
  return files && within !== undefined ? fileHref(files.threadId, within, line) : undefined
}

/** A value for the context that stays the same as long as its members do. */
export const useFilesOf = (threadId: ThreadId | undefined, cwd: string): Files | undefined =>
  useMemo(() => (threadId === undefined ? undefined : { threadId, cwd }), [threadId, cwd])
