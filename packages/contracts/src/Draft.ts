/** The prompt of a thread that is being written. The server keeps it until it is sent, for every page and editor. */
import * as Schema from "effect/Schema"
import { PageId } from "./Documents.ts"
import { ThreadId, Timestamp, TurnId } from "./Ids.ts"

/** A file that the text mentions. `path`: the mention in the text, behind its `@`. */
export const DraftMention = Schema.Struct({ path: Schema.String, uri: Schema.String })
export type DraftMention = typeof DraftMention.Type

/** Identifies an attached file within its draft. Minted by the page that attaches it, and never reused. */
export const AttachmentId = Schema.String.check(Schema.isMaxLength(64)).pipe(Schema.brand("AttachmentId"))
export type AttachmentId = typeof AttachmentId.Type

/** An attached file without its content, which is written and read apart from the text. */
export const DraftAttachment = Schema.Struct({
  id: AttachmentId,
  name: Schema.String,
  bytes: Schema.Int,
  type: Schema.Literals(["image", "audio", "resource"])
})
export type DraftAttachment = typeof DraftAttachment.Type

/** The words of people in a draft, and what goes along with them. */
export const DraftContent = Schema.Struct({
  text: Schema.String,
  mentions: Schema.Array(DraftMention),
  attachments: Schema.Array(DraftAttachment)
})
export type DraftContent = typeof DraftContent.Type

/**
 * A draft in the server. `revision` counts its changes: 0 before the first one. The server's order counts, and no clock
 * of a page does.
 */
export const Draft = Schema.Struct({
  ...DraftContent.fields,
  revision: Schema.Int,
  savedAt: Timestamp,
  /** The page that wrote this revision. Missing if the server emptied it. */
  page: Schema.optionalKey(PageId),
  /** The turns that the draft was sent as, the latest first. A page that missed an answer finds it here. */
  sentAs: Schema.Array(TurnId)
})
export type Draft = typeof Draft.Type

/** The most turns that `sentAs` has. */
export const mostSentAs = 8

/** A draft to save. `base`: the revision that it was made from. */
export const DraftToSave = Schema.Struct({ threadId: ThreadId, page: PageId, base: Schema.Int, ...DraftContent.fields })
export type DraftToSave = typeof DraftToSave.Type

/**
 * The outcome of a save.
 *
 * - `saved`: it is on the server's disk.
 * - `changed`: nothing was saved, since the draft has another revision than `base`.
 * - `missing`: nothing was saved, since the server lacks the content of these files.
 */
export const DraftSaved = Schema.Union([
  Schema.Struct({ type: Schema.tag("saved"), revision: Schema.Int }),
  Schema.Struct({ type: Schema.tag("changed"), draft: Draft }),
  Schema.Struct({ type: Schema.tag("missing"), attachments: Schema.Array(AttachmentId) })
])
export type DraftSaved = typeof DraftSaved.Type

/** The draft that a prompt was made from: its last known revision, or a later one that one of these pages wrote. */
export const SentDraft = Schema.Struct({ pages: Schema.Array(PageId), revision: Schema.Int })
export type SentDraft = typeof SentDraft.Type

/** Whether there is nothing to send. */
export const isEmpty = ({ attachments, text }: DraftContent): boolean => text.trim() === "" && attachments.length === 0
