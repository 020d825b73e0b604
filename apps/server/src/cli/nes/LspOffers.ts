/** What the editor got for its documents, and what a text becomes by it. Plain data, changed by one owner. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines } from "@signalbox/acp/Positions"
import { editsOf, type OpenText } from "./LspEdits.ts"

interface Offer {
  readonly suggestions: ReadonlyArray<Suggestion>
  /** The documents as they were then. */
  readonly texts: ReadonlyMap<string, OpenText>
}

export interface LspOffers {
  /** The editor gets suggestions that it asked for in this document. `open`: all documents. */
  readonly put: (uri: string, suggestions: ReadonlyArray<Suggestion>, open: ReadonlyArray<OpenText>) => void
  /** The suggestions for a text that is still what it was. */
  readonly of: (document: OpenText) => ReadonlyArray<Suggestion>
  readonly find: (id: string) => Suggestion | undefined
  /** The text of the suggestion's own document, as it was then. */
  readonly textOf: (suggestion: Suggestion) => OpenText | undefined
  /** The suggestion by which a document gets this text. */
  readonly outcome: (uri: string, after: Lines) => string | undefined
  /** A document has changed by something else. */
  readonly typed: (uri: string) => void
  readonly drop: (uri: string) => void
}

export const make = (): LspOffers => {
  const offers = new Map<string, Offer>()
  const each = (): ReadonlyArray<{ readonly suggestion: Suggestion; readonly texts: Offer["texts"] }> =>
    [...offers.values()].flatMap(({ suggestions, texts }) => suggestions.map((suggestion) => ({ suggestion, texts })))

  return {
    put: (uri, suggestions, open) =>
      void offers.set(uri, { suggestions, texts: new Map(open.map((document) => [document.uri, document])) }),
    of: ({ lines, uri }) => {
      const offer = offers.get(uri)
      return offer?.texts.get(uri)?.lines === lines ? (offer?.suggestions ?? []) : []
    },
    find: (id) => each().find(({ suggestion }) => suggestion.id === id)?.suggestion,
    textOf: ({ id, uri }) =>
      each()
        .find(({ suggestion }) => suggestion.id === id)
        ?.texts.get(uri),
    outcome: (uri, after) =>
      each().find(({ suggestion, texts }) => isOutcome(suggestion, texts.get(uri), after))?.suggestion.id,
    typed: (uri) => {
      const offer = offers.get(uri)
      // Who types the beginning of an insertion may accept its rest. Other suggestions are over.
      const kept = offer?.suggestions.filter(({ kind }) => kind === "edit") ?? []
      if (offer !== undefined) offers.set(uri, { ...offer, suggestions: kept })
    },
    drop: (uri) => void offers.delete(uri)
  }
}

/** Whether a text is what the suggestion makes of the text before. */
const isOutcome = (suggestion: Suggestion, before: OpenText | undefined, after: Lines): boolean => {
  const [own] = before === undefined ? [] : (editsOf(suggestion, [before]) ?? [])
  if (own?.document.lines === undefined || own.document !== before) return false
  const { edits } = own
  const { lines } = before
  const grown = edits.reduce(
    (sum, { newText, range: { end, start } }) => sum + newText.length - (lines.offsetAt(end) - lines.offsetAt(start)),
    lines.length
  )
  // Most keystrokes give another length, which is found without building a text.
  return grown === after.length && lines.edit(edits).text === after.text
}
