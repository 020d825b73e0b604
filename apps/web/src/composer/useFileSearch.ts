import type { FoundFile } from "@signalbox/contracts/FileSearch"
import { useEffect, useState } from "react"
import { searchFiles } from "../connection/commands.ts"

/** The most files that are offered at once. */
const offered = 20

/** Milliseconds after a letter until the server is asked. */
const pause = 60

const none: ReadonlyArray<FoundFile> = []

/** The files that may be meant by a query, those of the query before until the answer is there; none while nothing is sought. */
export const useFileSearch = (cwd: string, query: string | undefined): ReadonlyArray<FoundFile> => {
  const [found, setFound] = useState(none)
  useEffect(() => {
    if (query === undefined) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      searchFiles({ cwd, query, limit: offered }, abort.signal).then(
        ({ files }) => {
          if (!abort.signal.aborted) setFound(files)
        },
        () => {
          // Without an answer there is nothing to offer; what is written stays what it is.
          if (!abort.signal.aborted) setFound(none)
        }
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [cwd, query])
  return query === undefined ? none : found
}
