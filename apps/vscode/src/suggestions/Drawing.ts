/** Draws suggestions that VS Code has no place for: old text struck, new text behind it, and where a key leads. */
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import * as vscode from "vscode"
import type { OfferedEdit } from "./Offer.ts"

/** Longer texts are cut in the line. The whole text is in the card of the place. */
const longest = 160

/** One line of what stands there, with nothing invisible in it. A style would join spaces. */
const shownOf = (text: string): string => {
  const line = inText(revealAll(text.replaceAll(/\r\n|\r|\n/g, " ⏎ ")))
  return (line.length > longest ? `${line.slice(0, longest)}…` : line).replaceAll(" ", "\u00a0")
}

export interface Drawing extends vscode.Disposable {
  readonly edit: (editor: vscode.TextEditor, offer: OfferedEdit) => void
  /** Says at the end of the caret's line what a key does. */
  readonly hint: (editor: vscode.TextEditor, words: string) => void
  readonly clear: () => void
}

export const make = (): Drawing => {
  const removed = vscode.window.createTextEditorDecorationType({
    textDecoration: "line-through",
    backgroundColor: new vscode.ThemeColor("diffEditor.removedTextBackground")
  })
  const added = vscode.window.createTextEditorDecorationType({
    after: { backgroundColor: new vscode.ThemeColor("diffEditor.insertedTextBackground"), margin: "0 0 0 0.2ch" }
  })
  const hinted = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: {
      color: new vscode.ThemeColor("editorCodeLens.foreground"),
      fontStyle: "italic",
      margin: "0 0 0 2ch"
    }
  })
  const types = [removed, added, hinted]
  let drawnIn: vscode.TextEditor | undefined
  const clear = (): void => {
    for (const type of types) drawnIn?.setDecorations(type, [])
    drawnIn = undefined
  }
  return {
    edit: (editor, { changes }) => {
      clear()
      drawnIn = editor
      const { document } = editor
      const places = changes.map(({ from, insert, to }) => {
        const range = new vscode.Range(document.positionAt(from), document.positionAt(to))
        const card = new vscode.MarkdownString()
        card.appendText("Suggested: ")
        card.appendCodeblock(insert === "" ? "(nothing)" : inText(revealAll(insert)), document.languageId)
        return { range, insert, card }
      })
      editor.setDecorations(
        removed,
        places.filter(({ range }) => !range.isEmpty).map(({ card, range }) => ({ range, hoverMessage: card }))
      )
      editor.setDecorations(
        added,
        places
          .filter(({ insert }) => insert !== "")
          .map(({ card, insert, range }) => ({
            range: new vscode.Range(range.end, range.end),
            hoverMessage: card,
            renderOptions: { after: { contentText: shownOf(insert) } }
          }))
      )
    },
    hint: (editor, words) => {
      drawnIn = editor
      const { active } = editor.selection
      editor.setDecorations(hinted, [
        { range: new vscode.Range(active, active), renderOptions: { after: { contentText: shownOf(words) } } }
      ])
    },
    clear,
    dispose: () => {
      clear()
      for (const type of types) type.dispose()
    }
  }
}
