/** The latest edits of a person, as unified diffs. Keystrokes that follow each other soon are one edit. */
import type { Lines } from "@signalbox/acp/Positions"
import { unifiedDiff } from "@signalbox/contracts/UnifiedDiff"

export interface PastEdit {
  readonly uri: string
  readonly diff: string
}

interface Under {
  readonly uri: string
  readonly before: Lines
  readonly after: Lines
  readonly lastAt: number
}

/** Milliseconds without a keystroke after which a new edit begins. */
const pause = 2000
/** Most edits that are kept, and most characters of one. */
const mostEdits = 32
const longestDiff = 8192
/**
 * Most lines, and most characters of both texts, that are compared. The edit of the moment is compared with each question, and a
 * larger one would hold the server up.
 */
const mostLines = 200
const mostDifferent = 128 * 1024

export interface EditHistory {
  readonly changed: (edit: Pick<Under, "after" | "before" | "uri">, atMs: number) => void
  /** The edits, newest first. `nameOf`: the name of a file in its diff. */
  readonly list: () => ReadonlyArray<PastEdit>
}

/** `nameOf`: the path of a file as its diff names it. */
export const make = (nameOf: (uri: string) => string): EditHistory => {
  let past: ReadonlyArray<PastEdit> = []
  let under: Under | undefined
  const compared = new WeakMap<Under, ReadonlyArray<PastEdit>>()

  const diffOf = (edit: Under): ReadonlyArray<PastEdit> => {
    const { after, before, uri } = edit
    const known = compared.get(edit)
    if (known !== undefined) return known
    const texts = { oldText: before.text, newText: after.text }
    const diff = unifiedDiff({ path: nameOf(uri), ...texts, mostDifferent, mostChanges: mostLines })
    // A diff that is cut off would be wrong, so a long one is left out.
    const edits = diff === undefined || diff === "" || diff.length > longestDiff ? [] : [{ uri, diff }]
    compared.set(edit, edits)
    return edits
  }

  return {
    changed: ({ after, before, uri }, atMs) => {
      if (under !== undefined && (under.uri !== uri || atMs - under.lastAt > pause || under.after !== before)) {
        past = [...diffOf(under), ...past].slice(0, mostEdits)
        under = undefined
      }
      under = { uri, before: under?.before ?? before, after, lastAt: atMs }
    },
    list: () => (under === undefined ? past : [...diffOf(under), ...past].slice(0, mostEdits))
  }
}
