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
  /** The suggestions by which a document gets this text. Some editors send edit by edit, so a part counts too. */
  readonly leadingTo: (uri: string, after: Lines) => ReadonlyArray<string>
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
    leadingTo: (uri, after) =>
      each().flatMap(({ suggestion, texts }) => (leadsTo(suggestion, texts.get(uri), after) ? [suggestion.id] : [])),
    typed: (uri) => {
      const offer = offers.get(uri)
      // Who types the beginning of an insertion may accept its rest. Other suggestions are over.
      const kept = offer?.suggestions.filter(({ kind }) => kind === "edit") ?? []
      if (offer !== undefined) offers.set(uri, { ...offer, suggestions: kept })
    },
    drop: (uri) => void offers.delete(uri)
  }
}

/** Most edits of a suggestion whose beginning is recognized. */
const mostSteps = 32

/** Whether a suggestion makes this text of the text before, by all edits or by some from one end. */
const leadsTo = (suggestion: Suggestion, before: OpenText | undefined, after: Lines): boolean => {
  if (before === undefined) return false
  const { lines } = before
  const edits = editsOf(suggestion, [before])?.find(({ document }) => document === before)?.edits ?? []
  const steps = edits
    .map((edit) => ({ edit, start: lines.offsetAt(edit.range.start), end: lines.offsetAt(edit.range.end) }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
  return partsOf(steps).some((part) => {
    const length = part.reduce((sum, { edit, end, start }) => sum + edit.newText.length - (end - start), lines.length)
    // Most keystrokes give another length, which is found without building a text.
    return length === after.length && lines.edit(part.map(({ edit }) => edit)).text === after.text
  })
}

/** All steps, and where they are few, some from the beginning or from the end. */
const partsOf = <Step>(steps: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  if (steps.length === 0) return []
  if (steps.length > mostSteps) return [steps]
  return [steps, ...steps.slice(1).flatMap((_, index) => [steps.slice(0, index + 1), steps.slice(index + 1)])]
}
