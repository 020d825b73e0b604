/** Suggestions for a workspace, with an agent in memory: what it gets, and how each suggestion ends. */
import { assert, describe, it } from "@effect/vitest"
import type { Suggestion, SuggestRequest } from "@signalbox/acp/NesSchema"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import { providerError } from "../../src/base/ProviderError.ts"
import * as Sendable from "../../src/editing/Sendable.ts"
import type { Question } from "../../src/editing/SuggestionAnswer.ts"
import * as SuggestionDesk from "../../src/editing/SuggestionDesk.ts"
import type { AgentTally } from "../../src/tally/SuggestionTally.ts"
import * as FakeSource from "./FakeSource.ts"

const at = (line: number, character: number) => ({ line, character })
const range = (line: number, from: number, to = from) => ({ start: at(line, from), end: at(line, to) })

/** The clock of these tests stands still. */
const answered = "answered in 0 ms"

const setUp = Effect.gen(function* () {
  /** What people have added to the list; undefined if nobody can say. */
  const lists: { neverSend: ReadonlyArray<string> | undefined } = { neverSend: [] }
  const root = realpathSync(temporaryFolder("workspace"))
  const fake = FakeSource.make()
  /** Each thing that was counted. */
  const counts: Array<string> = []
  const tally: AgentTally = {
    ended: (end) => void counts.push(end),
    refused: (reason) => void counts.push(`refused: ${reason}`),
    answered: (latencyMs) => void counts.push(`answered in ${latencyMs} ms`),
    unanswered: (why) => void counts.push(why)
  }
  const desk = yield* SuggestionDesk.make({
    roots: [root],
    sendable: Sendable.make({ roots: [root], own: [], neverSend: Effect.sync(() => lists.neverSend) }),
    start: fake.start,
    tally,
    debounceMs: 0,
    idle: "5 minutes"
  })
  const uri = Sendable.uriOf(join(root, "a.ts"))
  const other = Sendable.uriOf(join(root, "b.ts"))
  const open = (text = "one\ntwo\n", file = uri) => desk.open({ uri: file, languageId: "typescript", version: 1, text })
  const ask = (position = at(0, 0), trigger: Question["trigger"] = "automatic", file = uri) =>
    desk.suggest({ uri: file, position, trigger })
  const edit = (id: string, place: ReturnType<typeof range>, newText: string, file = uri): Suggestion => ({
    kind: "edit",
    id,
    uri: file,
    edits: [{ range: place, newText }]
  })
  const give = (...suggestions: ReadonlyArray<Suggestion>) => {
    fake.answer = () => Effect.succeed(suggestions)
  }
  const change = (version: number, text: string, place = range(0, 0), file = uri) =>
    desk.change({ uri: file, version, changes: [{ range: place, text }] })
  const ends = () => fake.got.filter(([method]) => method === "accept" || method === "reject")
  const idsOf = (answer: Effect.Success<ReturnType<typeof ask>>) =>
    answer.type === "suggestions" ? answer.suggestions.map(({ id }) => id) : assert.fail(answer.type)
  return { root, fake, lists, counts, desk, uri, other, open, ask, edit, give, change, ends, idsOf }
})

describe("SuggestionDesk", () => {
  it.effect("starts the agent with the first question, and gives it the documents as they are then", () =>
    Effect.gen(function* () {
      const { ask, change, desk, fake, open, uri } = yield* setUp
      yield* open()
      yield* change(2, "X")
      assert.deepStrictEqual(fake.got, [])
      yield* ask()
      assert.deepStrictEqual(fake.got, [["start"], ["open", [2, "Xone\ntwo\n"]], ["suggest", at(0, 0)]])
      yield* change(3, "Y", range(1, 3))
      yield* desk.save({ uri })
      yield* desk.close({ uri })
      assert.deepStrictEqual(fake.got.slice(3), [
        ["change", [3, [{ range: range(1, 3), text: "Y" }]]],
        ["save", undefined],
        ["close", undefined]
      ])
    })
  )

  it.effect("takes versions that rise, of documents that are open", () =>
    Effect.gen(function* () {
      const { ask, change, desk, open, uri } = yield* setUp
      assert.strictEqual((yield* Effect.flip(change(2, "x")))._tag, "DocumentRefused")
      assert.strictEqual((yield* Effect.flip(ask()))._tag, "DocumentRefused")
      yield* open()
      yield* change(2, "x")
      assert.include((yield* Effect.flip(change(2, "y"))).message, "does not follow 2")
      assert.strictEqual(desk.get(uri)?.lines.text, "xone\ntwo\n")
    })
  )

  it.effect("ends each suggestion exactly once", () =>
    Effect.gen(function* () {
      const { ask, counts, desk, edit, ends, give, idsOf, open } = yield* setUp
      yield* open()
      give(edit("a", range(0, 0), "x"), edit("b", range(1, 0), "y"))
      const [one = "", two = ""] = idsOf(yield* ask())
      assert.isTrue(yield* desk.accept(one))
      assert.isFalse(yield* desk.accept(one))
      assert.isFalse(yield* desk.reject(one, "rejected"))
      assert.isTrue(yield* desk.reject(two, "rejected"))
      assert.isFalse(yield* desk.reject("suggestion-99", "ignored"))
      assert.deepStrictEqual(ends(), [
        ["accept", "a"],
        ["reject", ["b", "rejected"]]
      ])
      assert.deepStrictEqual(counts, [answered, "accepted", "rejected"])
    })
  )

  it.effect("replaces earlier suggestions for the document, and leaves those for others", () =>
    Effect.gen(function* () {
      const { ask, counts, edit, ends, give, open, other } = yield* setUp
      yield* open()
      yield* open("other\n", other)
      give(edit("a", range(0, 0), "x"))
      yield* ask()
      give(edit("b", range(0, 0), "x", other))
      yield* ask(at(0, 0), "automatic", other)
      give(edit("c", range(0, 0), "z"))
      yield* ask(at(0, 1))
      assert.deepStrictEqual(ends(), [["reject", ["a", "replaced"]]])
      assert.deepStrictEqual(counts, [answered, answered, answered, "replaced"])
    })
  )

  it.effect(
    "keeps what is typed as suggested, answers the next question by its rest, and ignores what is typed past",
    () =>
      Effect.gen(function* () {
        const { ask, change, counts, desk, edit, ends, fake, give, idsOf, open } = yield* setUp
        yield* open()
        give(edit("a", range(0, 3), "Hundred"))
        const [id = ""] = idsOf(yield* ask(at(0, 3)))
        yield* change(2, "Hu", range(0, 3))
        assert.deepStrictEqual(ends(), [])
        const rest = yield* ask(at(0, 5))
        assert.deepInclude(rest, { type: "suggestions", version: 2, isKnown: true })
        if (rest.type === "suggestions")
          assert.deepStrictEqual(rest.suggestions, [
            { kind: "edit", id, uri: rest.suggestions[0]?.uri ?? "", edits: [{ range: range(0, 5), newText: "ndred" }] }
          ])
        assert.lengthOf(
          fake.got.filter(([method]) => method === "suggest"),
          1
        )
        yield* change(3, "x", range(0, 5))
        assert.deepStrictEqual(ends(), [["reject", ["a", "ignored"]]])
        assert.deepStrictEqual(counts, [answered, "ignored"])
        assert.isFalse(yield* desk.accept(id))
      })
  )

  it.effect("answers the same question from what it knows, until the document changes or a person asks", () =>
    Effect.gen(function* () {
      const { ask, change, desk, edit, fake, give, idsOf, open } = yield* setUp
      yield* open()
      give(edit("a", range(0, 0), "x"))
      const first = idsOf(yield* ask())
      assert.deepStrictEqual(idsOf(yield* ask()), first)
      yield* desk.reject(first[0] ?? "", "rejected")
      // What was dismissed does not come back by itself.
      assert.deepStrictEqual(idsOf(yield* ask()), [])
      yield* ask(at(0, 0), "manual")
      yield* change(2, "q", range(1, 0))
      yield* ask()
      assert.lengthOf(
        fake.got.filter(([method]) => method === "suggest"),
        3
      )
    })
  )

  it.effect("cancels what became stale: a late answer is shown to nobody, and its suggestions end as cancelled", () =>
    Effect.gen(function* () {
      const { ask, change, counts, edit, ends, fake, idsOf, open, other } = yield* setUp
      yield* open()
      // The change comes while the answer is looked at: a file that was not heard of before is looked up on the disk.
      const changed = Deferred.makeUnsafe<void>()
      const typing = Effect.andThen(Effect.orDie(change(2, "q")), Deferred.succeed(changed, undefined))
      fake.answer = () =>
        Effect.as(Effect.forkDetach(typing), [
          edit("late", range(0, 0), "x", other),
          edit("later", range(0, 0), "y", other)
        ])
      assert.deepStrictEqual(yield* ask(), { type: "overtaken" })
      yield* Deferred.await(changed)
      fake.answer = () => Effect.succeed([edit("next", range(0, 0), "y")])
      assert.lengthOf(idsOf(yield* ask()), 1)
      assert.deepStrictEqual(ends(), [
        ["reject", ["late", "cancelled"]],
        ["reject", ["later", "cancelled"]]
      ])
      assert.deepStrictEqual(counts, ["overtaken", "cancelled", "cancelled", answered])
    })
  )

  it.effect("counts what is open at the end as ignored, and a question that failed or was overtaken as that", () =>
    Effect.gen(function* () {
      const { counts } = yield* Effect.scoped(
        Effect.gen(function* () {
          const all = yield* setUp
          const { ask, change, desk, edit, fake, give, open, other, uri } = all
          yield* open()
          yield* open("other\n", other)
          give(edit("a", range(0, 0), "x"))
          yield* ask()
          yield* desk.close({ uri })
          assert.deepStrictEqual(all.counts, [answered, "ignored"])
          fake.answer = () =>
            Effect.fail(providerError("request-failed", "Fake could not do that.", "Test.", { evidence: {} }))
          yield* Effect.flip(ask(at(0, 0), "manual", other))
          const isAsked = Deferred.makeUnsafe<void>()
          fake.answer = () => Effect.andThen(Deferred.succeed(isAsked, undefined), Effect.never)
          const asking = yield* Effect.forkChild(ask(at(0, 0), "manual", other), { startImmediately: true })
          yield* Deferred.await(isAsked)
          yield* change(2, "q", range(0, 0), other)
          assert.deepStrictEqual(yield* Fiber.join(asking), { type: "overtaken" })
          give(edit("b", range(0, 0), "x", other))
          yield* ask(at(0, 1), "manual", other)
          return all
        })
      )
      assert.deepStrictEqual(counts, [answered, "ignored", "failed", "overtaken", answered, "ignored"])
    })
  )

  it.effect("leaves out what is about a withheld file, and ends it", () =>
    Effect.gen(function* () {
      const { ask, counts, edit, ends, give, idsOf, open, root } = yield* setUp
      yield* open()
      give(
        edit("a", range(0, 0), "x", "file:///etc/passwd"),
        edit("b", range(0, 0), "x", Sendable.uriOf(join(root, ".env")))
      )
      const answer = yield* ask()
      assert.deepStrictEqual(idsOf(answer), [])
      if (answer.type === "suggestions") assert.lengthOf(answer.dropped, 2)
      assert.deepStrictEqual(ends(), [
        ["reject", ["a", "ignored"]],
        ["reject", ["b", "ignored"]]
      ])
      // What was never shown is refused, and not ignored by anybody.
      assert.deepStrictEqual(counts, [answered, "refused: withheld", "refused: withheld"])
    })
  )

  it.effect("neither sends nor suggests for a file on the list, and says so", () =>
    Effect.gen(function* () {
      const { ask, change, fake, open, root } = yield* setUp
      const secret = Sendable.uriOf(join(root, ".env"))
      const why = "It is on the list of files that are never sent (.env*)."
      assert.strictEqual(yield* open("KEY=1\n", secret), why)
      yield* open()
      yield* ask()
      yield* change(2, "x", range(0, 0), secret)
      assert.deepStrictEqual(yield* ask(at(0, 0), "manual", secret), { type: "withheld", why })
      assert.notInclude(JSON.stringify(fake.got), "KEY")
      assert.notInclude(JSON.stringify(fake.got), ".env")
    })
  )

  it.effect("takes a document away from the agent when it may not be sent any more", () =>
    Effect.gen(function* () {
      const { ask, change, edit, ends, fake, give, open, root } = yield* setUp
      yield* open()
      give(edit("a", range(0, 0), "x"))
      yield* ask()
      writeFileSync(join(root, ".git"), "gitdir: /nowhere\n")
      yield* TestClock.adjust("1 minutes")
      const answer = yield* ask()
      assert.deepStrictEqual(answer, { type: "withheld", why: "Git can't say whether it ignores it." })
      yield* change(2, "SECRET")
      assert.deepStrictEqual(ends(), [["reject", ["a", "ignored"]]])
      assert.deepStrictEqual(fake.got.at(-1), ["close", undefined])
      assert.notInclude(JSON.stringify(fake.got), "SECRET")
    })
  )

  it.effect("takes documents that nobody asks about away, too, and gives none of them to a new process", () =>
    Effect.gen(function* () {
      const { ask, change, fake, lists, open, other } = yield* setUp
      yield* open()
      yield* open("of b\n", other)
      yield* ask()
      lists.neverSend = ["b.*"]
      yield* ask(at(0, 1))
      assert.deepStrictEqual(fake.got.slice(-2), [
        ["close", undefined],
        ["suggest", at(0, 1)]
      ])
      yield* change(2, "SECRET", range(0, 0), other)
      yield* fake.crash
      yield* TestClock.adjust("1 minutes")
      yield* ask(at(0, 2))
      assert.deepStrictEqual(fake.got.slice(-3), [["start"], ["open", [1, "one\ntwo\n"]], ["suggest", at(0, 2)]])
      assert.notInclude(JSON.stringify(fake.got), "SECRET")
    })
  )

  it.effect("sends no further change of a document that may not be sent any more", () =>
    Effect.gen(function* () {
      const { ask, change, fake, lists, open } = yield* setUp
      yield* open()
      yield* ask()
      for (const neverSend of [["a.*"], undefined]) {
        lists.neverSend = neverSend
        yield* TestClock.adjust("1 seconds")
        yield* change(neverSend === undefined ? 3 : 2, "SECRET")
        assert.deepStrictEqual(fake.got.at(-1), ["close", undefined])
      }
      assert.notInclude(JSON.stringify(fake.got), "SECRET")
    })
  )

  it.effect("gives a document back to the agent, as it is now, when it may be sent again", () =>
    Effect.gen(function* () {
      const { ask, change, fake, lists, open } = yield* setUp
      yield* open()
      yield* ask()
      lists.neverSend = undefined
      assert.strictEqual((yield* ask(at(0, 1))).type, "withheld")
      yield* change(2, "x")
      lists.neverSend = []
      assert.strictEqual((yield* ask(at(0, 2))).type, "suggestions")
      yield* change(3, "y")
      assert.deepStrictEqual(fake.got.slice(-4), [
        ["close", undefined],
        ["open", [2, "xone\ntwo\n"]],
        ["suggest", at(0, 2)],
        ["change", [3, [{ range: range(0, 0), text: "y" }]]]
      ])
    })
  )

  it.effect("does not sync a text of more than 2 MiB, and does again when it is shorter", () =>
    Effect.gen(function* () {
      const { ask, desk, fake, open, uri } = yield* setUp
      yield* open("x\n".repeat(1_048_577))
      assert.deepStrictEqual(yield* ask(), { type: "withheld", why: "It is longer than 2 MiB." })
      yield* desk.change({ uri, version: 2, changes: [{ text: "short" }] })
      yield* ask()
      yield* desk.change({ uri, version: 3, changes: [{ text: "x\n".repeat(1_048_577) }] })
      assert.deepStrictEqual(fake.got, [["start"], ["open", [2, "short"]], ["suggest", at(0, 0)], ["close", undefined]])
    })
  )

  it.effect("gives a new process after a crash all documents again, and forgets the suggestions of the old one", () =>
    Effect.gen(function* () {
      const { ask, change, desk, edit, ends, fake, give, idsOf, open } = yield* setUp
      yield* open()
      give(edit("a", range(0, 0), "x"))
      const [id = ""] = idsOf(yield* ask())
      yield* fake.crash
      yield* TestClock.adjust("1 millis")
      yield* change(2, "q")
      const answer = yield* ask()
      assert.strictEqual(answer.type, "resting")
      yield* TestClock.adjust("1 minutes")
      const [next = ""] = idsOf(yield* ask())
      assert.deepStrictEqual(fake.got.slice(3), [["start"], ["open", [2, "qone\ntwo\n"]], ["suggest", at(0, 0)]])
      assert.notStrictEqual(next, id)
      assert.isFalse(yield* desk.accept(id))
      assert.deepStrictEqual(ends(), [])
    })
  )

  it.effect("shows the answer of an agent that ends right after it, and reports nothing of it to the next one", () =>
    Effect.gen(function* () {
      const { ask, desk, edit, ends, fake, give, idsOf, open, other } = yield* setUp
      yield* open()
      // The end comes while the answer is looked at.
      fake.answer = () => Effect.as(Effect.forkDetach(fake.crash), [edit("a", range(0, 0), "x", other)])
      const [id = ""] = idsOf(yield* ask())
      yield* TestClock.adjust("1 minutes")
      give()
      yield* ask(at(0, 1))
      assert.isFalse(yield* desk.accept(id))
      assert.deepStrictEqual(ends(), [])
      assert.lengthOf(
        fake.got.filter(([method]) => method === "start"),
        2
      )
    })
  )

  it.effect("lets nobody wait for an agent that does not read, and ends that agent", () =>
    Effect.gen(function* () {
      const { ask, change, desk, edit, fake, give, idsOf, open, uri } = yield* setUp
      yield* open()
      give(edit("a", range(0, 0), "x"))
      yield* ask()
      fake.reads = false
      const typing = yield* Effect.forkChild(Effect.andThen(change(2, "q"), desk.save({ uri })), {
        startImmediately: true
      })
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(typing)
      assert.strictEqual(desk.get(uri)?.lines.text, "qone\ntwo\n")
      assert.strictEqual((yield* ask()).type, "resting")
      fake.reads = true
      yield* TestClock.adjust("1 minutes")
      assert.lengthOf(idsOf(yield* ask()), 1)
      assert.deepStrictEqual(
        fake.got.filter(([method]) => method === "start"),
        [["start"], ["start"]]
      )
    })
  )

  it.effect("gives the agent other files, edits, actions and diagnostics, and nothing of withheld files", () =>
    Effect.gen(function* () {
      const { ask, change, desk, fake, open, other, root, uri } = yield* setUp
      const closed = Sendable.uriOf(join(root, "c.ts"))
      writeFileSync(join(root, "c.ts"), "export const totalAmount = 3\n")
      const secret = Sendable.uriOf(join(root, ".env"))
      yield* open("PASSWORD=hunter2\n", secret)
      yield* desk.focus({ uri: secret, position: at(0, 1), visibleRange: range(0, 0) })
      yield* open("old text of c", closed)
      yield* desk.close({ uri: closed })
      yield* open("const x = totalAmount\n", other)
      yield* open("let totalAmount\n")
      yield* desk.focus({ uri, position: at(0, 4), visibleRange: range(0, 0, 4) })
      const diagnostic = { uri, range: range(0, 4, 15), severity: "error", message: "No value" } as const
      yield* desk.diagnose({ uri }, [diagnostic])
      yield* change(2, " = 1", range(0, 15))
      let request: SuggestRequest | undefined
      fake.answer = (given) => {
        request = given
        return Effect.succeed([])
      }
      yield* ask(at(0, 19))
      assert.notInclude(JSON.stringify(request), "hunter2")
      assert.notInclude(JSON.stringify(request), ".env")
      assert.deepStrictEqual(request?.context, {
        recentFiles: [
          { uri: other, languageId: "typescript", text: "const x = totalAmount\n" },
          { uri: closed, languageId: "typescript", text: "export const totalAmount = 3\n" }
        ],
        relatedSnippets: [
          { uri: other, excerpts: [{ startLine: 0, endLine: 1, text: "const x = totalAmount\n" }] },
          { uri: closed, excerpts: [{ startLine: 0, endLine: 1, text: "export const totalAmount = 3\n" }] }
        ],
        editHistory: [
          { uri, diff: "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-let totalAmount\n+let totalAmount = 1\n" }
        ],
        userActions: [
          { action: "insertSelection", uri, position: at(0, 15), timestampMs: 0 },
          { action: "cursorMovement", uri, position: at(0, 4), timestampMs: 0 }
        ],
        openFiles: [
          { uri, languageId: "typescript", visibleRange: range(0, 0, 4), lastFocusedMs: 0 },
          { uri: other, languageId: "typescript" }
        ],
        diagnostics: [diagnostic]
      })
    })
  )
})
