/** Notes which marked lines people have had before their eyes: those in the visible part of a page that is shown. */
import { ViewPlugin } from "@codemirror/view"
import { hasUnseen, linesSeen } from "./authorMarks.ts"

export const seenLines = ViewPlugin.define((view) => {
  let isOver = false
  const look = () =>
    view.requestMeasure({
      read: () => {
        const { clientHeight, scrollTop } = view.scrollDOM
        const top = scrollTop - view.documentPadding.top
        const { from } = view.lineBlockAtHeight(Math.max(0, top))
        const { to } = view.lineBlockAtHeight(Math.max(0, top + clientHeight))
        return clientHeight > 0 ? { from, to } : undefined
      },
      write: (range) => {
        if (range === undefined || document.visibilityState !== "visible") return
        if (!hasUnseen(view.state, range.from, range.to)) return
        // No change may be made while the view is measured.
        setTimeout(() => {
          if (!isOver && range.to <= view.state.doc.length) view.dispatch({ effects: linesSeen.of(range) })
        })
      },
      key: seenLines
    })
  document.addEventListener("visibilitychange", look)
  view.scrollDOM.addEventListener("scroll", look, { passive: true })
  look()
  return {
    update: look,
    destroy: () => {
      isOver = true
      document.removeEventListener("visibilitychange", look)
      view.scrollDOM.removeEventListener("scroll", look)
    }
  }
})
