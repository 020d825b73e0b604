/** Questions that have no function of their own: other methods of the protocol, and those of a server's own. */
import type * as Lenient from "@signalbox/acp/Lenient"
import * as Effect from "effect/Effect"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Reading from "./Reading.ts"
import type { Asking } from "./Session.ts"

export interface Asked<A> {
  /** `textDocument/foldingRange`, `rust-analyzer/expandMacro`. */
  readonly method: string
  /** Places in it are counted in UTF-16, and the answer's are, too. */
  readonly params: unknown
  /** The file that it is about. The server gets its text first. */
  readonly path?: string
  /** Reads the answer. */
  readonly reader: Lenient.Reader<A>
  /** Whether it may change something. Then it is not asked again after a crash. */
  readonly changes?: boolean
}

export interface Requests {
  /** Fails with `Unsupported` if the server answers that it doesn't know the method. */
  readonly request: <A>(asked: Asked<A>) => Effect.Effect<A, LanguageServerError>
}

export const make = (asking: Asking): Requests => ({
  request: ({ changes, method, params, path, reader }) =>
    asking(
      (session) =>
        Effect.gen(function* () {
          const document = path === undefined ? undefined : yield* session.send(path)
          return yield* Reading.one(session, method, reader, yield* session.askAnyway(method, params, document))
        }),
      { once: changes === true }
    )
})
