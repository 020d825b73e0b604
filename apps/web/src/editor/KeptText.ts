/** The unsaved text of one file, kept in this browser a moment after each change. */
import { pageId } from "../browser/pageId.ts"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Unsaved from "./unsaved.ts"

/** Milliseconds after a change until a short text is kept. The page keeps it at once when it is left. */
const pause = 150

/** Characters for which it waits one millisecond longer: to write a long text takes time that typing needs. */
const charactersPerMs = 1000

export class KeptText {
  readonly page = pageId
  readonly #threadId: ThreadId
  readonly #path: string
  readonly #onKept: (problem: string | undefined) => void
  readonly #text: () => Unsaved.UnsavedText | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isKept = false
  #length = 0
  #dropped = false
  #failed = false

  /** `onKept`: why the text is not kept, or undefined again. `text`: undefined if nothing is unsaved. */
  constructor(
    threadId: ThreadId,
    path: string,
    onKept: (problem: string | undefined) => void,
    text: () => Unsaved.UnsavedText | undefined
  ) {
    this.#threadId = threadId
    this.#path = path
    this.#onKept = onKept
    this.#text = text
  }

  soon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.now(), pause + this.#length / charactersPerMs)
  }

  async now(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#dropped) return
    const text = this.#text()
    this.#length = text?.text.length ?? 0
    try {
      if (text !== undefined) {
        this.#isKept = true
        await Unsaved.keep(this.#threadId, this.#path, text)
      } else if (this.#isKept) {
        this.#isKept = false
        await Unsaved.forget(this.#threadId, this.#path)
      }
      if (this.#failed) this.#onKept(undefined)
      this.#failed = false
    } catch (error) {
      this.#failed = true
      this.#onKept(error instanceof Error ? error.message : String(error))
    }
  }

  /** Forgets the text, and keeps nothing more. */
  async drop(): Promise<void> {
    this.#dropped = true
    clearTimeout(this.#timer)
    await Unsaved.forget(this.#threadId, this.#path).catch(() => {})
  }
}
