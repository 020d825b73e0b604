/** What suggestions add to the editor of one file. */
import { type Extension, Prec, Transaction } from "@codemirror/state"
import { EditorView, ViewPlugin } from "@codemirror/view"
import { type Actions, actions, keys } from "./actions.ts"
import { changeLog } from "../reporting/changeLog.ts"
import { drawing } from "./drawing.ts"
import { hints } from "./hint.ts"
import { look } from "./look.ts"
import { offer } from "./offer.ts"
import { target } from "./target.ts"

export const suggesting = (heard: Actions): Extension => [
  changeLog,
  offer,
  actions.of(heard),
  keys,
  // Behind the numbers of the lines.
  Prec.lowest(drawing),
  hints,
  target,
  look,
  ViewPlugin.define(() => {
    heard.appeared()
    return {}
  }),
  EditorView.updateListener.of(({ docChanged, selectionSet, transactions }) => {
    const byPeople = transactions.some(
      (transaction) => transaction.docChanged && transaction.annotation(Transaction.remote) !== true
    )
    if (byPeople) heard.typed()
    else if (docChanged) heard.changed()
    else if (selectionSet) heard.moved()
  }),
  EditorView.domEventHandlers({
    // The browser would part lines on its own, and take a drawn line for a new one.
    beforeinput: ({ data, inputType }, view) => {
      if (inputType !== "insertText" || data?.includes("\n") !== true || view.composing || view.state.readOnly)
        return false
      view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true })
      return true
    },
    compositionend: () => {
      heard.composed()
      return false
    }
  })
]
