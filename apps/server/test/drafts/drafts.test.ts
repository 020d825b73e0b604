/** Drafts over a real database: what is saved, what is refused, and what leaves with a prompt or with its thread. */
import { largestPrompt } from "@signalbox/contracts/Content"
import { PageId } from "@signalbox/contracts/Documents"
import { AttachmentId, type DraftSaved, type DraftToSave } from "@signalbox/contracts/Draft"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Refused } from "@signalbox/contracts/Refused"
import type { ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Drafts } from "../../src/drafts/Drafts.ts"
import * as Databases from "../support/Databases.ts"
import { boot, threadId, turnId } from "../support/ThreadsHarness.ts"

const page = PageId.make("a page")
const other = PageId.make("another page")
const id = AttachmentId.make("file")
const image = (data: string) => ({ type: "image", mimeType: "image/png", data }) as const
const file = { id, name: "shot.png", bytes: 3, type: "image" as const }
const thread = threadId("thread")

/** A server with a thread, over a file. */
const start = Effect.fnUntraced(function* (path: string) {
  const life = yield* boot(path)
  const drafts = Context.get(life.context, Drafts)
  const save = (text: string, base: number, more: Partial<DraftToSave> = {}): Effect.Effect<DraftSaved, Refused> =>
    drafts.save({ threadId: thread, page, base, text, mentions: [], attachments: [], ...more })
  const draftOf = (of: ThreadId) => Effect.map(Stream.runHead(drafts.watch(of)), Option.getOrThrow)
  const rows = Effect.map(Stream.runHead(life.threads.watchAll), Option.getOrThrow)
  return { ...life, drafts, save, draft: draftOf(thread), draftOf, rows }
})

const begun = Effect.gen(function* () {
  const path = yield* Databases.file
  const server = yield* start(path)
  yield* server.create(thread)
  return { ...server, path }
})

const isMarked = ({ threads }: ThreadsFrame): boolean => threads.find((row) => row.threadId === thread)?.draft === true

describe("a draft", () => {
  it.live("is there with its files after the server has ended, and its thread is marked", () =>
    Effect.gen(function* () {
      const server = yield* begun
      yield* server.drafts.attach(thread, id, image("AAAA"))
      assert.deepStrictEqual(yield* server.save("Write this", 0, { attachments: [file] }), {
        type: "saved",
        revision: 1
      })
      yield* server.stop
      const next = yield* start(server.path)
      assert.deepInclude(yield* next.draft, { text: "Write this", revision: 1, page, attachments: [file] })
      assert.deepStrictEqual(yield* next.drafts.read(thread, id), image("AAAA"))
      assert.isTrue(isMarked(yield* next.rows))
      yield* next.save(" ", 1)
      assert.isFalse(isMarked(yield* next.rows))
    })
  )

  it.live("is saved over the revision that it was made from only, and over nothing of other threads", () =>
    Effect.gen(function* () {
      const server = yield* begun
      const second = threadId("second")
      yield* server.create(second)
      yield* server.save("other", 0, { threadId: second })
      yield* server.save("one", 0)
      const refused = yield* server.save("two", 0, { page: other })
      assert.strictEqual(refused.type === "changed" && refused.draft.text, "one")
      assert.strictEqual((yield* server.draft).text, "one")
      assert.deepStrictEqual(yield* server.save("one", 1), { type: "saved", revision: 1 })
      assert.strictEqual((yield* server.draftOf(second)).text, "other")
    })
  )

  it.live("is followed by every page, and by the list of threads", () =>
    Effect.gen(function* () {
      const server = yield* begun
      const texts = yield* server.drafts.watch(thread).pipe(
        Stream.map(({ text }) => text),
        Stream.takeUntil((text) => text === "two"),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true })
      )
      const marks = yield* server.threads.watchAll.pipe(
        Stream.map(isMarked),
        Stream.takeUntil((marked) => marked),
        Stream.runDrain,
        Effect.forkChild({ startImmediately: true })
      )
      yield* server.save("two", 0)
      assert.strictEqual((yield* Fiber.join(texts)).at(-1), "two")
      yield* Fiber.join(marks)
    })
  )

  it.live("that is too large, without its file, or of no thread is refused in words, and nothing changes", () =>
    Effect.gen(function* () {
      const server = yield* begun
      const big = yield* Effect.flip(server.save("x".repeat(largestPrompt + 1), 0))
      assert.match(
        big.message,
        /^The draft is too large for the server\. Text and files of a prompt may have 11\.4 MiB/
      )
      const bigFile = yield* Effect.flip(server.drafts.attach(thread, id, image("A".repeat(8_000_000))))
      assert.match(bigFile.message, /too large/)
      assert.deepStrictEqual(yield* server.save("see", 0, { attachments: [file] }), {
        type: "missing",
        attachments: [id]
      })
      const nowhere = threadId("nowhere")
      for (const call of [
        server.save("words", 0, { threadId: nowhere }),
        server.drafts.attach(nowhere, id, image("AAAA")),
        server.draftOf(nowhere)
      ])
        assert.match((yield* Effect.flip(call)).message, /doesn’t have this thread.*No thread is called nowhere/)
      const text = yield* Effect.flip(server.drafts.attach(thread, id, { type: "text", text: "words" }))
      assert.match(text.message, /Only images, sound and text files/)
      assert.match((yield* Effect.flip(server.drafts.read(thread, id))).message, /isn’t in the server any more/)
      assert.deepInclude(yield* server.draft, { text: "", revision: 0 })
    })
  )

  it.live("keeps no more files than two prompts may have, also of pages that never name them", () =>
    Effect.gen(function* () {
      const server = yield* begun
      const megabytes = image("A".repeat(6_000_000))
      for (let number = 0; number < 6; number += 1)
        yield* server.drafts.attach(thread, AttachmentId.make(`file ${number}`), megabytes)
      const [stored] = Databases.query(server.path, "SELECT sum(bytes) AS bytes FROM draft_attachments")
      assert.isAtMost(Number(stored?.bytes), 2 * largestPrompt)
      yield* server.save("without them", 0)
      assert.deepStrictEqual(Databases.query(server.path, "SELECT 1 FROM draft_attachments"), [])
    })
  )
})

describe("a draft that is sent", () => {
  const prompt = [{ type: "text", text: "say it" }] as const
  const command = (name: string, revision: number, pages = [page]) =>
    ({ type: "turn.start", turnId: turnId(name), prompt, draft: { pages, revision } }) as const

  it.live("leaves in the same step as its prompt comes, with its files and its mark", () =>
    Effect.gen(function* () {
      const server = yield* begun
      yield* server.drafts.attach(thread, id, image("AAAA"))
      yield* server.save("say it", 0, { attachments: [file] })
      yield* server.send(thread, command("first", 1))
      assert.deepInclude(yield* server.draft, { text: "", revision: 2, attachments: [], sentAs: [turnId("first")] })
      assert.deepStrictEqual(Databases.query(server.path, "SELECT 1 FROM draft_attachments"), [])
      assert.isFalse(isMarked(yield* server.rows))
      // A save that was on its way brings nothing back.
      assert.strictEqual((yield* server.save("say it now", 1)).type, "changed")
    })
  )

  it.live("leaves in a later revision of the same page, and never in one of another page", () =>
    Effect.gen(function* () {
      const server = yield* begun
      yield* server.save("say", 0)
      yield* server.save("say it", 1)
      yield* server.send(thread, command("first", 1))
      assert.strictEqual((yield* server.draft).text, "")
      yield* server.save("another text", 3, { page: other })
      yield* server.send(thread, command("second", 3))
      assert.deepInclude(yield* server.draft, {
        text: "another text",
        revision: 4,
        sentAs: [turnId("second"), turnId("first")]
      })
    })
  )

  it.live("stays where the prompt is refused, and where it comes from somebody who didn't write it", () =>
    Effect.gen(function* () {
      const server = yield* begun
      yield* server.save("say it", 0)
      yield* server.send(thread, { type: "turn.start", turnId: turnId("program"), prompt })
      assert.strictEqual((yield* server.draft).text, "say it")
      yield* Effect.flip(server.send(thread, command("program", 1)))
      assert.deepInclude(yield* server.draft, { text: "say it", revision: 1, sentAs: [] })
    })
  )
})

describe("the draft of a thread that is deleted", () => {
  it.live("leaves with it, and whoever follows it hears of that", () =>
    Effect.gen(function* () {
      const server = yield* begun
      yield* server.drafts.attach(thread, id, image("AAAA"))
      yield* server.save("say it", 0, { attachments: [file] })
      const follower = yield* server.drafts
        .watch(thread)
        .pipe(Stream.runDrain, Effect.flip, Effect.forkChild({ startImmediately: true }))
      yield* server.threads.remove(thread)
      assert.match((yield* Fiber.join(follower)).message, /doesn’t have this thread/)
      for (const table of ["drafts", "draft_attachments"])
        assert.deepStrictEqual(Databases.query(server.path, `SELECT 1 FROM ${table}`), [])
      assert.match((yield* Effect.flip(server.save("say it again", 1))).message, /doesn’t have this thread/)
    })
  )
})
