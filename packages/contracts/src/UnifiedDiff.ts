/** Two texts as a unified diff. Limited: texts that are too large to compare have none. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff"

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
  const { after, before, linesBefore } = different(oldText, newText, context)
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context,
    maxEditLength: mostChanges
  })
  if (patch === undefined) return undefined
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + linesBefore,
    newStart: hunk.newStart + linesBefore
  }))
  return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY)
}

/**
 * The whole lines in which two texts differ, with the lines around them. A small change of a large text is compared as
 * fast as one of a small text.
 */
const different = (oldText: string, newText: string, context: number) => {
  const most = Math.min(oldText.length, newText.length)
  let same = 0
  while (same < most && oldText.charCodeAt(same) === newText.charCodeAt(same)) same++
  let sameEnd = 0
  const isSameAtEnd = (back: number) =>
    oldText.charCodeAt(oldText.length - 1 - back) === newText.charCodeAt(newText.length - 1 - back)
  while (sameEnd < most - same && isSameAtEnd(sameEnd)) sameEnd++
  let start = lineStart(oldText, same)
  for (let lines = 0; lines < context && start > 0; lines++) start = lineStart(oldText, start - 1)
  let end = oldText.length - sameEnd
  for (let lines = 0; lines <= context; lines++) end = lineEnd(oldText, end)
  const behind = oldText.length - end
  return {
    before: oldText.slice(start, end),
    after: newText.slice(start, newText.length - behind),
    linesBefore: breaksIn(oldText, start)
  }
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)

const lineEnd = (text: string, at: number): number => {
  const next = text.indexOf("\n", at)
  return next === -1 ? text.length : next + 1
}

const breaksIn = (text: string, end: number): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++
  return count
}
