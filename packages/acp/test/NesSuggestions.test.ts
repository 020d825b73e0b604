import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Nes from "../src/Nes.ts"
import { start } from "./ClientSide.ts"
import { at, begin, edit, everyKind, jump, range, uri } from "./NesSide.ts"
import { result } from "./OtherSide.ts"

const insert = (character: number, newText = "x") => ({ range: range(0, character, character), newText })
const change = (version: number) => ({ uri, version, changes: [{ range: range(0, 0, 0), text: "+" }] })
const ids = (suggestions: ReadonlyArray<{ readonly id: string }>) => suggestions.map(({ id }) => id)

describe("suggestions of a session", () => {
  it.effect("[128] each ends once, by an accept or a reject with its reason", () =>
    Effect.gen(function* () {
      const { other, rejected, sent, session, suggested } = yield* begin({ text: "one" })
      const reasons = ["rejected", "ignored", "replaced", "cancelled"] as const
      yield* suggested(edit("a", insert(1)), ...reasons.map(jump))
      yield* session.accept("a")
      for (const reason of reasons) yield* session.reject(reason, reason)
      assert.deepStrictEqual(yield* sent(5), [
        ["nes/accept", { sessionId: "n", id: "a" }],
        ...reasons.map((reason) => rejected(reason, reason))
      ])
      for (const again of [session.accept("a"), session.reject("a", "rejected"), session.accept("ignored")]) {
        assert.strictEqual((yield* Effect.flip(again))._tag, "InvalidRequest")
      }
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] kinds that are unknown or were not offered are refused and counted, and rejected to the agent", () =>
    Effect.gen(function* () {
      const refusals: Array<unknown> = []
      const onRefused = ({ id, kind, reason }: Nes.Refusal) => refusals.push([id, kind, reason])
      const { other, rejected, sent, session, suggested } = yield* begin({
        text: "one",
        onRefused: (refusal) => onRefused(refusal)
      })
      const rename = { kind: "rename", id: "rename", uri, position: at(0, 0), newName: "n" }
      const replace = { kind: "searchAndReplace", id: "replace", uri, search: "a", replace: "b" }
      const value = yield* suggested(
        edit("edit", insert(0)),
        rename,
        replace,
        jump("jump"),
        { kind: "dream", id: "dream" },
        { kind: "dream" },
        { kind: 7, id: "odd" },
        7
      )
      assert.deepStrictEqual(ids(value), ["edit", "jump"])
      assert.deepStrictEqual(
        yield* sent(4),
        ["rename", "replace", "dream", "odd"].map((id) => rejected(id))
      )
      assert.strictEqual(yield* other.waiting, 0)
      assert.deepStrictEqual(
        [...session.refused],
        [
          ["notOffered", 2],
          ["unknownKind", 2],
          ["malformed", 2]
        ]
      )
      assert.deepStrictEqual(refusals, [
        ["rename", "rename", "notOffered"],
        ["replace", "searchAndReplace", "notOffered"],
        ["dream", "dream", "unknownKind"],
        [undefined, "dream", "unknownKind"],
        ["odd", undefined, "malformed"],
        [undefined, undefined, "malformed"]
      ])
      const every = yield* begin({ text: "one", offered: everyKind })
      assert.deepStrictEqual(ids(yield* every.suggested(rename, replace)), ["rename", "replace"])
    })
  )

  const texts = {
    "a range that lies behind the text": ["outOfRange", edit("x", { range: range(2, 0, 1), newText: "" })],
    "a jump that lies behind the text": ["outOfRange", { ...jump("x"), position: at(7, 0) }],
    "a range that ends before it begins": ["inverted", edit("x", { range: range(0, 3, 1), newText: "" })],
    "a range that ends on a line before": [
      "inverted",
      edit("x", { range: { start: at(1, 0), end: at(0, 1) }, newText: "" })
    ],
    "a range that begins within a character": ["insideCharacter", edit("x", { range: range(1, 1, 2), newText: "" })],
    "a range that ends within a character": ["insideCharacter", edit("x", { range: range(1, 0, 1), newText: "" })],
    "a jump into a character": ["insideCharacter", { ...jump("x"), position: at(1, 1) }],
    "edits that overlap": [
      "overlapping",
      edit("x", { range: range(0, 1, 3), newText: "" }, { range: range(0, 0, 2), newText: "" })
    ],
    "an insertion within another edit": ["overlapping", edit("x", insert(2), { range: range(0, 1, 3), newText: "" })],
    "a document that is not open": ["notOpen", { ...jump("x"), uri: "file:///other.ts" }],
    "no edits": ["empty", edit("x")],
    "a search for nothing": ["empty", { kind: "searchAndReplace", id: "x", uri, search: "", replace: "b" }],
    "a rename to nothing": ["empty", { kind: "rename", id: "x", uri, position: at(0, 0), newName: "" }],
    "too many edits": ["tooLarge", edit("x", ...[0, 1, 2, 3].map((character) => insert(character, "")))],
    "too long a text": ["tooLarge", edit("x", insert(0, "y".repeat(200)))],
    "a position that is no number": ["malformed", { ...jump("x"), position: at(0, -1) }]
  } as const

  for (const [what, [reason, suggestion]] of Object.entries(texts)) {
    it.effect(`[128] ${what} is refused as ${reason}, and rejected to the agent`, () =>
      Effect.gen(function* () {
        const { other, rejected, sent, session, suggested } = yield* begin({
          text: "one\n😀",
          offered: everyKind,
          limits: { edits: 3, characters: 100 }
        })
        assert.deepStrictEqual(ids(yield* suggested(suggestion, jump("fine"))), ["fine"])
        assert.deepStrictEqual(yield* sent(1), [rejected("x")])
        assert.deepStrictEqual([...session.refused], [[reason, 1]])
        assert.strictEqual(yield* other.waiting, 0)
      })
    )
  }

  it.effect(
    "[128] a suggestion with the id of another one is refused, and not rejected, which would end that one",
    () =>
      Effect.gen(function* () {
        const { other, sent, session, suggested } = yield* begin({ text: "one" })
        const [first, ...rest] = yield* suggested(jump("a"), edit("a", insert(0)))
        assert.deepInclude(first, { id: "a", kind: "jump" })
        assert.deepStrictEqual(rest, [])
        assert.deepStrictEqual(yield* suggested(jump("a")), [])
        assert.deepStrictEqual([...session.refused], [["duplicateId", 2]])
        assert.strictEqual(yield* other.waiting, 0)
        yield* session.accept("a")
        assert.deepStrictEqual(yield* sent(1), [["nes/accept", { sessionId: "n", id: "a" }]])
        assert.deepStrictEqual(ids(yield* suggested(jump("a"))), ["a"], "an id is free when its suggestion has ended")
      })
  )

  it.effect("[128] more suggestions than are looked at are refused, counted and rejected", () =>
    Effect.gen(function* () {
      const { sent, session, suggested } = yield* begin({ text: "one", limits: { suggestions: 3 } })
      const many = Array.from({ length: 10_000 }, (_, i) => jump(String(i)))
      assert.deepStrictEqual(ids(yield* suggested(...many)), ["0", "1", "2"])
      assert.strictEqual(session.refused.get("tooMany"), 9997)
      const rejections = yield* sent(9997)
      assert.deepStrictEqual(rejections.at(-1), ["nes/reject", { sessionId: "n", id: "9999" }])
    })
  )

  it.effect("[128] suggestions that nobody ends make room for new ones, and end as ignored", () =>
    Effect.gen(function* () {
      const { rejected, sent, suggested } = yield* begin({ text: "one", limits: { suggestions: 2000 } })
      yield* suggested(...Array.from({ length: 1002 }, (_, i) => jump(String(i))))
      assert.deepStrictEqual(yield* sent(2), [rejected("0", "ignored"), rejected("1", "ignored")])
    })
  )

  it.effect("[128] places come back in UTF-16: edits, the cursor behind them, and positions", () =>
    Effect.gen(function* () {
      const { suggested } = yield* begin({
        text: "é😀z",
        more: { positionEncoding: "utf-8" },
        textOf: (uri) => Effect.succeed(uri === "file:///b.ts" ? "€!" : undefined)
      })
      const edits = [
        { range: range(0, 6, 7), newText: "ö" },
        { range: range(0, 0, 2), newText: "" },
        { range: range(0, 9, 99), newText: "end" }
      ]
      const value = yield* suggested(
        { ...edit("a", ...edits), cursorPosition: at(0, 6) },
        { kind: "jump", id: "b", uri: "file:///b.ts", position: at(0, 3) },
        { kind: "jump", id: "c", uri: "file:///c.ts", position: at(0, 3) }
      )
      assert.deepEqual(value, [
        {
          kind: "edit",
          id: "a",
          uri,
          edits: [
            { range: range(0, 3, 4), newText: "ö" },
            { range: range(0, 0, 1), newText: "" },
            { range: range(0, 4, 4), newText: "end" }
          ],
          cursorPosition: at(0, 3)
        },
        { kind: "jump", id: "b", uri: "file:///b.ts", position: at(0, 1) }
      ])
    })
  )

  it.effect("[128] the beginning of the line behind the last one is the end of the text for a range", () =>
    Effect.gen(function* () {
      const { suggested } = yield* begin({ text: "one\ntwo" })
      const whole = { range: { start: at(0, 0), end: at(2, 0) }, newText: "all" }
      assert.deepEqual(yield* suggested(edit("a", whole)), [
        { kind: "edit", id: "a", uri, edits: [{ ...whole, range: { start: at(0, 0), end: at(1, 3) } }] }
      ])
    })
  )

  it.effect(
    "[128] one that writes the URI of an open document in another way is about that document, and no other text",
    () =>
      Effect.gen(function* () {
        const uri = "file:///p/app/(auth)/[id]/+page@2.ts"
        const { asked, rejected, sent, session } = yield* begin({ textOf: () => Effect.succeed("another text") })
        yield* session.didOpen({ uri: "file:///a.ts", languageId: "ts", version: 1, text: "one" })
        yield* session.didOpen({ uri, languageId: "ts", version: 1, text: "" })
        const escaped = "file:///p/app/%28auth%29/%5Bid%5D/%2Bpage%402.ts"
        const suggested = yield* asked
        yield* suggested.answer(
          { kind: "edit", id: "a", uri: escaped, edits: [insert(0, "x")] },
          { kind: "edit", id: "b", uri: `file:///p/app/../app/(auth)/[id]/%2bpage%402.ts`, edits: [insert(1, "x")] },
          { ...jump("c"), uri: `${escaped}x` }
        )
        assert.deepStrictEqual(
          (yield* suggested.join).map((one) => [one.id, one.uri]),
          [
            ["a", uri],
            // Places beyond the end of a line are its end.
            ["b", uri],
            ["c", `${escaped}x`]
          ]
        )
        yield* session.reject("a", "rejected")
        yield* session.didClose(uri)
        assert.deepStrictEqual(yield* sent(2), [rejected("a", "rejected"), rejected("b", "ignored")])
        yield* session.didOpen({ uri, languageId: "ts", version: 2, text: "" })
        const late = yield* asked
        yield* session.didChange({ uri, version: 3, changes: [{ text: "new" }] })
        yield* late.answer({ kind: "edit", id: "d", uri: escaped, edits: [insert(0, "x")] })
        assert.deepStrictEqual(yield* late.join, [])
        assert.deepStrictEqual(yield* sent(1), [rejected("d", "cancelled")])
      })
  )

  it.effect(
    "[128] a request about a document that has changed is cancelled, and its late answer rejected as cancelled",
    () =>
      Effect.gen(function* () {
        const { asked, other, rejected, sent, session } = yield* begin({ text: "one" })
        const { answer, id, join } = yield* asked
        yield* session.didChange(change(2))
        assert.deepStrictEqual(yield* join, [])
        assert.deepStrictEqual(yield* sent(1), [["$/cancel_request", { requestId: id }]])
        yield* answer(jump("a"), { kind: "dream", id: "b" }, jump("a"))
        assert.deepStrictEqual(yield* sent(2), [rejected("a", "cancelled"), rejected("b")])
        assert.strictEqual(session.refused.get("stale"), 1)
        assert.strictEqual((yield* Effect.flip(session.accept("a")))._tag, "InvalidRequest")
        assert.strictEqual(yield* other.waiting, 0)
      })
  )

  it.effect(
    "[128] a change of another document leaves the request alone, and refuses what is about that one as stale",
    () =>
      Effect.gen(function* () {
        const other = "file:///b.ts"
        const { asked, rejected, sent, session } = yield* begin({ text: "one" })
        yield* session.didOpen({ uri: other, languageId: "ts", version: 1, text: "two" })
        const { answer, join } = yield* asked
        yield* session.didChange({ ...change(2), uri: other })
        yield* answer({ ...jump("a"), uri: other }, jump("b"))
        assert.deepStrictEqual(ids(yield* join), ["b"])
        assert.deepStrictEqual(yield* sent(1), [rejected("a", "cancelled")])
      })
  )

  it.effect(
    "[128] a caller that is interrupted cancels its request, and what comes late is rejected as cancelled",
    () =>
      Effect.gen(function* () {
        const { asked, rejected, sent, answered, session, request } = yield* begin({ text: "one" })
        const { answer, fiber, id } = yield* asked
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* sent(1), [["$/cancel_request", { requestId: id }]])
        yield* answer(jump("a"))
        assert.deepStrictEqual(yield* sent(1), [rejected("a", "cancelled")])
        const { value } = yield* answered(session.suggest(request), { suggestions: [jump("b")] })
        assert.deepStrictEqual(ids(value), ["b"])
      })
  )

  it.effect("[128] a caller that is interrupted while a text is read leaves nothing open", () =>
    Effect.gen(function* () {
      const reading = yield* Deferred.make<void>()
      const { asked, rejected, sent, session } = yield* begin({
        text: "one",
        textOf: () => Effect.andThen(Deferred.succeed(reading, undefined), Effect.never)
      })
      const { answer, fiber } = yield* asked
      yield* answer({ ...jump("a"), uri: "file:///b.ts" }, jump("b"))
      yield* Deferred.await(reading)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* sent(2), [rejected("a", "cancelled"), rejected("b", "cancelled")])
      assert.strictEqual((yield* Effect.flip(session.accept("b")))._tag, "InvalidRequest")
    })
  )

  it.effect("[128] what is open about a document ends as ignored when that is closed", () =>
    Effect.gen(function* () {
      const { other, rejected, sent, session, suggested } = yield* begin({
        text: "one",
        nes: { events: { document: { didClose: {} } } }
      })
      yield* suggested(jump("a"), edit("b", insert(0)))
      yield* session.reject("a", "rejected")
      yield* session.didClose(uri)
      assert.deepStrictEqual(yield* sent(3), [
        rejected("a", "rejected"),
        rejected("b", "ignored"),
        ["document/didClose", { sessionId: "n", uri }]
      ])
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] an answer without a list of suggestions fails, and one with a single bad one does not", () =>
    Effect.gen(function* () {
      const { other, request, session, suggested } = yield* begin({ text: "one" })
      for (const answer of [null, {}, { suggestions: "none" }, []]) {
        const failing = yield* start(Effect.flip(session.suggest(request)))
        yield* other.send(result((yield* other.next).id, answer))
        assert.strictEqual((yield* Fiber.join(failing))._tag, "MalformedResult")
      }
      assert.deepStrictEqual(ids(yield* suggested({ ...jump("a"), more: 1 }, null)), ["a"])
      assert.strictEqual(
        (yield* Effect.flip(session.suggest({ ...request, uri: "file:///no" })))._tag,
        "InvalidRequest"
      )
    })
  )
})
