/** Edits that format a file, a range, or what was just typed. */
import type { Position, Range } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Edit from "./Edit.ts"
import type { Asking } from "./Session.ts"

export interface FormattingOptions {
  readonly tabSize: number
  readonly insertSpaces: boolean
}

type Edits = Effect.Effect<ReadonlyArray<Edit.TextEdit>, LanguageServerError>

export interface Formatting {
  readonly format: (path: string, options?: FormattingOptions) => Edits
  readonly formatRange: (path: string, range: Range, options?: FormattingOptions) => Edits
  /** @param typed the character that was typed just before the position */
  readonly formatTyped: (path: string, position: Position, typed: string, options?: FormattingOptions) => Edits
  /** Edits that the server wants before a file is saved. None if it does not ask for that. */
  readonly beforeSave: (path: string) => Edits
}

const usual: FormattingOptions = { tabSize: 2, insertSpaces: true }

export const make = (asking: Asking): Formatting => {
  const edits = (method: string, path: string, more: object) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const params = { textDocument: { uri: document.uri }, ...more }
        return yield* Edit.list(session, method, yield* session.ask(method, params, document))
      })
    )
  return {
    format: (path, options = usual) => edits("textDocument/formatting", path, { options }),
    formatRange: (path, range, options = usual) => edits("textDocument/rangeFormatting", path, { range, options }),
    formatTyped: (path, position, ch, options = usual) =>
      edits("textDocument/onTypeFormatting", path, { position, ch, options }),
    // The reason 1: asked for by a person.
    beforeSave: (path) =>
      Effect.catchIf(
        edits("textDocument/willSaveWaitUntil", path, { reason: 1 }),
        ({ reason }) => reason === "Unsupported",
        () => Effect.succeed([])
      )
  }
}
