/** What is written and not yet sent, per thread. `draftKeeping.ts` keeps it in the server and in this browser, and is loaded with the first field. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { SentDraft } from "@signalbox/contracts/Draft"
import type { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { useEffect } from "react"
import { makeStore, type Store, useStore } from "../browser/Store.ts"
import { attachmentOf } from "./attachments.ts"
import { type Draft, emptyDraft } from "./Draft.ts"
import { fileMention } from "./mentions.ts"

const drafts = new Map<ThreadId, Store<Draft>>()

const draftOf = (threadId: ThreadId): Store<Draft> => {
  const known = drafts.get(threadId)
  if (known) return known
  const draft = makeStore(emptyDraft)
  drafts.set(threadId, draft)
  return draft
}

type Keeping = typeof import("./draftKeeping.ts")

let keeping: Keeping | undefined
let loading: Promise<Keeping> | undefined
let hasFailed = false

/** Without the part that keeps drafts, this browser has at least the words. */
const keepWords = (threadId: ThreadId): void => {
  try {
    localStorage.setItem(`signalbox.draft.${threadId}`, draftOf(threadId).get().text)
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

/** Keeps the draft as long as its field is shown. Returns what ends it. */
const attend = (threadId: ThreadId): (() => void) => {
  let leave = (): void => {}
  let hasLeft = false
  loading ??= import("./draftKeeping.ts")
  loading.then(
    (loaded) => {
      keeping = loaded
      if (!hasLeft) leave = loaded.attend(threadId, draftOf(threadId))
    },
    () => {
      loading = undefined
      hasFailed = true
      if (draftOf(threadId).get() !== emptyDraft) keepWords(threadId)
    }
  )
  return () => {
    hasLeft = true
    leave()
  }
}

export const useDraft = (threadId: ThreadId): Draft => {
  useEffect(() => attend(threadId), [threadId])
  return useStore(draftOf(threadId))
}

/** Resolves when it is known what the server has of a draft whose field is shown. */
export const draftKnown = async (threadId: ThreadId): Promise<void> => {
  const loaded = await loading?.catch(() => undefined)
  await loaded?.known(threadId)
}

export const changeDraft = (threadId: ThreadId, change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void => {
  const store = draftOf(threadId)
  const before = store.get()
  const after = { ...before, ...(typeof change === "function" ? change(before) : change) }
  if (keeping?.edit(threadId, after)) return
  store.set(after)
  if (hasFailed) keepWords(threadId)
}

/** Notes that the draft is sent. The prompt names the result, so that the server removes the draft with it. */
export const sendDraft = (threadId: ThreadId, turnId: TurnId): SentDraft | undefined => keeping?.send(threadId, turnId)

/** Removes a draft that the server has taken as a prompt. One that it has not taken stays. `isKept`: it was kept when it was sent. */
export const draftSent = (threadId: ThreadId, turnId: TurnId, isTaken: boolean, isKept: boolean): void => {
  if (isKept) keeping?.sent(threadId, turnId, isTaken)
  else if (isTaken) changeDraft(threadId, emptyDraft)
}

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
  keeping?.forget(threadId)
  drafts.delete(threadId)
}
