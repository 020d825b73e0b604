/** Symbols of a file and of a whole project. */
import * as Lenient from "@signalbox/acp/Lenient"
import { Range } from "@signalbox/acp/Positions"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FileUri from "../FileUri.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { Location } from "./Place.ts"
import * as Reading from "./Reading.ts"
import type { Asking, Session } from "./Session.ts"
import * as SymbolKind from "./SymbolKind.ts"

/** A symbol of a file. */
export interface DocumentSymbol {
  readonly name: string
  readonly kind: SymbolKind.SymbolKind
  readonly detail?: string
  readonly isDeprecated: boolean
  /** The whole symbol, with its body. */
  readonly range: Range
  /** Its name. The whole symbol if the server doesn't say. */
  readonly selectionRange: Range
  /** The name of what has it, from servers that answer with a flat list. */
  readonly containerName?: string
  readonly children: ReadonlyArray<DocumentSymbol>
}

/** A symbol of a project. Its location is the beginning of the file if the server names no closer one. */
export interface WorkspaceSymbol {
  readonly name: string
  readonly kind: SymbolKind.SymbolKind
  readonly containerName?: string
  readonly isDeprecated: boolean
  readonly location: Location
}

export interface Symbols {
  readonly documentSymbols: (path: string) => Effect.Effect<ReadonlyArray<DocumentSymbol>, LanguageServerError>
  /** Symbols whose names match, as the server understands it. Places that it leaves open are resolved. */
  readonly workspaceSymbols: (query: string) => Effect.Effect<ReadonlyArray<WorkspaceSymbol>, LanguageServerError>
}

const tags = Wire.lenient(Schema.Array(Schema.Finite))

const Nested = Schema.Struct({
  name: Schema.String,
  kind: Schema.Finite,
  detail: Wire.lenient(Schema.String),
  tags,
  deprecated: Wire.lenient(Schema.Boolean),
  range: Range,
  selectionRange: Wire.lenient(Range),
  children: Wire.lenient(Wire.skipInvalid(Schema.Unknown))
})
const Flat = Schema.Struct({
  name: Schema.String,
  kind: Schema.Finite,
  tags,
  deprecated: Wire.lenient(Schema.Boolean),
  containerName: Wire.lenient(Schema.String),
  location: Schema.Struct({ uri: Schema.String, range: Wire.lenient(Range) }),
  data: Schema.optionalKey(Schema.Unknown)
})

const readNested = Lenient.reader(Nested)
const readFlat = Lenient.reader(Flat)

/** Tag 1: deprecated. */
const isDeprecated = ({ deprecated, tags }: { readonly deprecated?: boolean; readonly tags?: ReadonlyArray<number> }) =>
  deprecated === true || tags?.includes(1) === true

/** Deeper ones are left out. Real code is never so deep. */
const deepest = 64

const documentSymbolReader =
  (depth: number): Lenient.Reader<DocumentSymbol> =>
  (input) => {
    if (Predicate.isObject(input) && "location" in input)
      return Result.map(readFlat(input), ({ dropped, value }) => {
        const range = value.location.range ?? nowhere
        const { containerName, kind, name } = value
        return {
          value: {
            name,
            kind: SymbolKind.of(kind),
            isDeprecated: isDeprecated(value),
            range,
            selectionRange: range,
            ...(containerName !== undefined && { containerName }),
            children: []
          },
          dropped
        }
      })
    return Result.map(readNested(input), ({ dropped, value }) => {
      const { children = [], detail, kind, name, range, selectionRange = range } = value
      const losses = [...dropped]
      const read =
        depth >= deepest
          ? []
          : children.flatMap((child): ReadonlyArray<DocumentSymbol> => {
              const inner = documentSymbolReader(depth + 1)(child)
              if (Result.isFailure(inner)) {
                losses.push({ path: "children", reason: inner.failure, value: child })
                return []
              }
              for (const loss of inner.success.dropped) losses.push(loss)
              return [inner.success.value]
            })
      return {
        value: {
          name,
          kind: SymbolKind.of(kind),
          ...(detail !== undefined && { detail }),
          isDeprecated: isDeprecated(value),
          range,
          selectionRange,
          children: read
        },
        dropped: losses
      }
    })
  }

const nowhere: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** Most symbols whose places are asked for one by one. */
const mostResolved = 200

/** Asks for the places that the server has left open. One that it can't resolve keeps the beginning of its file. */
const resolved = Effect.fnUntraced(function* (session: Session, answer: unknown) {
  if (!Array.isArray(answer)) return answer
  const offer = session.offer("workspace/symbol")
  if (!Predicate.isObject(offer) || offer["resolveProvider"] !== true) return answer
  const items: ReadonlyArray<unknown> = answer
  const isOpen = (item: unknown): item is object =>
    Predicate.isObject(item) && Predicate.isObject(item["location"]) && !("range" in item["location"])
  const open = items.filter(isOpen).slice(0, mostResolved)
  const found = new Map(
    yield* Effect.forEach(
      open,
      (item) =>
        Effect.map(
          Effect.orElseSucceed(session.ask("workspaceSymbol/resolve", item), () => item),
          (resolved) => [item, resolved] as const
        ),
      { concurrency: 8 }
    )
  )
  return items.map((item) => (isOpen(item) ? (found.get(item) ?? item) : item))
})

const workspaceSymbolReader: Lenient.Reader<WorkspaceSymbol> = (input) =>
  Result.map(readFlat(input), ({ dropped, value }) => {
    const { containerName, kind, location, name } = value
    return {
      value: {
        name,
        kind: SymbolKind.of(kind),
        ...(containerName !== undefined && { containerName }),
        isDeprecated: isDeprecated(value),
        location: { uri: location.uri, path: FileUri.pathOf(location.uri), range: location.range ?? nowhere }
      },
      dropped
    }
  })

export const make = (asking: Asking): Symbols => ({
  documentSymbols: (path) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "textDocument/documentSymbol"
        const document = yield* session.send(path)
        const answer = yield* session.ask(method, { textDocument: { uri: document.uri } }, document)
        return yield* Reading.list(session, method, documentSymbolReader(0), answer)
      })
    ),
  workspaceSymbols: (query) =>
    asking((session) =>
      Effect.gen(function* () {
        const method = "workspace/symbol"
        const answer = yield* resolved(session, yield* session.ask(method, { query }))
        return yield* Reading.list(session, method, workspaceSymbolReader, answer)
      })
    )
})
