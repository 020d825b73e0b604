/** Changes the chosen places of a renaming or a replacement: each file in its buffer, as soon as it can be changed. */
import { isolateHistory } from "@codemirror/commands"
import { announce } from "../../browser/announcer.ts"
import { count } from "../../words/figures.ts"
import { type EditedFile, isFree } from "../reporting/access.ts"
import type { Ends } from "./Ends.ts"
import { applicable, type ChosenFile } from "./places.ts"
import type { Note } from "./Status.ts"

export interface PlaceChanges {
  /** `id`: the suggestion. It counts as accepted with the first place that is changed, and as ignored if none is. */
  readonly begin: (id: string, chosen: ReadonlyArray<ChosenFile>) => void
  /** A file may be free to be changed now. */
  readonly look: (file: EditedFile) => void
}

interface Surroundings {
  /** Opens a file that is not open. */
  readonly open: (path: string) => void
  /** Whether the thread's agent edits a file. */
  readonly isPaused: (path: string) => boolean
  readonly ends: Ends
  /** Takes a note for people on places that are not changed. Undefined: all are changed. */
  readonly note: (note: Note | undefined) => void
}

/** What was chosen in one file, and what has become of it. */
interface Part extends ChosenFile {
  state: "opening" | "held" | "done"
  changed: number
  /** Why the other places stay as they are, one sentence. */
  why: string
}

/** All that was chosen of one suggestion. */
interface Choice {
  readonly id: string
  readonly parts: ReadonlyArray<Part>
  isEnded: boolean
  told: string
}

interface Waiting {
  readonly part: Part
  readonly choice: Choice
}

export const make = ({ ends, isPaused, note, open }: Surroundings): PlaceChanges => {
  const waiting = new Map<string, Waiting>()

  const end = (choice: Choice, how: "accepted" | "ignored") => {
    if (!choice.isEnded) ends.end(choice.id, how)
    choice.isEnded = true
  }

  const finish = ({ choice, part }: Waiting, why: string) => {
    waiting.delete(part.path)
    part.state = "done"
    part.why = why
    tell(choice)
  }

  /** Says how far it is, once no file is about to be opened. */
  const tell = (choice: Choice) => {
    const { parts } = choice
    if (parts.some(({ state }) => state === "opening")) return
    if (parts.every(({ state }) => state === "done")) end(choice, "ignored")
    const told = toldOf(parts)
    if (told.said === choice.told) return
    choice.told = told.said
    note(told.note)
    announce(told.said)
  }

  return {
    begin: (id, chosen) => {
      const parts = chosen.map((file): Part => ({ ...file, state: "opening", changed: 0, why: "" }))
      const choice: Choice = { id, parts, isEnded: false, told: "" }
      for (const part of parts) {
        const before = waiting.get(part.path)
        if (before !== undefined) finish(before, "Other places of it were chosen since.")
        waiting.set(part.path, { part, choice })
        open(part.path)
      }
    },
    look: ({ buffer: bufferOf, path, state }) => {
      const known = waiting.get(path)
      if (known === undefined) return
      const { choice, part } = known
      const now = state.get()
      const buffer = bufferOf()
      if (now.text === "none" || now.readOnly !== undefined) return finish(known, "It can’t be changed here.")
      if (buffer === undefined || now.text === "reading") return
      if (!isFree(now) || isPaused(path)) {
        part.state = "held"
        return tell(choice)
      }
      const { changes, leftOut } = applicable(buffer.state.doc, buffer.lineEnd, part.places)
      part.changed = part.places.length - leftOut
      // The change below leads here again.
      waiting.delete(path)
      if (changes.length > 0) {
        // The agent hears of it before the change.
        end(choice, "accepted")
        buffer.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.suggestion" })
      }
      finish(known, leftOut === 0 ? "" : "It has changed since.")
    }
  }
}

/** What was done of a choice, in words. */
const toldOf = (parts: ReadonlyArray<Part>): { readonly said: string; readonly note: Note | undefined } => {
  const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0)
  const total = sum(({ places }) => places.length)
  const changed = sum((part) => part.changed)
  const done = `Changed: ${count(changed, "place")} in ${count(parts.filter((part) => part.changed > 0).length, "file")}.`
  const end = changed > 0 ? `${done} Nothing is saved yet.` : "Nothing was changed."
  if (changed === total) return { said: end, note: undefined }
  const isHeld = parts.some(({ state }) => state === "held")
  const words = `${isHeld ? "Not changed yet" : "Left out"}: ${total - changed} of ${count(total, "place")}`
  const sentences = parts.flatMap(({ changed: some, path, places, state, why }) => {
    const left = places.length - some
    if (left === 0) return []
    const about = `${path}: ${left} of ${count(places.length, "place")}.`
    return [`${about} ${state === "held" ? "The rest follows when the file can be changed here." : why}`]
  })
  return { said: [`${words}.`, ...sentences, end].join(" "), note: { words, why: [...sentences, end], lasts: true } }
}
