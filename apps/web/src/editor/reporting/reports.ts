/** A document of the page in the words of the server: in full, or what has changed since a version. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { TextChange } from "@signalbox/contracts/DocumentReport"
import type { ChangeSet, Text } from "@codemirror/state"
import { changesBetween, type Version } from "./changeLog.ts"
import { positionOf } from "./positions.ts"

/** What the server has of a document. */
export interface Reported {
  readonly version: Version
  readonly lineEnd: LineEnd
}

/** More changes than that are reported as the whole text. */
const mostChanges = 200

const separators: { readonly [End in LineEnd]: string } = { lf: "\n", crlf: "\r\n", cr: "\r", mixed: "\n" }

export const textOf = (text: Text, lineEnd: LineEnd): string => text.sliceString(0, text.length, separators[lineEnd])

/**
 * The changes since what was reported. Several keys in a row are one change, as if somebody had typed faster. Undefined if
 * only the whole text says it.
 */
export const changesSince = (
  reported: Reported,
  { lineEnd, version }: Reported
): ReadonlyArray<TextChange> | undefined => {
  if (reported.lineEnd !== lineEnd) return undefined
  const whole = () => [{ text: textOf(version.doc, lineEnd) }]
  // A change may join two line ends to one, or part one. Only the whole text is sure there.
  if (lineEnd === "mixed") return whole()
  const sets = changesBetween(reported.version, version)
  if (sets === undefined) return undefined
  const [first, ...more] = sets
  if (first === undefined) return []
  const set = more.reduce((before, next) => before.compose(next), first)
  const changes = changesOf(reported.version.doc, set, lineEnd)
  return changes.length > mostChanges ? whole() : changes
}

/** From the last to the first: so none moves the place of another. Each begins and ends between two characters. */
const changesOf = (before: Text, set: ChangeSet, lineEnd: LineEnd): ReadonlyArray<TextChange> => {
  const changes: Array<TextChange> = []
  set.iterChanges((from, to, _from, _to, inserted) => {
    const start = isInside(before, from) ? from - 1 : from
    const end = isInside(before, to) ? to + 1 : to
    const text = before.sliceString(start, from) + textOf(inserted, lineEnd) + before.sliceString(to, end)
    changes.push({
      range: { start: positionOf(before, lineEnd, start), end: positionOf(before, lineEnd, end) },
      text
    })
  })
  return changes.reverse()
}

/** Whether an offset is between the two halves of a character. */
const isInside = (doc: Text, offset: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(doc.sliceString(Math.max(0, offset - 1), offset + 1))
