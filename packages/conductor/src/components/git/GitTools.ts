/** Tools for agents that read the history of the repository in their session's folder. None of them changes anything. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { GitFailure } from "@signalbox/ide/history/Git"
import * as History from "@signalbox/ide/history/History"

const described = (description: string) => Schema.optional(Schema.String.annotate({ description }))
const number = (description: string) => Schema.optional(Schema.Finite.annotate({ description }))

const path = described("A file or folder, relative to the session's folder")

/** What a tool comes to: a text, or a sentence that says what to do otherwise. */
const outcome = {
  success: Schema.Struct({
    text: Schema.String,
    isCut: Schema.Boolean.annotate({ description: "Whether the text ends early, because it would be too long" })
  }),
  failure: Schema.String
}

const readOnly = Context.make(Tool.Readonly, true).pipe(
  Context.add(Tool.Destructive, false),
  Context.add(Tool.Idempotent, true),
  Context.add(Tool.OpenWorld, false)
)

const Log = Tool.make("git_log", {
  description: "Lists commits, newest first, with hash, author, date and message.",
  parameters: Schema.Struct({
    revision: described("A commit to begin with (default: HEAD), or a range such as main..HEAD"),
    path,
    limit: number("The most commits, up to 200 (default: 20)")
  }),
  ...outcome
}).annotateMerge(readOnly)

const Blame = Tool.make("git_blame", {
  description: "Names the commit, author and date of each line of a committed file.",
  parameters: Schema.Struct({
    path: Schema.String.annotate({ description: "A file, relative to the session's folder" }),
    revision: described("The commit of the file (default: HEAD)"),
    firstLine: number("The first line, counted from 1"),
    lastLine: number("The last line")
  }),
  ...outcome
}).annotateMerge(readOnly)

const Diff = Tool.make("git_diff", {
  description: "Shows what changed between two commits. Uncommitted changes are not read.",
  parameters: Schema.Struct({
    range: Schema.String.annotate({
      description: "Two commits: A..B from A to B, or A...B since B left A. One commit alone is COMMIT^..COMMIT"
    }),
    path
  }),
  ...outcome
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(Log, Blame, Diff)

const inWords = Effect.mapError(({ message }: GitFailure) => message)

/** What the tools do in a session with this folder. */
export const layer = (cwd: string) =>
  toolkit.toLayer({
    git_log: (query) => inWords(History.log(cwd, query)),
    git_blame: (query) => inWords(History.blame(cwd, query)),
    git_diff: (query) => inWords(History.diff(cwd, query))
  })
