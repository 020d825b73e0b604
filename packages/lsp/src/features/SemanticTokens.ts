/** Asks for the kind of each word of a file, for colouring. */
import type { Lines, Range } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Document } from "../documents/Document.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { Asking, Session } from "./Session.ts"

export interface SemanticToken {
  readonly range: Range
  /** `function`, `parameter`, or a word of the server's own. */
  readonly type: string
  /** `declaration`, `readonly`. */
  readonly modifiers: ReadonlyArray<string>
}

export interface Tokens {
  readonly items: ReadonlyArray<SemanticToken>
  /** Names this answer for a question about what has changed since. */
  readonly resultId: string | undefined
  /** The numbers of the protocol, which a later answer changes. */
  readonly data: ReadonlyArray<number>
}

export interface SemanticTokens {
  /** @param range only this part, if the server offers that */
  readonly semanticTokens: (path: string, range?: Range) => Effect.Effect<Tokens, LanguageServerError>
  /** All tokens, by what has changed since an earlier answer. Asks for all of them if the server does not offer that. */
  readonly changedSemanticTokens: (path: string, before: Tokens) => Effect.Effect<Tokens, LanguageServerError>
}

/** Most numbers of an answer: five for each token. */
const mostNumbers = 2_000_000

const full = "textDocument/semanticTokens/full"
const delta = "textDocument/semanticTokens/full/delta"
const ranged = "textDocument/semanticTokens/range"

const words = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map((word: unknown) => (typeof word === "string" ? word : "unknown")) : []

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0

/** The words that the numbers of a server stand for. */
const legendOf = (offer: unknown) => {
  const legend = Predicate.isObject(offer) && Predicate.isObject(offer["legend"]) ? offer["legend"] : {}
  return { types: words(legend["tokenTypes"]), modifiers: words(legend["tokenModifiers"]) }
}

const numbersOf = (session: Session, method: string, value: unknown) => {
  if (!Array.isArray(value) || value.length > mostNumbers || !value.every(isNumber))
    return Effect.fail(session.malformed(method, `its data are no list of at most ${mostNumbers} natural numbers`))
  const numbers: ReadonlyArray<number> = value
  return Effect.succeed(numbers)
}

/** How many tokens are made before others may go on. */
const slice = 4000

/** A place in a line as the server counts it, in UTF-16. */
type ToUtf16 = (lines: Lines, line: number, character: number) => number

/** Reads numbers five by five: lines and characters count from the token before. */
const itemsOf = (
  { lines }: Document,
  data: ReadonlyArray<number>,
  { modifiers, types }: ReturnType<typeof legendOf>,
  toUtf16: ToUtf16
): Effect.Effect<ReadonlyArray<SemanticToken>> => {
  const items: Array<SemanticToken> = []
  let line = 0
  let character = 0
  const some = (from: number): Effect.Effect<ReadonlyArray<SemanticToken>> => {
    const to = Math.min(data.length - 4, from + 5 * slice)
    let at = from
    for (; at < to; at += 5) {
      const [lineStep = 0, step = 0, length = 0, type = 0, flags = 0] = data.slice(at, at + 5)
      line += lineStep
      character = lineStep === 0 ? character + step : step
      const start = { line, character: toUtf16(lines, line, character) }
      const end = { line, character: toUtf16(lines, line, character + length) }
      items.push({
        range: { start, end },
        type: types[type] ?? "unknown",
        modifiers: modifiers.filter((_, index) => Math.floor(flags / 2 ** index) % 2 === 1)
      })
    }
    return at < data.length - 4 ? Effect.flatMap(Effect.yieldNow, () => some(at)) : Effect.succeed(items)
  }
  return Effect.suspend(() => some(0))
}

const tokensOf = Effect.fnUntraced(function* (
  session: Session,
  document: Document,
  data: ReadonlyArray<number>,
  resultId: unknown
): Effect.fn.Return<Tokens> {
  const legend = legendOf(session.offer(full, document))
  const { encoding } = session
  const toUtf16: ToUtf16 = (lines, line, character) =>
    encoding === "utf-16" ? character : lines.convert({ line, character }, encoding, "utf-16").character
  return {
    items: yield* itemsOf(document, data, legend, toUtf16),
    resultId: typeof resultId === "string" ? resultId : undefined,
    data
  }
})

/** Whether the server offers a kind of question about tokens. */
const offers = (session: Session, document: Document, kind: "full" | "delta" | "range"): boolean => {
  const offer = session.offer(full, document)
  if (!Predicate.isObject(offer)) return false
  const { full: whole, range } = offer
  if (kind === "range") return range === true || Predicate.isObject(range)
  if (kind === "full") return whole === true || Predicate.isObject(whole)
  return Predicate.isObject(whole) && whole["delta"] === true
}

const all = Effect.fnUntraced(function* (session: Session, document: Document, range?: Range) {
  const method = range !== undefined && offers(session, document, "range") ? ranged : full
  const params = { textDocument: { uri: document.uri }, ...(method === ranged && { range }) }
  const answer = yield* session.ask(method, params, document)
  if (answer === null || answer === undefined) return { items: [], resultId: undefined, data: [] }
  const { data, resultId } = Predicate.isObject(answer) ? answer : {}
  return yield* tokensOf(session, document, yield* numbersOf(session, method, data), resultId)
})

/** The numbers after edits of a delta. Each edit is about the numbers before all of them. */
const afterEdits = Effect.fnUntraced(function* (
  session: Session,
  before: ReadonlyArray<number>,
  edits: ReadonlyArray<unknown>
) {
  const read = yield* Effect.forEach(edits, (edit) => {
    const { data = [], deleteCount, start } = Predicate.isObject(edit) ? edit : {}
    return isNumber(start) && isNumber(deleteCount)
      ? Effect.map(numbersOf(session, delta, data), (numbers) => ({ start, deleteCount, numbers }))
      : Effect.fail(session.malformed(delta, "an edit has no start or deleteCount"))
  })
  const parts: Array<ReadonlyArray<number>> = []
  let at = 0
  for (const { deleteCount, numbers, start } of read.toSorted((one, other) => one.start - other.start)) {
    if (start < at || start + deleteCount > before.length)
      return yield* session.malformed(delta, "its edits overlap, or are beyond the tokens before")
    parts.push(before.slice(at, start), numbers)
    at = start + deleteCount
  }
  return [...parts, before.slice(at)].flat()
})

export const make = (asking: Asking): SemanticTokens => ({
  semanticTokens: (path, range) =>
    asking((session) => Effect.flatMap(session.send(path), (document) => all(session, document, range))),
  changedSemanticTokens: (path, before) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        if (before.resultId === undefined || !offers(session, document, "delta")) return yield* all(session, document)
        const params = { textDocument: { uri: document.uri }, previousResultId: before.resultId }
        const answer = yield* session.ask(delta, params, document)
        const { data, edits, resultId } = Predicate.isObject(answer) ? answer : {}
        const numbers = Array.isArray(edits)
          ? yield* afterEdits(session, before.data, edits)
          : yield* numbersOf(session, delta, data)
        return yield* tokensOf(session, document, numbers, resultId)
      })
    )
})
