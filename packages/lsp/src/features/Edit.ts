/** Changes that a server proposes. Nothing is written here: whoever asked decides. */
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as FileUri from "../FileUri.ts"
import type { Session } from "./Session.ts"

/** A new text for a range. */
export interface TextEdit {
  readonly range: Range
  readonly newText: string
}

/** One step of a change, in the order in which they are to be done. A path is undefined if the uri names no file of this machine. */
export type FileChange =
  | {
      readonly kind: "edit"
      readonly uri: string
      readonly path: string | undefined
      /** The version that the edits are about. Undefined if the server doesn't say. */
      readonly version: number | undefined
      /** All about the text as it is before them. They don't overlap. */
      readonly edits: ReadonlyArray<TextEdit>
    }
  | { readonly kind: "create"; readonly uri: string; readonly path: string | undefined; readonly overwrite: boolean }
  | {
      readonly kind: "rename"
      readonly uri: string
      readonly path: string | undefined
      readonly newUri: string
      readonly newPath: string | undefined
      readonly overwrite: boolean
    }
  | { readonly kind: "delete"; readonly uri: string; readonly path: string | undefined; readonly recursive: boolean }

export interface WorkspaceEdit {
  readonly changes: ReadonlyArray<FileChange>
}

const TextEditSchema = Schema.Struct({ range: Range, newText: Schema.String })

const options = Wire.lenient(
  Schema.Struct({ overwrite: Wire.lenient(Schema.Boolean), recursive: Wire.lenient(Schema.Boolean) })
)
const StepSchema = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("create"), uri: Schema.String, options }),
  Schema.Struct({ kind: Schema.Literal("rename"), oldUri: Schema.String, newUri: Schema.String, options }),
  Schema.Struct({ kind: Schema.Literal("delete"), uri: Schema.String, options })
])
const DocumentEditSchema = Schema.Struct({
  textDocument: Schema.Struct({ uri: Schema.String, version: Wire.lenient(Schema.NullOr(Schema.Finite)) }),
  edits: Schema.Array(TextEditSchema)
})

// A change of which a part was left out would do harm, so these are read strictly.
const decodeStep = Schema.decodeUnknownEffect(StepSchema)
const decodeDocumentEdit = Schema.decodeUnknownEffect(DocumentEditSchema)
const decodeEdits = Schema.decodeUnknownEffect(Schema.Array(TextEditSchema))

const stepOf = Effect.fnUntraced(function* (input: unknown) {
  if (Predicate.isObject(input) && "kind" in input) {
    const step = yield* decodeStep(input)
    const { overwrite = false, recursive = false } = step.options ?? {}
    if (step.kind === "rename") {
      const { newUri, oldUri } = step
      const paths = { path: FileUri.pathOf(oldUri), newPath: FileUri.pathOf(newUri) }
      return { kind: "rename", uri: oldUri, newUri, ...paths, overwrite } satisfies FileChange
    }
    const { uri } = step
    const path = FileUri.pathOf(uri)
    return step.kind === "create"
      ? ({ kind: "create", uri, path, overwrite } satisfies FileChange)
      : ({ kind: "delete", uri, path, recursive } satisfies FileChange)
  }
  const { edits, textDocument } = yield* decodeDocumentEdit(input)
  const { uri, version } = textDocument
  return { kind: "edit", uri, path: FileUri.pathOf(uri), version: version ?? undefined, edits } satisfies FileChange
})

const changesOf = Effect.fnUntraced(function* (input: unknown) {
  const { changes, documentChanges } = Predicate.isObject(input) ? input : {}
  // `documentChanges` is preferred where both are there (LSP, WorkspaceEdit).
  if (Array.isArray(documentChanges)) return yield* Effect.forEach(documentChanges, stepOf)
  if (!Predicate.isObject(changes)) return []
  return yield* Effect.forEach(Object.entries(changes), ([uri, edits]) =>
    Effect.map(decodeEdits(edits), (edits): FileChange => ({
      kind: "edit",
      uri,
      path: FileUri.pathOf(uri),
      version: undefined,
      edits
    }))
  )
})

/** Reads a `WorkspaceEdit`. Fails if any part of it can't be read. Undefined for `null`. */
export const read = (
  session: Pick<Session, "malformed">,
  method: string,
  answer: unknown
): Effect.Effect<WorkspaceEdit | undefined, LanguageServerError> => {
  if (answer === null || answer === undefined) return Effect.succeed(undefined)
  return changesOf(answer).pipe(
    Effect.map((changes) => ({ changes })),
    Effect.mapError(({ message }) => session.malformed(method, message))
  )
}

/** Reads the edits of one file. Fails if any of them can't be read. */
export const list = (
  session: Session,
  method: string,
  answer: unknown
): Effect.Effect<ReadonlyArray<TextEdit>, LanguageServerError> =>
  answer === null || answer === undefined
    ? Effect.succeed([])
    : Effect.mapError(decodeEdits(answer), ({ message }) => session.malformed(method, message))
