/** Stores the prompts that people are writing. */
import { largestAttachment, largestPrompt, type PromptPart } from "@signalbox/contracts/Content"
import type { AttachmentId, Draft, DraftContent, DraftSaved, DraftToSave } from "@signalbox/contracts/Draft"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DraftRows from "./DraftRows.ts"
import { migrate } from "./Migrations.ts"
import { Sqlite } from "./Sqlite.ts"
import type { StorageError } from "./StorageError.ts"

/**
 * The reason why nothing was stored, if it isn't the disk.
 *
 * - `no-thread`: the thread was deleted, or never existed.
 * - `too-large`: text and files together, or one file, have more bytes than a prompt may have.
 * - `no-file`: the part isn't a file.
 */
export type Refusal = "no-thread" | "too-large" | "no-file"

export class DraftStore extends Context.Service<
  DraftStore,
  {
    /** The threads whose draft has something to send. */
    readonly written: Effect.Effect<ReadonlySet<ThreadId>, StorageError>
    /** The draft of a thread, with revision 0 if it never had one. Undefined if the thread doesn't exist. */
    readonly get: (threadId: ThreadId) => Effect.Effect<Draft | undefined, StorageError>
    /** Saves over the revision `base`. When it returns, the draft survives our own crash. */
    readonly save: (draft: DraftToSave) => Effect.Effect<DraftSaved | Refusal, StorageError>
    /** Stores a file until a save names it, or until the next save that doesn't. */
    readonly attach: (
      threadId: ThreadId,
      id: AttachmentId,
      part: PromptPart
    ) => Effect.Effect<Refusal | undefined, StorageError>
    /** The content of a file. Undefined if it isn't stored. */
    readonly part: (threadId: ThreadId, id: AttachmentId) => Effect.Effect<PromptPart | undefined, StorageError>
  }
>()("./DraftStore.ts") {}

const bytesOf = (text: string): number => Buffer.byteLength(text)

const sum = (numbers: Iterable<number>): number => {
  let all = 0
  for (const number of numbers) all += number
  return all
}

/** What a file counts at least, so that many small ones are bounded, too. */
const leastBytes = 1000

/** The bytes of a file in a prompt, with its name or address. Undefined for other parts. */
const attachedBytes = (part: PromptPart): number | undefined => {
  switch (part.type) {
    case "image":
    case "audio":
      return Math.max(leastBytes, Buffer.byteLength(part.data, "base64") + bytesOf(part.name ?? ""))
    case "resource":
      return Math.max(leastBytes, bytesOf(part.text) + bytesOf(part.uri))
    case "text":
    case "resource_link":
      return undefined
  }
}

/** Whether a draft has the same words and files as another. */
const isSame = (one: DraftContent, other: DraftContent): boolean =>
  JSON.stringify([one.text, one.mentions, one.attachments]) ===
  JSON.stringify([other.text, other.mentions, other.attachments])

const make = Effect.gen(function* () {
  yield* migrate
  const { read, transaction } = yield* Sqlite
  const rows = yield* DraftRows.make

  const save = ({ base, page, threadId, ...content }: DraftToSave, savedAt: number): DraftSaved | Refusal => {
    if (!rows.hasThread(threadId)) return "no-thread"
    const draft = rows.get(threadId)
    if (draft.revision !== base) return { type: "changed", draft }
    if (isSame(draft, content)) return { type: "saved", revision: base }
    const stored = rows.bytes(threadId)
    const missing = content.attachments.flatMap(({ id }) => (stored.has(id) ? [] : [id]))
    if (missing.length > 0) return { type: "missing", attachments: missing }
    const files = sum(content.attachments.map(({ id }) => stored.get(id) ?? 0))
    if (files + bytesOf(content.text) + bytesOf(JSON.stringify(content.mentions)) > largestPrompt) return "too-large"
    rows.write(threadId, { ...content, revision: base + 1, savedAt, page, sentAs: draft.sentAs })
    return { type: "saved", revision: base + 1 }
  }

  const attach = (threadId: ThreadId, id: AttachmentId, part: PromptPart): Refusal | undefined => {
    const bytes = attachedBytes(part)
    if (bytes === undefined) return "no-file"
    if (bytes > largestAttachment) return "too-large"
    if (!rows.hasThread(threadId)) return "no-thread"
    // What pages have stored and never named goes first, so that there are at most two prompts' worth of files.
    if (sum(rows.bytes(threadId).values()) + bytes > 2 * largestPrompt) rows.keepParts(threadId, rows.get(threadId))
    rows.putPart(threadId, id, bytes, part)
    return undefined
  }

  return DraftStore.of({
    written: read(() => new Set(rows.written().map((threadId) => ThreadId.make(threadId)))),
    get: (threadId) => read(() => (rows.hasThread(threadId) ? rows.get(threadId) : undefined)),
    save: (draft) => Effect.flatMap(Clock.currentTimeMillis, (at) => transaction(() => save(draft, at))),
    attach: (threadId, id, part) => transaction(() => attach(threadId, id, part)),
    part: (threadId, id) => read(() => rows.part(threadId, id))
  })
})

/** The store of drafts. Migrates the database first. */
export const layer = Layer.effect(DraftStore, make)
