/** What is written and not yet sent, per thread. Words are kept in this browser, so that a reload loses none; attachments in the page. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Schema from "effect/Schema"
import { makeStore, type Store, useStore } from "../browser/Store.ts"
import type { Attachment } from "./attachments.ts"
import { attachmentOf } from "./attachments.ts"
import { fileMention, Mention } from "./mentions.ts"

export interface Draft {
  readonly text: string
  /** Files that were chosen for the text. Those whose `@path` still stands in it are mentioned. */
  readonly mentions: ReadonlyArray<Mention>
  readonly attachments: ReadonlyArray<Attachment>
}

const empty: Draft = { text: "", mentions: [], attachments: [] }

const textKey = (threadId: ThreadId): string => `signalbox.draft.${threadId}`
const mentionsKey = (threadId: ThreadId): string => `signalbox.mentions.${threadId}`

const drafts = new Map<ThreadId, Store<Draft>>()

const draftOf = (threadId: ThreadId): Store<Draft> => {
  const known = drafts.get(threadId)
  if (known) return known
  const draft = makeStore(stored(threadId))
  drafts.set(threadId, draft)
  return draft
}

const readMentions = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Mention)))

const stored = (threadId: ThreadId): Draft => {
  try {
    const text = localStorage.getItem(textKey(threadId)) ?? ""
    return { ...empty, text, mentions: readMentions(localStorage.getItem(mentionsKey(threadId)) ?? "[]") }
  } catch {
    return empty
  }
}

const store = (key: string, value: string, isEmpty: boolean): void => {
  try {
    if (isEmpty) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

export const useDraft = (threadId: ThreadId): Draft => useStore(draftOf(threadId))

export const changeDraft = (threadId: ThreadId, change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void => {
  const before = draftOf(threadId).get()
  const after = { ...before, ...(typeof change === "function" ? change(before) : change) }
  draftOf(threadId).set(after)
  if (after.text !== before.text) store(textKey(threadId), after.text, after.text === "")
  if (after.mentions !== before.mentions)
    store(mentionsKey(threadId), JSON.stringify(after.mentions), after.mentions.length === 0)
}

export const clearDraft = (threadId: ThreadId): void => changeDraft(threadId, empty)

/** Puts a prompt back into the composer, after what is already written there. */
export const addToDraft = (threadId: ThreadId, prompt: ReadonlyArray<PromptPart>): void =>
  changeDraft(threadId, ({ attachments, mentions, text }) => {
    const written = text.trimEnd()
    const added = prompt.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n")
    return {
      text: written === "" ? added : `${written}\n\n${added}`,
      mentions: [...mentions, ...prompt.flatMap((part) => (part.type === "resource_link" ? fileMention(part) : []))],
      attachments: [...attachments, ...prompt.flatMap((part) => attachmentOf(part) ?? [])]
    }
  })

/** Forgets the draft of a thread that is deleted. */
export const forgetDraft = (threadId: ThreadId): void => {
  clearDraft(threadId)
  drafts.delete(threadId)
}
