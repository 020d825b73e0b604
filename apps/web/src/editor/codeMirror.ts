/** What the editor can do: keys, search, undo, marks, and the grammar of the file's language. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { bracketMatching, indentOnInput } from "@codemirror/language"
import { Compartment, EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from "@codemirror/view"
import { announce } from "../browser/announcer.ts"
import { authorship } from "./authors/marking.ts"
import { languageOf } from "./languages.ts"
import { marks } from "./marks.ts"
import type { OpenDocument } from "./OpenDocument.ts"
import { look } from "./theme.ts"

/** The words of the search, as the page writes words. */
const phrases = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close"
}

/** The grammar of a document, which comes a moment after its text. */
const grammar = new Compartment()
/** The search of a document, which comes so, too. */
const finding = new Compartment()

/** The extensions of a document. `added`: what others add. Its keys go before those of the editor. */
export const extensionsOf =
  (added: Extension) =>
  (document: OpenDocument): Extension => [
    added,
    marks,
    authorship.of([]),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    EditorState.phrases.of(phrases),
    keymap.of([
      {
        key: "Mod-s",
        preventDefault: true,
        run: () => {
          document.save()
          return true
        }
      },
      ...defaultKeymap,
      ...historyKeymap,
      // After Escape, Tab moves the focus.
      indentWithTab
    ]),
    EditorView.contentAttributes.of({ "aria-label": `Text of ${document.path}`, spellcheck: "false" }),
    grammar.of([]),
    finding.of(keymap.of([{ key: "Mod-f", preventDefault: true, run: (view) => findIn(document, view) }])),
    look
  ]

/** Loads the grammar of a document that is shown. */
export const loadGrammar = async (document: OpenDocument): Promise<void> => {
  const support = await languageOf(document.path).load?.()
  if (support !== undefined) document.buffer()?.mark(grammar.reconfigure(support))
}

/** Loads the search of a document that is shown. */
export const loadSearch = async (document: OpenDocument) => {
  const { openSearchPanel, searching } = await import("./searching.ts")
  document.buffer()?.mark(finding.reconfigure(searching))
  return openSearchPanel
}

/** Searches as soon as that can be done. */
export const findIn = (document: OpenDocument, view: EditorView): true => {
  loadSearch(document).then(
    (openPanel) => openPanel(view),
    () => announce("The search could not be loaded. Reload the page.")
  )
  return true
}
