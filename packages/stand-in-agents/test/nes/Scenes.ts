/** Scenes for the reference agent's mind, written as texts: the last `|` is the caret. */
import { difference, followed } from "../../src/nes/mind/Edit.ts"
import * as Mind from "../../src/nes/mind/Mind.ts"
import type { Change, Idea, Scene } from "../../src/nes/mind/Scene.ts"

const uri = "file:///repo/app/main.ts"

/** A scene by its text, whose last `|` is the caret. All kinds are offered, and nothing else is known. */
export const scene = (marked: string, more: Partial<Scene> = {}): Scene => {
  const caret = marked.lastIndexOf("|")
  if (caret === -1) throw new Error(`There is no caret in ${marked}`)
  return {
    uri,
    text: marked.slice(0, caret) + marked.slice(caret + 1),
    caret,
    trigger: "automatic",
    isMoving: false,
    isUndone: false,
    others: [],
    findings: [],
    farFindings: [],
    folders: ["file:///repo/app"],
    kinds: new Set(["edit", "jump", "rename", "searchAndReplace"]),
    ...more
  }
}

/** The scene after a person has made the first text into the second one. */
export const edited = (before: string, marked: string, more: Partial<Scene> = {}): Scene => {
  const after = scene(marked, more)
  const lastEdit = followed(undefined, before, after.text)
  if (lastEdit === undefined) throw new Error("Nothing was edited")
  return { ...after, lastEdit: { ...lastEdit, uri, text: after.text }, ...more }
}

/** A text with changes made. */
const changed = (text: string, changes: ReadonlyArray<Change>): string =>
  changes.toReversed().reduce((now, { end, start, text: words }) => now.slice(0, start) + words + now.slice(end), text)

/** The text after the first edit among the ideas, with `|` for the caret. */
export const accepted = (given: Scene, found: ReadonlyArray<Idea> = Mind.ideas(given)): string | undefined => {
  const edit = found.find((idea) => idea.kind === "edit")
  if (edit === undefined) return undefined
  const text = changed(given.text, edit.changes)
  return `${text.slice(0, edit.caret)}|${text.slice(edit.caret)}`
}

/** Accepts edit after edit, as a person who presses Tab until nothing is left. Each new text is an edit of its own. */
export const acceptedAll = (given: Scene): string => {
  let now = given
  for (let count = 0; count < 20; count++) {
    const marked = accepted(now)
    if (marked === undefined) return now.text
    const next = { ...now, text: marked.replace("|", ""), caret: marked.indexOf("|") }
    const change = difference(now.text, next.text)
    if (change === undefined) throw new Error("A suggestion changes nothing")
    const lastEdit = followed(now.lastEdit, now.text, next.text)
    now = { ...next, ...(lastEdit && { lastEdit: { ...lastEdit, uri, text: next.text } }) }
  }
  throw new Error("The suggestions do not end")
}
