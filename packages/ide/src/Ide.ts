/** What an IDE knows about code: a client that offers it, or language servers. All operations ask here. */
import type { FileRange, Finding, LspMethod, SymbolDef, SymbolRef } from "@signalbox/contracts/IdeOperation"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Why an IDE does not answer, as sentences that name the cause and the next step. */
export class IdeFailure extends Schema.TaggedError<IdeFailure>()("IdeFailure", {
  message: Schema.String,
  /** Nobody knows the language of the file, so asking again in a moment is of no use. */
  isForGood: Schema.optionalKey(Schema.Boolean)
}) {}

export interface Ide {
  /** The definitions of exactly this name. `Outer.name`: only those that belong to `Outer`. */
  readonly resolveSymbol: (name: string) => Effect.Effect<ReadonlyArray<SymbolDef>, IdeFailure>
  /** All uses of a symbol, with its definition. */
  readonly references: (symbol: SymbolDef) => Effect.Effect<ReadonlyArray<SymbolRef>, IdeFailure>
  /** Asks by a method of the Language Server Protocol that changes nothing. The result has its shapes, and is not checked. */
  readonly lsp: (method: LspMethod, params: object) => Effect.Effect<unknown, IdeFailure>
  /** Lists the findings in a file, by its uri; without one, in all files that were asked about so far. */
  readonly diagnostics: (uri: string | undefined) => Effect.Effect<ReadonlyArray<Finding>, IdeFailure>
  /** What the user has selected. Undefined where there is no editor, or nothing is selected. */
  readonly selection: Effect.Effect<FileRange | undefined, IdeFailure>
}
