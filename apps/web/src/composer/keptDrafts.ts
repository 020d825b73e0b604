/** Drafts that this browser keeps beside the server. Each page has its own, and the next page takes over those of closed ones. */
import type { FoundDraft, KeptDraft } from "@signalbox/client/DraftState"
import { PageId } from "@signalbox/contracts/Documents"
import { DraftContent } from "@signalbox/contracts/Draft"
import { type ThreadId, TurnId } from "@signalbox/contracts/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { livingPages, pageId } from "../browser/pageId.ts"

const Kept = Schema.Struct({
  content: DraftContent,
  base: Schema.Int,
  pages: Schema.Array(PageId),
  isUnsaved: Schema.Boolean,
  sentAs: Schema.optionalKey(TurnId),
  /** Orders texts of this browser only. */
  at: Schema.Finite
})
const read = Schema.decodeUnknownOption(Schema.fromJsonString(Kept))
const readMentions = Schema.decodeUnknownOption(Schema.fromJsonString(DraftContent.fields.mentions))

/** Before drafts were in the server, a browser had the words and the mentions of a thread in two places. */
const wordsKey = (threadId: ThreadId): string => `signalbox.draft.${threadId}`
const mentionsKey = (threadId: ThreadId): string => `signalbox.mentions.${threadId}`
const keyOf = (threadId: ThreadId, page: string): string => `${wordsKey(threadId)}.${page}`

const words = PageId.make("words")

/** Keeps the draft of this page, or forgets it. Returns whether the browser has taken it. */
export const keep = (threadId: ThreadId, kept: KeptDraft | undefined): boolean => {
  try {
    const key = keyOf(threadId, pageId)
    if (kept === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ ...kept, at: Date.now() }))
    return true
  } catch {
    return false
  }
}

/** Forgets the draft of a closed page. */
export const forget = (threadId: ThreadId, page: PageId): void => {
  try {
    localStorage.removeItem(page === words ? wordsKey(threadId) : keyOf(threadId, page))
    if (page === words) localStorage.removeItem(mentionsKey(threadId))
  } catch {
    // A browser that keeps nothing.
  }
}

const entries = (threadId: ThreadId): ReadonlyArray<readonly [page: PageId, value: string]> => {
  const prefix = keyOf(threadId, "")
  return Object.entries(localStorage).flatMap(([key, value]) =>
    key.startsWith(prefix) && typeof value === "string" ? [[PageId.make(key.slice(prefix.length)), value] as const] : []
  )
}

/** The words of a page that had no more. */
const wordsOf = (threadId: ThreadId): ReadonlyArray<FoundDraft> => {
  const text = localStorage.getItem(wordsKey(threadId)) ?? ""
  if (text === "") return []
  const mentions = Option.getOrElse(readMentions(localStorage.getItem(mentionsKey(threadId))), () => [])
  return [{ content: { text, mentions, attachments: [] }, base: 0, pages: [], isUnsaved: true, page: words }]
}

/** The drafts of a thread that no open page has, the latest first. */
export const left = async (threadId: ThreadId): Promise<ReadonlyArray<FoundDraft>> => {
  const isOpen = await livingPages().catch(() => (page: string) => page === pageId)
  try {
    const found = entries(threadId).flatMap(([page, value]) =>
      isOpen(page) ? [] : Option.toArray(Option.map(read(value), (kept) => ({ ...kept, page })))
    )
    return [...wordsOf(threadId), ...found.sort((a, b) => b.at - a.at)]
  } catch {
    return []
  }
}

/** Forgets all drafts of a thread that was deleted. */
export const forgetAll = (threadId: ThreadId): void => {
  try {
    for (const [page] of entries(threadId)) forget(threadId, page)
  } catch {
    // A browser that keeps nothing.
  }
  forget(threadId, words)
}
