/** Asks which edits give a symbol another name. */
import * as Lenient from "@signalbox/acp/Lenient"
import { type Position, Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Edit from "./Edit.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"

/** The name that would be changed. */
export interface Renamed {
  /** Undefined if the server leaves it to the client what a word is. */
  readonly range: Range | undefined
  readonly placeholder: string | undefined
}

export interface Renaming {
  /** The name at a place that would be changed. Undefined if none can be. */
  readonly prepareRename: (path: string, position: Position) => Effect.Effect<Renamed | undefined, LanguageServerError>
  /** The edits of all files, to be looked over. Nothing is written. Undefined if the server sees nothing to rename. */
  readonly rename: (
    path: string,
    position: Position,
    newName: string
  ) => Effect.Effect<Edit.WorkspaceEdit | undefined, LanguageServerError>
}

const readRange = Lenient.reader(Range)
const readPrepared = Lenient.reader(
  Schema.Struct({ range: Wire.lenient(Range), placeholder: Wire.lenient(Schema.String) })
)

export const make = (asking: Asking): Renaming => ({
  prepareRename: (path, position) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/prepareRename"
        const document = yield* session.send(path)
        const offer = session.offer(method, document)
        if (offer !== undefined && (!Predicate.isObject(offer) || offer["prepareProvider"] !== true))
          return { range: undefined, placeholder: undefined }
        const params = { textDocument: { uri: document.uri }, position }
        const answer = yield* session.ask(method, params, document)
        if (answer === null || answer === undefined) return undefined
        if (Predicate.isObject(answer) && "start" in answer)
          return { range: yield* Reading.one(session, method, readRange, answer), placeholder: undefined }
        const { placeholder, range } = yield* Reading.one(session, method, readPrepared, answer)
        return { range, placeholder }
      })
    ),
  rename: (path, position, newName) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/rename"
        const document = yield* session.send(path)
        const params = { textDocument: { uri: document.uri }, position, newName }
        return yield* Edit.read(session, method, yield* session.ask(method, params, document))
      })
    )
})
