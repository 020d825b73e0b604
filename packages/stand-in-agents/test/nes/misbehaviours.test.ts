import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { misbehaviours } from "../../src/nes/Misbehaviour.ts"
import * as Editor from "./Editor.ts"

const live = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof Editor.connect>>>) =>
  test.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const Place = Schema.Struct({ line: Schema.Number, character: Schema.Number })
const Edit = Schema.Struct({ range: Schema.Struct({ start: Place, end: Place }), newText: Schema.String })
const Answer = Schema.Struct({
  suggestions: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.String,
      uri: Schema.String,
      edits: Schema.optionalKey(Schema.Array(Edit)),
      search: Schema.optionalKey(Schema.String)
    })
  )
})

const calls = "é log.info(1)\n😀 log.info(2)\n"

/** A session with an agent that misbehaves so, after an edit for which it has a suggestion. */
const begin = Effect.fnUntraced(function* (names: string, setup: Editor.Setup = {}, text = calls) {
  const editor = yield* Editor.start({ ...setup, args: ["--misbehave", names, ...(setup.args ?? [])] })
  yield* editor.open("a.ts", text)
  editor.goTo("a.ts", "info", "after")
  yield* editor.type("\b\b\b\bwarn")
  return editor
})

/** What an agent that misbehaves so suggests, unchecked. */
const suggested = Effect.fnUntraced(function* (name: string, setup: Editor.Setup = {}, text = calls) {
  const editor = yield* begin(name, setup, text)
  const answer = yield* Effect.flatMap(editor.ask, Schema.decodeUnknownEffect(Answer))
  return { editor, suggestions: answer.suggestions, edits: answer.suggestions.flatMap(({ edits }) => edits ?? []) }
})

describe("The reference agent misbehaves by a switch", () => {
  it.live("slow: answers after the delay, and can be cancelled before", () =>
    live(
      Effect.gen(function* () {
        const quick = yield* suggested("slow", { args: ["--delay", "20"] })
        assert.strictEqual(quick.suggestions[0]?.kind, "edit")
        const slow = yield* begin("slow", { args: ["--delay", "9999999"] })
        const fiber = yield* Effect.forkChild(slow.ask, { startImmediately: true })
        yield* Fiber.interrupt(fiber)
        yield* slow.client.extRequest("nes/close", { sessionId: slow.nes.id })
      })
    )
  )

  it.live("never: gives no answer, and other requests are answered", () =>
    live(
      Effect.gen(function* () {
        const never = yield* begin("never")
        yield* Effect.forkChild(never.ask, { startImmediately: true })
        yield* never.client.extRequest("nes/close", { sessionId: never.nes.id })
      })
    )
  )

  it.live("stale-version: counts places in the text before the last change", () =>
    live(
      Effect.gen(function* () {
        const starts = yield* Effect.forEach(["stale-version", "unknown-kind"], (name) =>
          Effect.map(suggested(name, {}, "log.info(1); log.info(2)\n"), ({ edits }) => edits[0]?.range.start)
        )
        assert.deepStrictEqual(starts, [
          { line: 0, character: 16 },
          { line: 0, character: 17 }
        ])
      })
    )
  )

  it.live("overlapping-edits, out-of-range and inverted-range: gives ranges that fit no text", () =>
    live(
      Effect.gen(function* () {
        const [one, two] = (yield* suggested("overlapping-edits")).edits
        assert.deepStrictEqual(one?.range, two?.range)
        assert.notDeepEqual(one?.range.start, one?.range.end)
        const beyond = (yield* suggested("out-of-range", { encodings: ["utf-8"] })).edits
        assert.deepStrictEqual(
          beyond.map(({ range }) => [range.start.line > 1000, range.start.character > 1000]),
          [
            [false, true],
            [true, false]
          ]
        )
        const [inverted] = (yield* suggested("inverted-range")).edits
        assert.isAbove(inverted?.range.start.character ?? 0, inverted?.range.end.character ?? 0)
      })
    )
  )

  it.live("inside-a-character: begins in the middle of the first one that has a middle in the encoding", () =>
    live(
      Effect.gen(function* () {
        const places = yield* Effect.forEach(["utf-8", "utf-16", "utf-32"] as const, (encoding) =>
          Effect.map(suggested("inside-a-character", { encodings: [encoding] }), ({ edits }) => edits[0]?.range.start)
        )
        assert.deepStrictEqual(places, [{ line: 0, character: 1 }, { line: 1, character: 1 }, undefined])
      })
    )
  )

  it.live("kinds-not-offered and unknown-kind: suggests what the client can't show", () =>
    live(
      Effect.gen(function* () {
        const kinds = (name: string) =>
          Effect.map(suggested(name, { kinds: {} }), ({ suggestions }) => suggestions.map(({ kind }) => kind))
        assert.deepStrictEqual(yield* kinds("kinds-not-offered"), ["jump", "rename", "searchAndReplace"])
        assert.deepStrictEqual(yield* kinds("unknown-kind"), ["teleport", "edit"])
      })
    )
  )

  it.live("ten, ten-thousand and duplicate-ids: suggests too much, and the same twice", () =>
    live(
      Effect.gen(function* () {
        for (const [name, count, ids] of [
          ["ten", 10, 10],
          ["ten-thousand", 10_000, 10_000],
          ["duplicate-ids", 2, 1]
        ] as const) {
          const { suggestions } = yield* suggested(name)
          assert.strictEqual(suggestions.length, count)
          assert.strictEqual(new Set(suggestions.map(({ id }) => id)).size, ids)
        }
      })
    )
  )

  it.live("dies: ends after its answer", () =>
    live(
      Effect.gen(function* () {
        const { editor, suggestions } = yield* suggested("dies")
        assert.strictEqual(suggestions.length, 1)
        assert.strictEqual(yield* editor.child.exitCode, 9)
      })
    )
  )

  it.live("no-such-method and sign-in: answers nes/start with errors, the second until somebody has signed in", () =>
    live(
      Effect.gen(function* () {
        const { client } = yield* Editor.connect({ args: ["--misbehave", "no-such-method"] })
        assert.deepInclude(yield* Effect.flip(client.extRequest("nes/start", {})), { code: -32601 })
        const connection = yield* Editor.connect({ args: ["--misbehave", "sign-in"] })
        const refused = yield* Effect.flip(Editor.session(connection))
        assert.deepInclude(refused, { code: -32000 })
        const methods = connection.client.initialized()?.authMethods ?? []
        yield* connection.client.authenticate({ methodId: methods[0]?.id ?? "" })
        yield* Editor.session(connection)
      })
    )
  )

  it.live("slow-pattern, wrong-uri and huge-text: suggests what would take long, or does not belong there", () =>
    live(
      Effect.gen(function* () {
        assert.isString((yield* suggested("slow-pattern")).suggestions[0]?.search)
        const { editor, suggestions } = yield* suggested("wrong-uri")
        assert.isTrue(suggestions.every(({ uri }) => uri !== editor.uriOf("a.ts")))
        assert.strictEqual((yield* suggested("huge-text")).edits[0]?.newText.length, 8 * 1024 * 1024)
      })
    )
  )
})

describe("The client's role refuses what the reference agent suggests wrongly", () => {
  for (const [name, reason, count, left] of [
    ["overlapping-edits", "overlapping", 1, 0],
    ["out-of-range", "outOfRange", 1, 1],
    ["inside-a-character", "insideCharacter", 1, 0],
    ["inverted-range", "inverted", 1, 0],
    ["kinds-not-offered", "notOffered", 3, 0],
    ["unknown-kind", "unknownKind", 1, 1],
    ["ten-thousand", "tooMany", 9900, 100],
    ["duplicate-ids", "duplicateId", 1, 1],
    ["wrong-uri", "notOpen", 4, 0],
    ["huge-text", "tooLarge", 1, 0]
  ] as const)
    it.live(`${name}: ${reason}`, () =>
      live(
        Effect.gen(function* () {
          const editor = yield* begin(name, { encodings: ["utf-8"], kinds: {} })
          const suggestions = yield* editor.suggest()
          assert.deepStrictEqual([...editor.nes.refused], [[reason, count]])
          assert.strictEqual(suggestions.length, left)
        })
      )
    )
})

describe("The program of the reference agent", () => {
  const program = fileURLToPath(new URL("../../bin/signalbox-nes", import.meta.url))
  const run = (...args: ReadonlyArray<string>) => spawnSync(program, args, { encoding: "utf8", input: "" })

  it("lists its options and misbehaviours", () => {
    const { status, stdout } = run("--help")
    assert.strictEqual(status, 0)
    for (const name of [...Object.keys(misbehaviours), "--encoding", "--sync", "--without", "--delay"])
      assert.include(stdout, name)
  })

  it("ends with its input, whatever it has not answered", () => {
    const lines = [
      { id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
      { id: 2, method: "nes/start", params: {} },
      { id: 3, method: "nes/suggest", params: { sessionId: "nes-1", uri: "file:///a", version: 1, position: {} } }
    ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const { status, stdout } = spawnSync(program, ["--misbehave", "never"], { encoding: "utf8", input: lines.join("") })
    assert.strictEqual(status, 0)
    assert.deepStrictEqual(
      stdout.split(/\n/).flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { id: number }).id])),
      [1, 2]
    )
    assert.strictEqual(run().status, 0)
  })

  it("refuses what it does not know", () => {
    for (const args of [
      ["--sync", "some"],
      ["--misbehave", "ten,nine"],
      ["--without", "edit"],
      ["--delay"],
      ["x", "y"]
    ]) {
      const { status, stderr, stdout } = run(...args)
      assert.strictEqual(status, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^\S.+\n\nsignalbox-nes:/)
    }
  })
})
