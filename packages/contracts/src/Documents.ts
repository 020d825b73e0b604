/** Text files below the folders of threads, as people edit them in the page. */
import * as Schema from "effect/Schema"
import { ThreadId, Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"

/** The most bytes of a file that the editor opens and saves. Two such texts fit into one message. */
export const mostDocumentBytes = 4 * 1024 * 1024

/** One load of a page in a browser. Minted by the page. */
export const PageId = Schema.String.check(Schema.isMaxLength(64)).pipe(Schema.brand("PageId"))
export type PageId = typeof PageId.Type

/** A file of a thread. `path`: absolute, or from the folder of the thread. */
export const DocumentAddress = Schema.Struct({
  threadId: ThreadId,
  path: Schema.String.check(Schema.isMaxLength(4096))
})
export type DocumentAddress = typeof DocumentAddress.Type

/** `utf-8-bom`: the file begins with a byte order mark, which is no part of the text. */
export const DocumentEncoding = Schema.Literals(["utf-8", "utf-8-bom"])
export type DocumentEncoding = typeof DocumentEncoding.Type

/** How the lines of a text end. `mixed`: not all alike. A text without a line end counts as `lf`. */
export const LineEnd = Schema.Literals(["lf", "crlf", "cr", "mixed"])
export type LineEnd = typeof LineEnd.Type

/** Names the bytes of a file. The same bytes have the same version. */
const DocumentVersion = Schema.String.check(Schema.isMaxLength(64))

/** What stands on the disk. */
export const DocumentText = Schema.Struct({
  /** The text with its own line ends. */
  text: Schema.String,
  version: DocumentVersion,
  bytes: Schema.Int,
  encoding: DocumentEncoding,
  lineEnd: LineEnd,
  /** When the file was last written. */
  writtenAt: Timestamp,
  /** Why the file can't be saved, if so: one sentence. */
  readOnly: Schema.optionalKey(Schema.String)
})
export type DocumentText = typeof DocumentText.Type

/** The file is gone. `movedTo`: its new path in the same folder, if it was renamed there. */
const DocumentGone = Schema.Struct({ type: Schema.tag("gone"), movedTo: Schema.optionalKey(Schema.String) })

const OnDisk = [Schema.Struct({ type: Schema.tag("text"), document: DocumentText }), DocumentGone] as const

/**
 * A file on the disk: now, and after every change. `refused`: it can't be shown as it is now. `hold`: who may edit it,
 * this page, another one, or nobody.
 */
export const DocumentFrame = Schema.Union([
  ...OnDisk,
  Schema.Struct({ type: Schema.tag("refused"), problem: Problem }),
  Schema.Struct({ type: Schema.tag("hold"), holder: Schema.Literals(["here", "elsewhere", "nobody"]) })
])
export type DocumentFrame = typeof DocumentFrame.Type

/** `base`: the version that the text was made from; null if no file may be there. */
export const DocumentToSave = Schema.Struct({
  ...DocumentAddress.fields,
  page: PageId,
  text: Schema.String,
  encoding: DocumentEncoding,
  base: Schema.NullOr(DocumentVersion)
})
export type DocumentToSave = typeof DocumentToSave.Type

/** `changed`: the disk has something else than the base, and nothing was written. */
export const DocumentSaved = Schema.Union([
  Schema.Struct({ type: Schema.tag("saved"), document: DocumentText }),
  Schema.Struct({ type: Schema.tag("changed"), disk: Schema.Union(OnDisk) })
])
export type DocumentSaved = typeof DocumentSaved.Type

/** `base`: the text that `mine` was made from. What is on the disk is merged with it. */
export const DocumentToMerge = Schema.Struct({ ...DocumentAddress.fields, base: Schema.String, mine: Schema.String })
export type DocumentToMerge = typeof DocumentToMerge.Type

/**
 * What three texts make together. `conflict`: some lines were changed on both sides. `mine` and `theirs` have all other
 * changes, and these lines from one side. `places`: where these lines are in `mine`, from line 1; an empty place has
 * `to` before `from`. `impossible`: the texts can't be compared line by line.
 */
export const DocumentMerge = Schema.Union([
  Schema.Struct({ type: Schema.tag("clean"), text: Schema.String }),
  Schema.Struct({
    type: Schema.tag("conflict"),
    mine: Schema.String,
    theirs: Schema.String,
    places: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int }))
  }),
  Schema.Struct({ type: Schema.tag("impossible"), why: Schema.String })
])
export type DocumentMerge = typeof DocumentMerge.Type

/** The merge, and what was on the disk for it. */
export const DocumentMerged = Schema.Struct({ disk: DocumentText, merge: DocumentMerge })
export type DocumentMerged = typeof DocumentMerged.Type

/** How the lines of a text end. Reads the text once. */
export const lineEndOf = (text: string): LineEnd => {
  let lf = 0
  let crlf = 0
  let cr = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 10) lf += 1
    else if (unit === 13) {
      if (text.charCodeAt(at + 1) === 10) {
        crlf += 1
        at += 1
      } else cr += 1
    }
  }
  const kinds = [lf, crlf, cr].filter((count) => count > 0).length
  if (kinds > 1) return "mixed"
  return crlf > 0 ? "crlf" : cr > 0 ? "cr" : "lf"
}
