/**
 * What language servers know of files that people edit in a page. A page watches, reports its documents
 * (`DocumentReport`), and asks about places in them.
 *
 * A path is one that the page has reported, as it was reported. Any other is from the folder of the thread, or absolute
 * outside of it.
 */
import * as Schema from "effect/Schema"
import { Count, ReportedPath, TextPosition, TextRange } from "./DocumentReport.ts"
import { PageId } from "./Documents.ts"
import { ThreadId } from "./Ids.ts"

/** A page that edits files of a thread. */
export const LanguagePage = Schema.Struct({ threadId: ThreadId, page: PageId })
export type LanguagePage = typeof LanguagePage.Type

/** The name of a language server in the settings, such as `typescript`. */
export const LanguageServerId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,39}$/, { message: "Expected a name of small letters, digits and hyphens" })
)
export type LanguageServerId = typeof LanguageServerId.Type

/**
 * What a language server does. `loading`: it runs, and reads the project. `restarting`: it has ended by itself, and is
 * started again soon. `given-up`: it ended again and again, or can't be started. `ended`: nobody asked for a while.
 */
const LanguageServerPhase = Schema.Literals(["starting", "loading", "ready", "restarting", "given-up", "ended"])

/**
 * A language server for one root. `root`: the absolute path of the folder that it reads; missing if its entry in the
 * settings can't be used. `progress`: what it says that
 * it does. `problem`: why it is not ready, or was started again, with the next step.
 */
export const LanguageServerState = Schema.Struct({
  id: LanguageServerId,
  name: Schema.String,
  root: Schema.optionalKey(Schema.String),
  phase: LanguageServerPhase,
  pid: Schema.optionalKey(Schema.Int),
  progress: Schema.optionalKey(Schema.String),
  problem: Schema.optionalKey(Schema.String)
})
export type LanguageServerState = typeof LanguageServerState.Type

const DiagnosticSeverity = Schema.Literals(["error", "warning", "information", "hint"])

/** What a language server finds wrong. `source`: who says so, such as `ts`. `fades`: the text is of no use, or outdated. */
export const Diagnostic = Schema.Struct({
  range: TextRange,
  severity: DiagnosticSeverity,
  message: Schema.String,
  source: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  fades: Schema.optionalKey(Schema.Literals(["unnecessary", "deprecated"]))
})
export type Diagnostic = typeof Diagnostic.Type

/** Most diagnostics of one file that a page gets. */
export const mostDiagnostics = 1000

/**
 * Language servers for a page: now, and after every change.
 *
 * - `on`: these are asked. With another `pool` the page reports all its documents as `opened`, and what it knows is gone.
 * - `servers`: those that run, or could not, for the folder of the thread.
 * - `document`: who knows a file that the page has opened. `offered`: servers of this machine that know its language, and
 *   are not turned on.
 * - `diagnostics`: all that one server finds in a file, in place of what it found before. `version`: the page's text that
 *   they are about. `total`: how many there are, of which the first {@link mostDiagnostics} are listed.
 */
export const LanguageFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("on"), pool: Schema.String }),
  Schema.Struct({ type: Schema.tag("servers"), servers: Schema.Array(LanguageServerState) }),
  Schema.Struct({
    type: Schema.tag("document"),
    path: ReportedPath,
    servers: Schema.Array(LanguageServerId),
    offered: Schema.Array(Schema.Struct({ id: LanguageServerId, name: Schema.String, command: Schema.String }))
  }),
  Schema.Struct({
    type: Schema.tag("diagnostics"),
    path: ReportedPath,
    server: LanguageServerId,
    version: Count,
    diagnostics: Schema.Array(Diagnostic),
    total: Count
  })
]).pipe(Schema.toTaggedUnion("type"))
export type LanguageFrame = typeof LanguageFrame.Type

/** A place in a document that the page has reported. `version`: that of the page's text. */
export const LanguageQuestion = Schema.Struct({ path: ReportedPath, version: Count, position: TextPosition })
export type LanguageQuestion = typeof LanguageQuestion.Type

/**
 * Why there is no answer to a question.
 *
 * - `notOpen`: the document has to be reported as `opened` first, or the version is not the latest that was reported.
 * - `none`: nobody can say. `why`: one sentence.
 */
const unanswered = [
  Schema.Struct({ type: Schema.tag("notOpen") }),
  Schema.Struct({ type: Schema.tag("none"), why: Schema.String })
] as const

/** What stands at a place. `text`: Markdown, or plain text, of `server`. */
export const HoverAnswer = Schema.Union([
  Schema.Struct({
    type: Schema.tag("hover"),
    parts: Schema.Array(
      Schema.Struct({ server: Schema.String, format: Schema.Literals(["markdown", "plain"]), text: Schema.String })
    ),
    range: Schema.optionalKey(TextRange)
  }),
  ...unanswered
]).pipe(Schema.toTaggedUnion("type"))
export type HoverAnswer = typeof HoverAnswer.Type

/** A place in a file. `line`: the text of its first line. `mayOpen`: whether the page can show the file. */
export const CodeLocation = Schema.Struct({
  path: ReportedPath,
  range: TextRange,
  line: Schema.optionalKey(Schema.String),
  mayOpen: Schema.Boolean
})
export type CodeLocation = typeof CodeLocation.Type

/** Most places of one answer. */
export const mostLocations = 500

/** `total`: how many places there are, of which the first {@link mostLocations} are listed. */
export const LocationsAnswer = Schema.Union([
  Schema.Struct({ type: Schema.tag("locations"), locations: Schema.Array(CodeLocation), total: Count }),
  ...unanswered
]).pipe(Schema.toTaggedUnion("type"))
export type LocationsAnswer = typeof LocationsAnswer.Type
