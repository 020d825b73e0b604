/** When a draft is saved, and what a page says of it. The clock is the test's, and the server is a few lines. */
import { PageId } from "@signalbox/contracts/Documents"
import { AttachmentId, type Draft, type DraftSaved } from "@signalbox/contracts/Draft"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { Refused } from "@signalbox/contracts/Refused"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { RpcClientDefect, RpcClientError } from "effect/rpc/RpcClientError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as CurrentClient from "../src/CurrentClient.ts"
import * as DraftKeeper from "../src/DraftKeeper.ts"
import { nothing } from "../src/DraftState.ts"
import { following } from "../src/Following.ts"
import { persistently } from "../src/Persistence.ts"

const threadId = ThreadId.make("thread")
const page = PageId.make("this page")
const lost = new RpcClientError({ reason: new RpcClientDefect({ message: "gone", cause: "gone" }) })
const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const
const file = (name: string) => ({ id: AttachmentId.make(name), name, bytes: 3, type: "image" as const })

const tooLarge = new Refused({
  problem: { code: "unsupported", title: "It is too large.", cause: "It has more.", evidence: {}, nextSteps: [] }
})

const diskFailed = new Refused({
  problem: { code: "storage", title: "The disk can't be read.", cause: "It failed.", evidence: {}, nextSteps: [] }
})

/** A keeper beside a server that says what it was asked. */
const set = Effect.gen(function* () {
  const current = CurrentClient.make<DraftKeeper.DraftClient>()
  const drafts = yield* Queue.unbounded<Draft>()
  const asked: Array<string> = []
  const server: {
    outcome: (() => Effect.Effect<DraftSaved, Refused | RpcClientError>) | undefined
    unreadable: Refused
  } = { outcome: undefined, unreadable: diskFailed }
  const client: DraftKeeper.DraftClient = {
    watchDraft: () => Stream.fromQueue(drafts),
    saveDraft: ({ attachments, base, text }) =>
      Effect.suspend(() => {
        asked.push([`${base}: ${text}`, ...attachments.map(({ name }) => name)].join(" + "))
        if (server.outcome !== undefined) return server.outcome()
        return Effect.succeed<DraftSaved>({ type: "saved", revision: base + 1 })
      }),
    attachToDraft: ({ id }) => Effect.sync(() => void asked.push(`file ${id}`)),
    readAttachment: ({ id }) =>
      Effect.suspend(() => {
        if (id === AttachmentId.make("there")) return Effect.succeed(image)
        return Effect.fail(id === AttachmentId.make("unreadable") ? server.unreadable : tooLarge)
      })
  }
  const keeper = yield* DraftKeeper.make({
    threadId,
    page,
    following: following(current.after, "50 millis"),
    persistently: persistently(current.after),
    onChange: () => {}
  })
  yield* Effect.forkScoped(keeper.work, { startImmediately: true })
  yield* Effect.forkScoped(keeper.follow, { startImmediately: true })
  current.set(client)
  const draft = (revision: number, text: string, more: Partial<Draft> = {}): Draft => ({
    ...nothing,
    text,
    revision,
    savedAt: 0,
    page: PageId.make("another"),
    sentAs: [],
    ...more
  })
  return {
    asked,
    server,
    keeper,
    client,
    current,
    /** What the server shows. */
    show: (...of: Parameters<typeof draft>) =>
      Effect.andThen(Queue.offer(drafts, draft(...of)), TestClock.adjust("100 millis")),
    type: (text: string) => keeper.edit({ ...nothing, text }),
    text: () => keeper.shown().state.content.text
  }
})

describe("a draft", () => {
  it.effect("is saved once in each pause, half a second after the last key, as it is then", () =>
    Effect.gen(function* () {
      const { asked, type } = yield* set
      for (const text of ["a", "ab", "abc"]) {
        type(text)
        yield* TestClock.adjust("300 millis")
      }
      yield* TestClock.adjust("199 millis")
      assert.deepStrictEqual(asked, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(asked, ["0: abc"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, ["0: abc"])
      type("abcd")
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(asked, ["0: abc", "1: abcd"])
    })
  )

  it.effect("is saved within two seconds, also by somebody who never pauses", () =>
    Effect.gen(function* () {
      const { asked, type } = yield* set
      for (let key = 1; key <= 21; key += 1) {
        type("x".repeat(key))
        yield* TestClock.adjust("100 millis")
      }
      assert.deepStrictEqual(asked, [`0: ${"x".repeat(20)}`])
    })
  )

  it.effect("is saved at once when the page is left, and nothing is saved where nothing has changed", () =>
    Effect.gen(function* () {
      const { asked, keeper, type } = yield* set
      keeper.flush()
      type("in the middle of a wo")
      yield* TestClock.adjust("200 millis")
      keeper.flush()
      yield* TestClock.adjust("0 millis")
      assert.deepStrictEqual(asked, ["0: in the middle of a wo"])
      keeper.flush()
      type("and on")
      yield* TestClock.adjust("499 millis")
      assert.strictEqual(asked.length, 1)
    })
  )

  it.effect("is saved as it is now when the connection is back, and once", () =>
    Effect.gen(function* () {
      const { asked, client, current, keeper, server, type } = yield* set
      server.outcome = () =>
        Effect.andThen(
          Effect.sync(() => current.set(undefined)),
          Effect.fail(lost)
        )
      type("before")
      yield* TestClock.adjust("1 second")
      type("before and after")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, ["0: before"])
      server.outcome = undefined
      current.set({ ...client })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, ["0: before", "0: before and after"])
      assert.isUndefined(keeper.shown().problem)
    })
  )

  it.effect("that is refused says why until it is saved, and is tried again", () =>
    Effect.gen(function* () {
      const { asked, keeper, server, type } = yield* set
      server.outcome = () => Effect.fail(tooLarge)
      type("much")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(keeper.shown().problem?.title, "It is too large.")
      assert.strictEqual(asked.length, 1)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(asked.length, 1)
      server.outcome = undefined
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(asked.length, 2)
      assert.isUndefined(keeper.shown().problem)
    })
  )

  it.effect("of another page comes into the field two seconds after the last key", () =>
    Effect.gen(function* () {
      const { show, text, type } = yield* set
      type("mine")
      yield* TestClock.adjust("500 millis")
      yield* show(2, "theirs")
      yield* TestClock.adjust("1300 millis")
      assert.strictEqual(text(), "mine")
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(text(), "theirs")
    })
  )

  it.effect("is not saved over another page's text, until somebody has chosen", () =>
    Effect.gen(function* () {
      const { asked, keeper, server, text, type } = yield* set
      const theirs: Draft = { ...nothing, text: "theirs", revision: 3, savedAt: 0, page: PageId.make("b"), sentAs: [] }
      server.outcome = () => Effect.succeed({ type: "changed", draft: theirs })
      type("mine")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, ["0: mine"])
      assert.strictEqual(text(), "mine")
      assert.strictEqual(keeper.shown().state.other?.from, "page")
      server.outcome = undefined
      keeper.keepMine()
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, ["0: mine", "3: mine"])
    })
  )

  it.effect("is not saved while it is sent, and again when the server has not taken it", () =>
    Effect.gen(function* () {
      const { asked, keeper, text, type } = yield* set
      const turnId = TurnId.make("turn")
      type("say it")
      assert.deepStrictEqual(keeper.send(turnId), { pages: [page], revision: 0 })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(asked, [])
      keeper.notTaken()
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, ["0: say it"])
      assert.strictEqual(text(), "say it")
      keeper.send(turnId)
      keeper.taken(turnId)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(text(), "")
      assert.strictEqual(asked.length, 1)
    })
  )
})

describe("the files of a draft", () => {
  it.effect("are written once, before the text that names them, and not with each change of the text", () =>
    Effect.gen(function* () {
      const { asked, keeper } = yield* set
      const files = new Map([[AttachmentId.make("one"), image]])
      keeper.edit({ ...nothing, text: "see", attachments: [file("one")] }, files)
      yield* TestClock.adjust("1 second")
      keeper.edit({ ...nothing, text: "see this", attachments: [file("one")] })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, ["file one", "0: see + one", "1: see this + one"])
    })
  )

  it.effect("are written again where the server has lost them", () =>
    Effect.gen(function* () {
      const { asked, keeper, server } = yield* set
      const files = new Map([[AttachmentId.make("one"), image]])
      server.outcome = () => {
        server.outcome = undefined
        return Effect.succeed({ type: "missing", attachments: [AttachmentId.make("one")] })
      }
      keeper.edit({ ...nothing, attachments: [file("one")] }, files)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, ["file one", "0:  + one", "file one", "0:  + one"])
    })
  )

  it.effect("are read from the server, and those that are nowhere are named and taken out", () =>
    Effect.gen(function* () {
      const { keeper, show } = yield* set
      yield* show(1, "see", { attachments: [file("there"), file("gone")] })
      yield* TestClock.adjust("1 second")
      const { files, lost: gone, state } = keeper.shown()
      assert.deepStrictEqual(files.get(AttachmentId.make("there")), image)
      assert.deepStrictEqual(gone, ["gone"])
      assert.deepStrictEqual(state.content.attachments, [file("there")])
    })
  )
})

describe("what a page has of a draft", () => {
  it.effect("is known when the server has said it, and not before", () =>
    Effect.gen(function* () {
      const { keeper, show } = yield* set
      assert.isFalse(keeper.shown().isKnown)
      yield* show(1, "from elsewhere")
      assert.isTrue(keeper.shown().isKnown)
    })
  )

  it.effect("keeps a file that the server can't read now, and has it when it can", () =>
    Effect.gen(function* () {
      const { asked, keeper, server, show } = yield* set
      yield* show(1, "look", { attachments: [file("unreadable")] })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(
        keeper.shown().state.content.attachments.map(({ name }) => name),
        ["unreadable"]
      )
      assert.deepStrictEqual(keeper.shown().lost, [])
      assert.deepStrictEqual(asked, [])
      server.unreadable = tooLarge
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(keeper.shown().lost, ["unreadable"])
    })
  )

  it.effect("loses no file, and saves nothing, where another page has sent the draft meanwhile", () =>
    Effect.gen(function* () {
      const { asked, keeper, show, text } = yield* set
      yield* show(1, "look", { attachments: [file("gone")] })
      yield* show(2, "")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(text(), "")
      assert.deepStrictEqual(keeper.shown().lost, [])
      assert.deepStrictEqual(asked, [])
    })
  )
})
