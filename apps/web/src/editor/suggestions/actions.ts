/** What people do with a suggestion, by keys and by buttons. */
import { isolateHistory } from "@codemirror/commands"
import { type Extension, Facet, Prec, type Text } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"
import { isNear, lineOf, offer, type Offered, type OfferedEdit, showOffer, shownIn } from "./offer.ts"

/** Who hears what becomes of suggestions. */
export interface Actions {
  /** People have changed the text. */
  readonly typed: () => void
  /** The text is on the screen. */
  readonly appeared: () => void
  /** The caret is somewhere else. */
  readonly moved: () => void
  /** The text was changed by the disk. */
  readonly changed: () => void
  /** A character is complete that was made of several keys. */
  readonly composed: () => void
  /** An edit is in the text now. `before`: the text without it. */
  readonly accepted: (edit: OfferedEdit, before: Text) => void
  /** People have dismissed what was shown. */
  readonly dismissed: (shown: Offered) => void
  /** People went to a far edit of this document. */
  readonly went: (edit: OfferedEdit) => void
  /** People want a step to be done. */
  readonly step: (id: string) => void
  /** Another suggestion is shown. */
  readonly turned: () => void
  readonly ask: () => void
}

export const actions = Facet.define<Actions, Actions | undefined>({ combine: ([first]) => first })

/** Accepts what is shown: a far edit is gone to first. Returns whether something was shown. */
export const accept = (view: EditorView): boolean => {
  const shown = shownIn(view.state)
  if (shown === undefined || view.composing) return false
  const heard = view.state.facet(actions)
  if (shown.type === "step") heard?.step(shown.id)
  else if (isNear(view.state, shown)) {
    const before = view.state.doc
    heard?.accepted(shown, before)
    view.dispatch({
      changes: shown.changes,
      selection: { anchor: shown.caret },
      effects: showOffer.of(undefined),
      // One step of its own: undo takes all of it back, and nothing else.
      annotations: isolateHistory.of("full"),
      userEvent: "input.suggestion",
      scrollIntoView: true
    })
  } else {
    goTo(view, lineOf(view.state, shown), shown.changes[0]?.from)
    heard?.went(shown)
  }
  return true
}

/** Puts the caret somewhere, in the middle of what is seen. */
export const goTo = (view: EditorView, line: number | undefined, at?: number): void => {
  const { doc } = view.state
  const anchor = Math.min(at ?? doc.line(Math.max(1, Math.min(line ?? 1, doc.lines))).from, doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
}

export const dismiss = (view: EditorView): boolean => {
  const shown = shownIn(view.state)
  if (shown === undefined) return false
  view.dispatch({ effects: showOffer.of(undefined) })
  view.state.facet(actions)?.dismissed(shown)
  return true
}

/** Shows the suggestion after the shown one, or before it. */
export const turn =
  (by: 1 | -1) =>
  (view: EditorView): boolean => {
    const now = view.state.field(offer, false)
    if (now === undefined || shownIn(view.state) === undefined) return false
    const { length } = now.all
    if (length > 1) {
      view.dispatch({ effects: showOffer.of({ ...now, at: (now.at + by + length) % length }) })
      view.state.facet(actions)?.turned()
    }
    return true
  }

/** Before the keys of the editor. A key that finds nothing shown does what it does elsewhere. */
export const keys: Extension = Prec.highest(
  keymap.of([
    { key: "Tab", run: accept },
    { key: "Escape", run: dismiss },
    { key: "Alt-]", run: turn(1) },
    { key: "Alt-[", run: turn(-1) },
    {
      key: "Alt-\\",
      run: (view) => {
        view.state.facet(actions)?.ask()
        return true
      }
    }
  ])
)
