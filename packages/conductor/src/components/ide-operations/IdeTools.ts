/** The tools of agents that ask an IDE. None of them changes anything. */
import * as Evaluator from "@signalbox/ide/dialect/Evaluator"
import { usageOf } from "@signalbox/ide/dialect/DialectFunction"
import * as Catalogue from "@signalbox/ide/operations/Catalogue"
import * as Functions from "@signalbox/ide/operations/Functions"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import type { Ide } from "@signalbox/ide/Ide"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as DirectAnswers from "./DirectAnswers.ts"

export interface Session {
  readonly ide: Ide
  readonly folder: SessionFolder
  /** Answers a call when it is its turn; ends it when the session is cancelled. */
  readonly take: <A>(answer: Effect.Effect<A, string>) => Effect.Effect<A, string>
}

const readOnly = Context.make(Tool.Readonly, true).pipe(
  Context.add(Tool.Destructive, false),
  Context.add(Tool.Idempotent, true),
  Context.add(Tool.OpenWorld, false)
)

const described = (description: string) => Schema.String.annotate({ description })
const counted = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 2 })).annotate({ description })

const file_path = described("A file, relative to the session's folder")
const place = {
  file_path,
  line: counted("The line, counted from 0"),
  character: counted("The character in the line, counted from 0, in UTF-16")
}

const failure = Schema.String

const result = { success: Schema.Struct({ result: Schema.Json }), failure }

const Operation = Tool.make("ide_operation", {
  description: [
    "Runs a program of Dialect and returns its result as JSON. A program is one expression: JSON, and calls of functions in it.",
    'Strings stand in ", \' or `. Arguments may be calls: findReferences(findDefinitions("Shop")). Put several calls into one array.',
    "Symbols are a name (also Outer.name), a symbol that another call returned, or an array of these. Lines and columns count from 1.",
    "The functions are:",
    ...Catalogue.names.map(Catalogue.entryOf).map((one) => `- ${usageOf(one)}: ${one.summary}`)
  ].join("\n"),
  parameters: Schema.Struct({ program: described('The program, such as findReferences(findDefinitions("Shop"))') }),
  ...result
}).annotateMerge(readOnly)

const about = <const Name extends string>(name: Name, description: string) =>
  Tool.make(name, { description, parameters: Schema.Struct(place), ...result }).annotateMerge(readOnly)

const Hover = about("ide_hover", "Says what stands at a place of a file: its type and its documentation.")
const Definition = about("ide_definition", "Finds where what stands at a place is defined.")
const References = about("ide_references", "Finds all uses of what stands at a place, with its definition.")

const Completion = about("ide_completion", "Lists what can be written at a place.")
const Actions = about(
  "ide_code_actions",
  "Lists fixes and refactorings at a place, with their edits. It makes none of them."
)

const Rename = Tool.make("ide_rename_preview", {
  description:
    "Lists the edits of all files that would give what stands at a place another name. It makes none of them.",
  parameters: Schema.Struct({ ...place, new_name: described("The new name") }),
  ...result
}).annotateMerge(readOnly)

const Format = Tool.make("ide_format_preview", {
  description: "Lists the edits that would format a file. It makes none of them.",
  parameters: Schema.Struct({ file_path }),
  ...result
}).annotateMerge(readOnly)

const Symbols = Tool.make("ide_symbols", {
  description: "Lists the symbols of a file, or of the whole project. With a query, those whose names match it.",
  parameters: Schema.Struct({
    file_path: Schema.optional(file_path),
    query: Schema.optional(
      described("A name or a part of one. Without file_path, the whole project is searched for it")
    )
  }),
  ...result
}).annotateMerge(readOnly)

const Diagnostics = Tool.make("ide_diagnostics", {
  description: "Lists errors and warnings of a file, or of all files that were asked about so far.",
  parameters: Schema.Struct({ file_path: Schema.optional(file_path) }),
  ...result
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(
  Operation,
  Hover,
  Definition,
  References,
  Symbols,
  Diagnostics,
  Completion,
  Actions,
  Rename,
  Format
)

/** What the tools do in one session. */
export const layer = ({ folder, ide, take }: Session) => {
  const inWords = <A>(answer: Effect.Effect<A, { readonly message: string }>) =>
    take(Effect.mapError(answer, ({ message }) => message))
  const answered = (answer: Effect.Effect<Schema.Json, { readonly message: string }>) =>
    inWords(Effect.map(answer, (found) => ({ result: found })))
  const functions = Functions.make(ide, folder)
  const answers = DirectAnswers.make(ide, folder)
  return toolkit.toLayer({
    ide_operation: ({ program }) => answered(Effect.map(Evaluator.run(program, { functions }), asJson)),
    ide_hover: (at) => answered(answers.hover(at)),
    ide_definition: (at) => answered(answers.definition(at)),
    ide_references: (at) => answered(answers.references(at)),
    ide_completion: (at) => answered(answers.completion(at)),
    ide_code_actions: (at) => answered(answers.actions(at)),
    ide_rename_preview: (at) => answered(answers.rename(at)),
    ide_format_preview: ({ file_path: path }) => answered(answers.format(path)),
    ide_symbols: (asked) => answered(answers.symbols(asked)),
    ide_diagnostics: ({ file_path: path }) => answered(answers.diagnostics(path))
  })
}

const asJson = (text: string): Schema.Json => JSON.parse(text)
