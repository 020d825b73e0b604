/** Holds the one suggestion that a window shows, as grey text or drawn, and says which keys count for it. */
import type { SuggestionEnd } from "@signalbox/contracts/Suggestions"
import * as vscode from "vscode"
import type { Desk } from "./Desk.ts"
import type { Drawing } from "./Drawing.ts"
import { afterMove, isNear, type Offer, type OfferedEdit, restOf } from "./Offer.ts"
import { type PlacesInFile, rangeOf } from "./OtherPlaces.ts"

export interface Shown {
  readonly editor: vscode.TextEditor
  readonly offer: Offer
  /** The line of the caret for which it is offered. */
  readonly line: number
  /** Who suggests it, and the folder from which paths count. */
  readonly desk: Pick<Desk, "end" | "moved" | "places">
  readonly folder: string
}

type End = (id: string, how: SuggestionEnd) => void

export interface ShownOffers {
  readonly now: () => Shown | undefined
  readonly put: (shown: Shown) => void
  readonly clear: () => void
  /** The text has changed. What it says of a suggestion is heard; any other change ends what is shown. */
  readonly changed: (
    document: vscode.TextDocument,
    changes: ReadonlyArray<vscode.TextDocumentContentChangeEvent>
  ) => void
  /** People choose among these places of a suggestion. The first that is changed accepts it. */
  readonly expect: (id: string, end: End, files: ReadonlyArray<PlacesInFile>) => void
  /** Nobody chooses for that suggestion any more. Returns whether no place was changed. */
  readonly expectNothing: (id: string) => boolean
  /** The caret has moved. Returns whether people are still at what is shown. */
  readonly moved: (editor: vscode.TextEditor) => boolean
  /** Grey text for a document. */
  readonly ghostIn: (document: vscode.TextDocument) => OfferedEdit | undefined
}

const setKey = (name: string, value: boolean): void =>
  void vscode.commands.executeCommand("setContext", `signalbox.${name}`, value)

export const make = (drawing: Drawing): ShownOffers => {
  let shown: Shown | undefined
  let expected: { readonly id: string; readonly end: End; readonly files: ReadonlyArray<PlacesInFile> } | undefined

  const draw = (): void => {
    const first = shown?.offer
    setKey("suggestionShown", first !== undefined && first.type !== "ghost")
    setKey("greyTextShown", first?.type === "ghost")
    drawing.clear()
    if (shown === undefined || first === undefined) return
    const { editor } = shown
    const { active } = editor.selection
    switch (first.type) {
      case "ghost":
        return
      case "edit":
        drawing.edit(editor, first)
        if (!isNear(editor.document.getText(), active, first))
          drawing.hint(editor, `Tab: go to line ${lineOf(editor.document, first)}`)
        return
      case "jump":
        return drawing.hint(editor, `Tab: go to line ${first.position.line + 1}`)
      case "elsewhere":
        return drawing.hint(editor, `Tab: open ${nameOf(first.suggestion.path)}`)
      case "places": {
        const { suggestion } = first
        const words =
          suggestion.kind === "rename"
            ? `rename to ${suggestion.newName}`
            : `replace ${suggestion.search} by ${suggestion.replace}`
        return drawing.hint(editor, `Tab: ${words}, after a look at all places`)
      }
    }
  }

  /** VS Code may have made another document of the same file meanwhile. */
  const placesIn = ({ uri }: vscode.TextDocument): PlacesInFile["places"] =>
    expected?.files.find(({ document }) => document.uri.toString() === uri.toString())?.places ?? []

  const put = (next: Shown | undefined): void => {
    if (next === undefined && shown === undefined) return
    shown = next
    draw()
  }

  return {
    now: () => shown,
    put,
    clear: () => put(undefined),
    expect: (id, end, files) => {
      expected = { id, end, files }
    },
    expectNothing: (id) => {
      if (expected?.id !== id) return false
      expected = undefined
      return true
    },
    changed: (document, changes) => {
      const places = placesIn(document)
      if (expected !== undefined && changes.some((change) => places.some((place) => isChange(change, place)))) {
        expected.end(expected.id, "accepted")
        expected = undefined
      }
      if (shown?.editor.document !== document) return
      const text = document.getText()
      const first = shown.offer
      if ((first.type === "ghost" || first.type === "edit") && first.after === text) {
        // The server hears it before the change, which would end it as ignored.
        shown.desk.end(first.id, "accepted")
        return put(undefined)
      }
      const rest = restOf(first, document.version, text)
      put(rest && { ...shown, offer: rest })
    },
    moved: (editor) => {
      if (shown?.editor !== editor) return false
      const { line, offer } = shown
      const after = afterMove(offer, line, editor.selection.active, editor.document.getText())
      if (after === "gone") put(undefined)
      // The hint of a far edit goes with the caret.
      else if (offer.type === "edit") draw()
      return after === "seen"
    },
    ghostIn: (document) =>
      shown?.editor.document === document && shown.offer.type === "ghost" && shown.offer.version === document.version
        ? shown.offer
        : undefined
  }
}

const lineOf = (document: vscode.TextDocument, { changes }: OfferedEdit): number =>
  document.positionAt(changes[0]?.from ?? 0).line + 1

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const isChange = (
  { range, text }: vscode.TextDocumentContentChangeEvent,
  place: PlacesInFile["places"][number]
): boolean => text === place.newText && range.isEqual(rangeOf(place))
