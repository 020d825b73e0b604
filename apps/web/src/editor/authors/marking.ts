/** Puts the marks of authors into a document. They are loaded when the disk first changes. */
import { Compartment, type StateEffect } from "@codemirror/state"
import type { AgentWork } from "./AgentWork.ts"
import { workChanged } from "./disk.ts"

/** The place of the marks in a document. */
export const authorship = new Compartment()

/** Puts the marks into a document, which has its text without them if they can't be loaded. Returns whether they are there. */
export const markAuthors = async (
  path: string,
  work: AgentWork,
  mark: (...effects: ReadonlyArray<StateEffect<unknown>>) => void
): Promise<boolean> => {
  const loaded = await import("./extension.ts").catch(() => undefined)
  if (loaded === undefined) return false
  mark(authorship.reconfigure(loaded.marksFor(path)), workChanged.of(work))
  return true
}
