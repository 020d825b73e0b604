// Runs in a page: CodeMirror alone, with the parts that any editor of code has. The page gives it a text and a line.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { javascript } from "@codemirror/lang-javascript"
import { bracketMatching, defaultHighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language"
import { EditorState } from "@codemirror/state"
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view"

globalThis.openText = (text, line) => {
  const view = new EditorView({
    parent: document.body,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        javascript({ typescript: true }),
        syntaxHighlighting(defaultHighlightStyle),
        EditorView.theme({ "&": { height: "100vh" }, ".cm-scroller": { overflow: "auto" } })
      ]
    })
  })
  const { from } = view.state.doc.line(line)
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
  view.focus()
}
