/** What is written and not yet sent, per thread. Kept in this browser, so that a reload loses nothing. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { makeStore, type Store, useStore } from "../connection/Store.ts"

const keyOf = (threadId: ThreadId): string => `signalbox.draft.${threadId}`

const drafts = new Map<ThreadId, Store<string>>()

const draftOf = (threadId: ThreadId): Store<string> => {
  const known = drafts.get(threadId)
  if (known) return known
  const draft = makeStore(stored(threadId))
  drafts.set(threadId, draft)
  return draft
}

const stored = (threadId: ThreadId): string => {
  try {
    return localStorage.getItem(keyOf(threadId)) ?? ""
  } catch {
    return ""
  }
}

export const useDraft = (threadId: ThreadId): string => useStore(draftOf(threadId))

export const setDraft = (threadId: ThreadId, text: string): void => {
  draftOf(threadId).set(text)
  try {
    if (text === "") localStorage.removeItem(keyOf(threadId))
    else localStorage.setItem(keyOf(threadId), text)
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

/** Puts a text into the composer, after what is already written there. */
export const addToDraft = (threadId: ThreadId, text: string): void => {
  const written = draftOf(threadId).get().trimEnd()
  setDraft(threadId, written === "" ? text : `${written}\n\n${text}`)
}

/** Of a thread that is no more. */
export const forgetDraft = (threadId: ThreadId): void => {
  setDraft(threadId, "")
  drafts.delete(threadId)
}
