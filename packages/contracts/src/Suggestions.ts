/**
 * Suggestions of the next edit, for whoever edits files: pages of threads, and editors that have a folder open. A page
 * watches, reports its documents (`DocumentReport`), asks, and ends each suggestion that it got.
 *
 * A path is one that the page has reported, as it was reported. Any other is from the folder of the thread, or absolute
 * outside of it. Positions count from 0, in UTF-16 units.
 */
import * as Schema from "effect/Schema"
import { Count, ReportedPath, TextEdit, TextPosition, TextRange } from "./DocumentReport.ts"
import { PageId } from "./Documents.ts"
import { ThreadId, Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { SessionSetting, SettingValue } from "./SessionSetting.ts"

/** A page that edits files of a thread. */
export const PageOfThread = Schema.Struct({ threadId: ThreadId, page: PageId })

/** An editor that has a folder open, and no thread. `folder`: absolute. Paths are from there. */
export const PageOfFolder = Schema.Struct({ folder: ReportedPath, page: PageId })

/** Who watches: a page of a thread, or without `threadId` an editor with a folder. */
export const SuggestionPage = Schema.Struct({ threadId: Schema.optionalKey(ThreadId), page: PageId })
export type SuggestionPage = typeof SuggestionPage.Type

/** Names a suggestion for one run of the server. */
export const SuggestionId = Schema.String.check(Schema.isMaxLength(64))

const about = { id: SuggestionId, path: ReportedPath }

/**
 * A suggestion. The edits of one file don't overlap, and are about the same text. `cursor`: where the cursor goes then.
 * `searchAndReplace` may be about a folder.
 */
export const Suggestion = Schema.Union([
  Schema.Struct({
    kind: Schema.tag("edit"),
    ...about,
    edits: Schema.Array(TextEdit),
    cursor: Schema.optionalKey(TextPosition)
  }),
  Schema.Struct({ kind: Schema.tag("jump"), ...about, position: TextPosition }),
  Schema.Struct({ kind: Schema.tag("rename"), ...about, position: TextPosition, newName: Schema.String }),
  Schema.Struct({
    kind: Schema.tag("searchAndReplace"),
    ...about,
    search: Schema.String,
    replace: Schema.String,
    isRegex: Schema.Boolean
  })
]).pipe(Schema.toTaggedUnion("kind"))
export type Suggestion = typeof Suggestion.Type

/** Milliseconds of an answer after which its agent counts as slow, and is asked less often. */
export const slowAfterMs = 1000

/** `manual`: a person has pressed a key for it, so it waits for nothing. `version`: that of the page's text. */
export const SuggestionQuestion = Schema.Struct({
  path: ReportedPath,
  version: Count,
  position: TextPosition,
  selection: Schema.optionalKey(TextRange),
  trigger: Schema.Literals(["automatic", "manual", "diagnostic"])
})
export type SuggestionQuestion = typeof SuggestionQuestion.Type

/**
 * The answer to a question. Every `why` is a sentence.
 *
 * - `suggestions`: there may be none. `dropped`: what can't be shown; `why` is a clause that begins with a verb.
 *   `latencyMs`: the time that the agent took. `isKnown`: it was not asked for this.
 * - `withheld`: the document is not sent to agents.
 * - `overtaken`: a later question or change came first, or the version is not the latest that was reported.
 * - `notOpen`: the document has to be reported as `opened` first.
 * - `elsewhere`: another page has reported the document since.
 * - `resting`: the agent has failed, and is not asked before that time, except by `manual`.
 * - `paused`: the thread's agent edits the file.
 * - `off`: nobody makes suggestions.
 */
export const SuggestionAnswer = Schema.Union([
  Schema.Struct({
    type: Schema.tag("suggestions"),
    version: Count,
    suggestions: Schema.Array(Suggestion),
    dropped: Schema.Array(Schema.Struct({ kind: Schema.String, why: Schema.String })),
    latencyMs: Schema.Finite,
    isKnown: Schema.Boolean
  }),
  Schema.Struct({ type: Schema.tag("withheld"), why: Schema.String }),
  Schema.Struct({ type: Schema.tag("overtaken") }),
  Schema.Struct({ type: Schema.tag("notOpen") }),
  Schema.Struct({ type: Schema.tag("elsewhere") }),
  Schema.Struct({ type: Schema.tag("resting"), forMs: Schema.Finite }),
  Schema.Struct({ type: Schema.tag("paused"), why: Schema.String }),
  Schema.Struct({ type: Schema.tag("off"), why: Schema.String })
]).pipe(Schema.toTaggedUnion("type"))
export type SuggestionAnswer = typeof SuggestionAnswer.Type

/** `ignored`: the person went on without it. */
export const SuggestionEnd = Schema.Literals(["accepted", "rejected", "ignored"])
export type SuggestionEnd = typeof SuggestionEnd.Type

/** `version`: as the agent says it, once it runs. */
const SuggestingAgent = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  version: Schema.optionalKey(Schema.String)
})
export type SuggestingAgent = typeof SuggestingAgent.Type

/**
 * What the agent does. `failed`: it could not start, did not answer, or has ended by itself. `restMs`: it is not asked
 * before that time, except by `manual`. A question that is answered ends this state.
 */
export const SuggestingState = Schema.Union([
  Schema.Struct({ type: Schema.tag("idle") }),
  Schema.Struct({ type: Schema.tag("starting") }),
  Schema.Struct({ type: Schema.tag("asking") }),
  Schema.Struct({ type: Schema.tag("failed"), problem: Problem, restMs: Schema.Finite })
]).pipe(Schema.toTaggedUnion("type"))
export type SuggestingState = typeof SuggestingState.Type

/** What has become of an agent's suggestions today, in all pages and editors. Days change at midnight UTC. */
export const SuggestionsToday = Schema.Struct({
  accepted: Count,
  dismissed: Count,
  /** Suggestions that people went on without, or that the next answer replaced. */
  unused: Count
})
export type SuggestionsToday = typeof SuggestionsToday.Type

/**
 * Suggestions for a thread's files: now, and after every change.
 *
 * - `off`: nobody makes suggestions, and why: a sentence. `problem`: the agent of the settings can't be used.
 *   `turnedOff`: the agent of the settings, whose suggestions can be turned on again (`turnSuggestions`).
 * - `on`: this agent is asked. `desk`: names what knows the page's documents. With another one the page reports all of
 *   them as `opened`, and its suggestions are gone. `recording`: the file in which it is recorded what people edit.
 * - `state`: what the agent does. Other pages with the same agent and folder have the same.
 * - `paused`: the thread's agent edits a file, or does no longer.
 * - `rules`: rules files with faults, as the agent was started.
 * - `settings`: those that the agent has reported last, and what people have chosen of them. Until the first such frame
 *   there are none.
 * - `today`: what the agent's suggestions have become today. `figures` is missing if nobody can say it.
 * - `signedIn`: somebody has signed in to the agent, or out. A question that failed for want of it may be asked again.
 */
export const SuggestionsFrame = Schema.Union([
  Schema.Struct({
    type: Schema.tag("off"),
    why: Schema.String,
    problem: Schema.optionalKey(Problem),
    turnedOff: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    type: Schema.tag("on"),
    desk: Schema.String,
    agent: SuggestingAgent,
    debounceMs: Schema.Int,
    recording: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ type: Schema.tag("state"), state: SuggestingState }),
  Schema.Struct({ type: Schema.tag("paused"), path: ReportedPath, isPaused: Schema.Boolean }),
  Schema.Struct({ type: Schema.tag("rules"), problems: Schema.Array(Problem) }),
  Schema.Struct({
    type: Schema.tag("settings"),
    settings: Schema.Array(SessionSetting),
    chosen: Schema.Record(Schema.String, SettingValue)
  }),
  Schema.Struct({ type: Schema.tag("today"), figures: Schema.optionalKey(SuggestionsToday) }),
  Schema.Struct({ type: Schema.tag("signedIn") })
]).pipe(Schema.toTaggedUnion("type"))
export type SuggestionsFrame = typeof SuggestionsFrame.Type

/** A place that a suggestion changes. `line`, `before` and `after` are the lines around its beginning. */
export const SuggestedPlace = Schema.Struct({
  ...TextEdit.fields,
  line: Schema.String,
  before: Schema.Array(Schema.String),
  after: Schema.Array(Schema.String)
})
export type SuggestedPlace = typeof SuggestedPlace.Type

/**
 * The places that a suggestion is about, file by file. For `jump` there is one place, which changes nothing.
 *
 * - `isOpen`: a page has the file open, and the places are about its text. Otherwise they are about the disk.
 * - `version`: that of the text, if it is open.
 * - `basis`: how the places were found, one sentence.
 * - `cut`: why some places or files are missing, one sentence.
 */
export const SuggestedPlaces = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      path: ReportedPath,
      isOpen: Schema.Boolean,
      version: Schema.optionalKey(Count),
      places: Schema.Array(SuggestedPlace)
    })
  ),
  basis: Schema.String,
  cut: Schema.optionalKey(Schema.String)
})
export type SuggestedPlaces = typeof SuggestedPlaces.Type

/**
 * What was sent to the agent for a suggestion. `json`: the request as it left. `documents`: the texts that the agent had
 * then, and when it got each of them. `tape`: the record of all messages, if one is kept.
 */
export const SuggestionSent = Schema.Struct({
  agent: Schema.String,
  at: Timestamp,
  json: Schema.String,
  documents: Schema.Array(Schema.Struct({ path: ReportedPath, version: Count, bytes: Count, at: Timestamp })),
  tape: Schema.optionalKey(Schema.String)
})
export type SuggestionSent = typeof SuggestionSent.Type
