/** Asks what a server says about a place: types, documentation. */
import * as Lenient from "@signalbox/acp/Lenient"
import { type Position, Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"
import * as Text from "./Text.ts"

export interface Hover {
  readonly contents: Text.Text
  /** The word that it is about. Undefined if the server doesn't say. */
  readonly range?: Range
}

export interface Hovering {
  /** Undefined if the server has nothing to say about the place. */
  readonly hover: (path: string, position: Position) => Effect.Effect<Hover | undefined, LanguageServerError>
}

const reader = Lenient.reader(Schema.Struct({ contents: Schema.Unknown, range: Wire.lenient(Range) }))

export const make = (asking: Asking): Hovering => ({
  hover: (path, position) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/hover"
        const document = yield* session.send(path)
        const answer = yield* session.ask(method, { textDocument: { uri: document.uri }, position }, document)
        if (answer === null || answer === undefined) return undefined
        const { contents, range } = yield* Reading.one(session, method, reader, answer)
        const text = Text.of(contents)
        if (text === undefined) return yield* session.malformed(method, "its contents are no text")
        if (text.value === "") return undefined
        return { contents: text, ...(range !== undefined && { range }) }
      })
    )
})
