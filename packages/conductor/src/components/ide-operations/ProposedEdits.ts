/** Changes that an IDE proposes, for models to look at and to make themselves. Nothing is written here. */
import { Range } from "@signalbox/acp/Positions"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import { IdeFailure } from "@signalbox/ide/Ide"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** A new text for a range of a file, which may be outside of the session's folders. */
interface Edit {
  readonly uri: string
  readonly range: Range
  readonly newText: string
}

/** A change as models get it. Places count from 0, as in the direct tools. */
export interface Proposed {
  readonly edits: ReadonlyArray<Schema.Json>
  /** Why some of it is not shown, or can't be made by edits of text. */
  readonly notes: ReadonlyArray<string>
  readonly [key: string]: ReadonlyArray<Schema.Json>
}

const TextEdit = Schema.Struct({ range: Range, newText: Schema.String })

// A change of which a part is missing would do harm. So what can't be read in full is refused.
const readEdits = Schema.decodeUnknownOption(Schema.Array(TextEdit))
const readDocument = Schema.decodeUnknownOption(Schema.Struct({ uri: Schema.String }))

const mostEdits = 1000

const unreadable = new IdeFailure({ message: "The change that was proposed can't be read, so none of it is shown." })

const editsOf = (uri: string, edits: unknown): Effect.Effect<ReadonlyArray<Edit>, IdeFailure> =>
  Option.match(readEdits(edits), {
    onNone: () => Effect.fail(unreadable),
    onSome: (read) => Effect.succeed(read.map(({ newText, range }) => ({ uri, range, newText })))
  })

/** Looks up the real path of a file of the session; undefined for any other. */
const within = (folder: SessionFolder, uri: string): Effect.Effect<string | undefined> => {
  const path = FileUri.pathOf(uri)
  return path === undefined
    ? Effect.undefined
    : folder.follow(path).pipe(
        Effect.map(folder.nameOf),
        Effect.orElseSucceed(() => undefined)
      )
}

const shown = Effect.fnUntraced(function* (folder: SessionFolder, edits: ReadonlyArray<Edit>, steps: number) {
  const names = new Map(
    yield* Effect.forEach(new Set(edits.map(({ uri }) => uri)), (uri) =>
      Effect.map(within(folder, uri), (name) => [uri, name] as const)
    )
  )
  const inside = edits.flatMap(({ newText, range: { end, start }, uri }) => {
    const file_path = names.get(uri)
    if (file_path === undefined) return []
    const range = {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character }
    }
    return [{ file_path, range, new_text: newText }]
  })
  if (inside.length > mostEdits)
    return yield* new IdeFailure({
      message: `The change has ${inside.length} edits, and at most ${mostEdits} are shown. Make it in an editor.`
    })
  const outside = [...names].filter(([, name]) => name === undefined).map(([uri]) => uri)
  const notes = [
    ...(outside.length === 0
      ? []
      : [
          `It would also change files outside of the session's folders, which is not shown: ${outside.slice(0, 5).join(", ")}`
        ]),
    ...(steps === 0
      ? []
      : [`It would also create, rename or delete ${steps === 1 ? "one file" : `${steps} files`}, which is not shown.`])
  ]
  return { edits: inside, notes } satisfies Proposed
})

/** Shows the edits of one file. */
export const ofFile = (folder: SessionFolder, uri: string, answer: unknown): Effect.Effect<Proposed, IdeFailure> =>
  answer === null || answer === undefined
    ? Effect.succeed({ edits: [], notes: [] })
    : Effect.flatMap(editsOf(uri, answer), (edits) => shown(folder, edits, 0))

/** Shows a `WorkspaceEdit`. */
export const ofWorkspace = Effect.fnUntraced(function* (
  folder: SessionFolder,
  answer: unknown
): Effect.fn.Return<Proposed, IdeFailure> {
  if (answer === null || answer === undefined) return { edits: [], notes: [] }
  if (!Predicate.isObject(answer)) return yield* unreadable
  const { changes, documentChanges } = { changes: undefined, documentChanges: undefined, ...answer }
  if (Array.isArray(documentChanges)) {
    const all: ReadonlyArray<unknown> = documentChanges
    const edits: Array<Edit> = []
    let steps = 0
    for (const change of all) {
      if (!Predicate.isObject(change)) return yield* unreadable
      if ("kind" in change) {
        steps += 1
        continue
      }
      const document = readDocument("textDocument" in change ? change.textDocument : undefined)
      if (Option.isNone(document) || !("edits" in change)) return yield* unreadable
      edits.push(...(yield* editsOf(document.value.uri, change.edits)))
    }
    return yield* shown(folder, edits, steps)
  }
  const entries = Predicate.isObject(changes) ? Object.entries(changes) : []
  const edits = yield* Effect.forEach(entries, ([uri, given]) => editsOf(uri, given))
  return yield* shown(folder, edits.flat(), 0)
})
