/** Two texts as a unified diff. Limited: texts that are too large to compare have none. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"

/** Most characters of both texts together, and most lines that differ. Beyond that there is no diff. */
const mostCharacters = 8 * 1024 * 1024
const mostChanges = 2000

export interface Options {
  /** The path of the file, relative and with `/`. */
  readonly path: string
  readonly oldText: string
  readonly newText: string
  /** Lines around each change. */
  readonly context?: number
}

/**
 * The diff as `git apply` and `patch` take it, with a line break at its end. An empty text if nothing differs;
 * undefined if it can't be computed.
 */
export const unifiedDiff = ({ context = 3, newText, oldText, path }: Options): string | undefined => {
  if (newText === oldText) return ""
  if (newText.length + oldText.length > mostCharacters) return undefined
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, oldText, newText, undefined, undefined, {
    context,
    maxEditLength: mostChanges,
    headerOptions: FILE_HEADERS_ONLY
  })
}
