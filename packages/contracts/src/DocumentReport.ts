/** What happens to the documents of a page of a thread, or of an editor with a folder. The server has the same texts by it. */
import * as Schema from "effect/Schema"

/** A path as the page names it: from the folder of the thread or of the editor, or absolute. */
export const ReportedPath = Schema.String.check(Schema.isMaxLength(4096))

/** A number from 0. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A place in a text: a line from 0, and UTF-16 units from 0. */
export const TextPosition = Schema.Struct({ line: Count, character: Count })
export type TextPosition = typeof TextPosition.Type

export const TextRange = Schema.Struct({ start: TextPosition, end: TextPosition })
export type TextRange = typeof TextRange.Type

/** A range and what takes its place. */
export const TextEdit = Schema.Struct({ range: TextRange, newText: Schema.String })
export type TextEdit = typeof TextEdit.Type

/** A change of a document. Without a range it is the whole text. */
const TextChange = Schema.Struct({ range: Schema.optionalKey(TextRange), text: Schema.String })
export type TextChange = typeof TextChange.Type

/** Most reports of one batch. */
export const mostReports = 500

/**
 * What happens to a document of the page, with its own line ends. Versions rise. Each change is about what the one
 * before it has made. `visible`: the parts that are in sight.
 */
export const DocumentReport = Schema.Union([
  Schema.Struct({ type: Schema.tag("opened"), path: ReportedPath, version: Count, text: Schema.String }),
  Schema.Struct({ type: Schema.tag("changed"), path: ReportedPath, version: Count, changes: Schema.Array(TextChange) }),
  Schema.Struct({ type: Schema.tag("closed"), path: ReportedPath }),
  Schema.Struct({ type: Schema.tag("saved"), path: ReportedPath }),
  Schema.Struct({
    type: Schema.tag("focused"),
    path: ReportedPath,
    position: TextPosition,
    visible: Schema.Array(TextRange).check(Schema.isMaxLength(100))
  })
]).pipe(Schema.toTaggedUnion("type"))
export type DocumentReport = typeof DocumentReport.Type

/**
 * What has become of a batch of reports.
 *
 * - `withheld`: opened documents that nobody gets, neither the agent nor a language server. `why`: a sentence.
 * - `again`: documents whose reports can't be followed. Each has to be reported as `opened` again.
 * - `elsewhere`: documents that another page has reported since. Reports of this page are left out until it reports
 *   `opened` again. A page does that when it may edit the file again (`watchDocument`).
 */
export const ReportsTaken = Schema.Struct({
  withheld: Schema.Array(Schema.Struct({ path: ReportedPath, why: Schema.String })),
  again: Schema.Array(ReportedPath),
  elsewhere: Schema.Array(ReportedPath)
})
export type ReportsTaken = typeof ReportsTaken.Type
