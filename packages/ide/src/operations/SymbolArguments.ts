/** Symbols as programs name them: by a name, by a symbol that another call returned, or by an array of these. */
import { SymbolDef } from "@signalbox/contracts/IdeOperation"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FunctionFailure } from "../dialect/DialectFunction.ts"
import type { Value } from "../dialect/Expression.ts"
import type { Ide, IdeFailure } from "../Ide.ts"

/** Most symbols of one call. */
const mostSymbols = 100
const mostName = 500

const decode = Schema.decodeUnknownEffect(SymbolDef)

export const failed = ({ message }: IdeFailure): FunctionFailure => new FunctionFailure({ reason: "failed", message })

const wrong = (message: string) => new FunctionFailure({ reason: "arguments", message })

const expected = "Expected a name, a symbol that another call returned, or an array of these."

type Named = string | SymbolDef

/** What a value names, flattened. */
export const named = Effect.fnUntraced(function* (
  value: Value
): Effect.fn.Return<ReadonlyArray<Named>, FunctionFailure> {
  const found: Array<Named> = []
  const waiting: Array<Value> = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (Array.isArray(next)) {
      for (let index = next.length - 1; index >= 0; index -= 1) waiting.push(next[index])
      continue
    }
    if (found.length === mostSymbols)
      return yield* new FunctionFailure({
        reason: "limit",
        message: `at most ${mostSymbols} symbols are taken in one call. Give it fewer.`
      })
    if (typeof next === "string") {
      if (next.trim() === "" || next.length > mostName)
        return yield* wrong(`a name has 1 to ${mostName} characters. ${expected}`)
      found.push(next.trim())
    } else if (typeof next === "object" && next !== null) {
      found.push(
        yield* decode(next).pipe(
          Effect.mapError(() =>
            wrong(`${shown(next)} is no symbol: it needs name and definedAt {path, start, end}. ${expected}`)
          )
        )
      )
    } else return yield* wrong(`${shown(next)} is no symbol. ${expected}`)
  }
  return found
})

const shown = (value: Value): string => {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Most alternatives that an error lists. */
const mostAlternatives = 20

/** The symbol as a program can name it. */
const asArgument = ({ container, definedAt: { end, path, start }, kind, name }: SymbolDef): string =>
  JSON.stringify({ name, kind, container, definedAt: { path, start, end } })

/** The one symbol that is meant. Fails if there is none, or if a name has several meanings. */
export const one = Effect.fnUntraced(function* (
  ide: Pick<Ide, "resolveSymbol">,
  symbol: Named
): Effect.fn.Return<SymbolDef, FunctionFailure> {
  if (typeof symbol !== "string") return symbol
  const found = yield* Effect.mapError(ide.resolveSymbol(symbol), failed)
  const [first] = found
  if (first === undefined)
    return yield* new FunctionFailure({
      reason: "failed",
      message: `nothing of the name ${JSON.stringify(symbol)} is defined in this folder. Look for it with search(".", ${JSON.stringify(symbol)}).`
    })
  if (found.length === 1) return first
  const more = found.length > mostAlternatives ? `\nand ${found.length - mostAlternatives} more` : ""
  return yield* new FunctionFailure({
    reason: "failed",
    message: `${JSON.stringify(symbol)} has ${found.length} definitions. Put one of these in its place, or findDefinitions(${JSON.stringify(symbol)}) for all of them:\n${found.slice(0, mostAlternatives).map(asArgument).join("\n")}${more}`
  })
})
