/** Two texts as a unified diff. Limited: texts that are too large to compare have none. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff"

/** Most characters of both texts together, and most lines that differ by default. Beyond that there is no diff. */
const mostCharacters = 8 * 1024 * 1024
const defaultMostChanges = 2000

export interface Options {
  /** The path of the file, relative and with `/`. */
  readonly path: string
  readonly oldText: string
  readonly newText: string
  /** Lines around each change. */
  readonly context?: number
  /** Most characters of both texts from their first difference to their last. */
  readonly mostDifferent?: number
  /** Most lines that differ. */
  readonly mostChanges?: number
}

/**
 * The diff as `git apply` and `patch` take it, with a line break at its end. An empty text if nothing differs;
 * undefined if it can't be computed.
 */
export const unifiedDiff = ({
  context = 3,
  mostChanges = defaultMostChanges,
  mostDifferent = mostCharacters,
  newText,
  oldText,
  path
}: Options): string | undefined => {
  if (newText === oldText) return ""
  if (newText.length + oldText.length > mostCharacters) return undefined
  const { after, before, linesBefore } = different(oldText, newText, context)
  if (before.length + after.length > mostDifferent) return undefined
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
  const same = sameFor(most, (from, to) => oldText.slice(from, to) === newText.slice(from, to))
  const sameEnd = sameFor(most - same, (from, to) => endOf(oldText, from, to) === endOf(newText, from, to))
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

/** Characters that are compared at once. To compare each by itself takes ten times as long. */
const block = 4096

/** How many characters are the same one after the other, at most so many. `isSame` compares those of a stretch. */
const sameFor = (most: number, isSame: (from: number, to: number) => boolean): number => {
  let same = 0
  while (same + block <= most && isSame(same, same + block)) same += block
  while (same < most && isSame(same, same + 1)) same++
  return same
}

/** The characters between two distances from the end of a text. */
const endOf = (text: string, from: number, to: number): string => text.slice(text.length - to, text.length - from)

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
