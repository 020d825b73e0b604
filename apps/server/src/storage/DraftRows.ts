/** Rows of drafts: one for the words of each thread, and one for each attached file. */
import { PageId } from "@signalbox/contracts/Documents"
import { AttachmentId, type Draft, DraftContent, isEmpty, mostSentAs, type SentDraft } from "@signalbox/contracts/Draft"
import { type PromptPart, PromptPart as Part } from "@signalbox/contracts/Content"
import { type ThreadId, type Timestamp, TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Sqlite } from "./Sqlite.ts"

const nothing: DraftContent = { text: "", mentions: [], attachments: [] }
const decodeContent = Schema.decodeUnknownOption(Schema.fromJsonString(DraftContent))
const decodeTurns = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(TurnId)))
const decodePart = Schema.decodeUnknownOption(Schema.fromJsonString(Part))

/** All functions are synchronous and run inside a transaction. Those that only read also run inside a read. */
export const make = Effect.gen(function* () {
  const { prepare } = yield* Sqlite
  const selectThread = yield* prepare("SELECT 1 FROM threads WHERE thread_id = ?")
  const select = yield* prepare("SELECT * FROM drafts WHERE thread_id = ?")
  const put = yield* prepare(
    `INSERT INTO drafts (thread_id, revision, content, is_empty, page, sent_as, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (thread_id) DO UPDATE SET revision = excluded.revision, content = excluded.content,
       is_empty = excluded.is_empty, page = excluded.page, sent_as = excluded.sent_as, saved_at = excluded.saved_at`
  )
  const selectWritten = yield* prepare("SELECT thread_id FROM drafts WHERE is_empty = 0")
  const selectBytes = yield* prepare("SELECT attachment_id, bytes FROM draft_attachments WHERE thread_id = ?")
  const selectPart = yield* prepare("SELECT part FROM draft_attachments WHERE thread_id = ? AND attachment_id = ?")
  const insertPart = yield* prepare(
    `INSERT INTO draft_attachments (thread_id, attachment_id, bytes, part) VALUES (?, ?, ?, ?)
     ON CONFLICT (thread_id, attachment_id) DO UPDATE SET bytes = excluded.bytes, part = excluded.part`
  )
  const dropParts = yield* prepare(
    "DELETE FROM draft_attachments WHERE thread_id = ? AND attachment_id NOT IN (SELECT value FROM json_each(?))"
  )

  const get = (threadId: ThreadId): Draft => {
    const row = select.get(threadId)
    if (row === undefined) return { ...nothing, revision: 0, savedAt: 0, sentAs: [] }
    return {
      // The next save repairs a damaged row.
      ...Option.getOrElse(decodeContent(row.content), () => nothing),
      revision: Number(row.revision),
      savedAt: Number(row.saved_at),
      ...(row.page !== null && { page: PageId.make(String(row.page)) }),
      sentAs: Option.getOrElse(decodeTurns(row.sent_as), () => [])
    }
  }

  const write = (threadId: ThreadId, { page, revision, savedAt, sentAs, ...content }: Draft): void => {
    const { attachments, mentions, text } = content
    const json = JSON.stringify({ text, mentions, attachments })
    put.run(threadId, revision, json, isEmpty(content) ? 1 : 0, page ?? null, JSON.stringify(sentAs), savedAt)
    keepParts(threadId, content)
  }

  /** Drops the files that a draft doesn't name. */
  const keepParts = (threadId: ThreadId, { attachments }: DraftContent): void =>
    void dropParts.run(threadId, JSON.stringify(attachments.map(({ id }) => id)))

  return {
    hasThread: (threadId: ThreadId): boolean => selectThread.get(threadId) !== undefined,
    get,
    write,
    keepParts,
    /** The threads whose draft has something to send. */
    written: (): ReadonlyArray<string> => selectWritten.all().map(({ thread_id }) => String(thread_id)),
    /** The bytes of each file that is stored for a thread. */
    bytes: (threadId: ThreadId): ReadonlyMap<AttachmentId, number> =>
      new Map(
        selectBytes
          .all(threadId)
          .map((row) => [AttachmentId.make(String(row.attachment_id)), Number(row.bytes)] as const)
      ),
    part: (threadId: ThreadId, id: AttachmentId): PromptPart | undefined =>
      Option.getOrUndefined(decodePart(selectPart.get(threadId, id)?.part)),
    putPart: (threadId: ThreadId, id: AttachmentId, bytes: number, part: PromptPart): void =>
      void insertPart.run(threadId, id, bytes, JSON.stringify(part)),
    /** Removes a draft that was sent as a turn, unless another page has changed it since. */
    sent: (threadId: ThreadId, turnId: TurnId, { pages, revision }: SentDraft, at: Timestamp): void => {
      const draft = get(threadId)
      const sentAs = [turnId, ...draft.sentAs].slice(0, mostSentAs)
      const isOthers = draft.page === undefined || !pages.includes(draft.page)
      if (draft.revision !== revision && isOthers) write(threadId, { ...draft, sentAs })
      else write(threadId, { ...nothing, revision: draft.revision + 1, savedAt: at, sentAs })
    }
  }
})
