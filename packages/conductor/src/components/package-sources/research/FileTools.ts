/** Tools that read the folders of a researcher, for agents that can't read outside of their session's folder. They change nothing. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { readOnly } from "./Annotations.ts"
import type { Checkouts } from "./Checkouts.ts"
import * as SourceFiles from "./SourceFiles.ts"

const described = (description: string) => Schema.String.annotate({ description })
const number = (description: string) => Schema.optional(Schema.Finite.annotate({ description }))

const text = {
  success: Schema.Struct({
    text: Schema.String,
    isCut: Schema.Boolean.annotate({ description: "Whether the text ends early, because it would be too long" })
  }),
  failure: Schema.String
}

const List = Tool.make("list_files", {
  description: "Lists the files below a folder of a package's source, one path a line.",
  parameters: Schema.Struct({ path: described("The folder: checkout_path, or one in it") }),
  ...text
}).annotateMerge(readOnly)

const Read = Tool.make("read_file", {
  description: "Reads a file of a package's source, with the numbers of its lines.",
  parameters: Schema.Struct({
    path: described("The absolute path of the file"),
    first_line: number("The first line, counted from 1"),
    last_line: number("The last line")
  }),
  ...text
}).annotateMerge(readOnly)

const Search = Tool.make("search_files", {
  description: "Finds the lines of a package's source that hold a text, in any case. The text is taken as it stands.",
  parameters: Schema.Struct({
    path: described("The folder or file: checkout_path, or one in it"),
    text: described("The text, on one line")
  }),
  ...text
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(List, Read, Search)

const inWords = Effect.mapError(({ message }: { readonly message: string }) => message)

/** What the tools do in one session. */
export const layer = (checkouts: Checkouts) =>
  toolkit.toLayer({
    list_files: ({ path }) => inWords(SourceFiles.list(checkouts, path)),
    read_file: ({ first_line, last_line, path }) => inWords(SourceFiles.read(checkouts, path, first_line, last_line)),
    search_files: ({ path, text }) => inWords(SourceFiles.search(checkouts, path, text))
  })
