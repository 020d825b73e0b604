/** What the agent remembers of one session: the last edit, what was shown last, and how its suggestions ended. */
import type { Document, Ended, Event, Suggestion } from "@signalbox/acp/NesAgent"
import type { Range } from "@signalbox/acp/Positions"
import { followed } from "./mind/Edit.ts"
import { Rejections } from "./mind/Rejections.ts"
import type { Edit, Idea, Renaming } from "./mind/Scene.ts"

/** An edit, and the document that it was made in. */
interface EditIn extends Edit {
  readonly uri: string
}

/** A suggestion as it came out of the mind. */
interface Origin {
  readonly idea: Idea
  /** What makes it the same as another one. */
  readonly key: string
  /** The renaming that it carries on. */
  readonly renaming: Renaming | undefined
}

export class Memory {
  readonly rejections = new Rejections()
  /** What the window shows, by document. The document in focus is the last one. */
  readonly visible = new Map<string, Range>()
  /** The documents before their last change. */
  readonly before = new Map<string, Document>()
  readonly #origins = new WeakMap<Suggestion, Origin>()
  #lastEdit: EditIn | undefined
  /** Whether the next change is an edit of its own, wherever it is. */
  #isSettled = false
  #renamed: Renaming | undefined

  get lastEdit(): EditIn | undefined {
    return this.#lastEdit
  }

  /** The last renaming that was accepted, and that the project does not have yet. */
  get renamed(): Renaming | undefined {
    return this.#renamed
  }

  offered(suggestion: Suggestion, origin: Origin): void {
    this.#origins.set(suggestion, origin)
  }

  onEvent(event: Event): void {
    const { uri } = event
    switch (event.type) {
      case "didChange":
        if (event.before) this.#changed(uri, event.before, event.document)
        return
      case "didSave":
        this.#isSettled = true
        return
      case "didFocus":
        this.visible.delete(uri)
        this.visible.set(uri, event.visibleRange)
        return
      case "didOpen":
      case "didClose":
        this.visible.delete(uri)
        this.before.delete(uri)
        if (this.#lastEdit?.uri === uri) this.#lastEdit = undefined
    }
  }

  onEnd({ outcome, reason, suggestion }: Ended): void {
    const origin = this.#origins.get(suggestion)
    if (outcome === "accepted") {
      this.#isSettled = true
      this.#renamed = suggestion.kind === "searchAndReplace" ? undefined : (origin?.renaming ?? this.#renamed)
    } else if (reason === "rejected" && origin) this.rejections.add(origin.key)
  }

  #changed(uri: string, before: Document, after: Document): void {
    this.before.set(uri, before)
    const last = this.#lastEdit?.uri === uri && !this.#isSettled ? this.#lastEdit : undefined
    const edit = followed(last, before.lines.text, after.lines.text)
    this.#isSettled = false
    if (edit) this.#lastEdit = { ...edit, uri }
  }
}
