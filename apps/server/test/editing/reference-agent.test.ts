/** The desk with the reference agent as a real process, also where that does what it should not. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as Compose from "../../src/compose/Editing.ts"
import { Editing } from "../../src/editing/Editing.ts"
import { SignedIn } from "../../src/provider/Services/SignedIn.ts"
import * as Sendable from "../../src/editing/Sendable.ts"
import type { SuggestionAnswer } from "../../src/editing/SuggestionAnswer.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const program = programOf(new URL("../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))

const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n// 😀\n"

/** A desk with an open document, and the agent as these words start it. */
const setUp = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const root = realpathSync(temporaryFolder("workspace"))
  const { desk } = yield* Editing
  const mine = yield* desk({
    provider: { id: ProviderId.make("custom"), kind: "acp", name: "node", simulated: false },
    providerOptions: { acp: { command: process.execPath, args: [program, ...args] } },
    roots: [root]
  })
  const uri = Sendable.uriOf(join(root, "a.ts"))
  yield* mine.open({ uri, languageId: "typescript", version: 1, text })
  const ask = (trigger: "automatic" | "manual" = "manual") =>
    mine.suggest({ uri, position: { line: 2, character: 8 }, trigger })
  return { ask, desk: mine, uri }
})

const given = (answer: SuggestionAnswer) =>
  answer.type === "suggestions" ? answer : assert.fail(`It was ${answer.type}`)

const live = (name: string, test: () => Effect.Effect<void, unknown, Editing | SignedIn | Scope.Scope>) =>
  it.live(name, () =>
    Effect.suspend(test).pipe(
      Effect.scoped,
      Effect.provide(Compose.layer(realpathSync(temporaryFolder("state"))).pipe(Layer.provide(NodeServices.layer)))
    )
  )

describe("the desk with the reference agent", { timeout: 60_000 }, () => {
  it.live("is one for all who use the agent in a folder, and its session ends when nobody has asked for a while", () =>
    Effect.gen(function* () {
      const tape = join(realpathSync(temporaryFolder("tape")), "tape.ndjson")
      const state = realpathSync(temporaryFolder("state"))
      const place = {
        provider: { id: ProviderId.make("custom"), kind: "acp", name: "node", simulated: false },
        providerOptions: { acp: { command: process.execPath, args: [program] } },
        roots: [realpathSync(temporaryFolder("workspace"))]
      } as const
      const told = Effect.sync(() =>
        [...readFileSync(tape, "utf8").matchAll(/"dir":"out".*?"method":"([^"]+)"/g)].map(([, method]) => method)
      )
      const untilEnded = Effect.repeat(told, {
        until: (methods) => methods.includes("nes/close"),
        schedule: Schedule.spaced("10 millis")
      })
      yield* Effect.gen(function* () {
        const { desk } = yield* Editing
        const [one, two] = [yield* desk({ ...place }), yield* desk({ ...place })]
        assert.strictEqual(one, two)
        const uri = Sendable.uriOf(join(place.roots[0], "a.ts"))
        yield* one.open({ uri, languageId: "typescript", version: 1, text })
        const question = { uri, position: { line: 2, character: 8 }, trigger: "manual" } as const
        assert.lengthOf(given(yield* two.suggest(question)).suggestions, 1)
        const methods = yield* untilEnded
        assert.deepStrictEqual(
          methods.filter((method) => method?.startsWith("nes/")),
          ["nes/start", "nes/suggest", "nes/reject", "nes/close"]
        )
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Compose.layer(state, { tape: Option.some(tape), idle: "300 millis" }).pipe(Layer.provide(NodeServices.layer))
        )
      )
    })
  )

  live("gets a line completed, in each encoding and each kind of sync, after characters of any size", () =>
    Effect.gen(function* () {
      for (const args of [
        ["--encoding", "utf-8"],
        ["--encoding", "utf-32", "--sync", "full"],
        ["--encoding", "utf-16"]
      ]) {
        const { ask, desk, uri } = yield* setUp(...args)
        yield* ask()
        yield* desk.change({
          uri,
          version: 2,
          changes: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "/* é😀 */ " }]
        })
        yield* desk.change({
          uri,
          version: 3,
          changes: [{ range: { start: { line: 2, character: 8 }, end: { line: 2, character: 8 } }, text: "e" }]
        })
        const answer = given(yield* desk.suggest({ uri, position: { line: 2, character: 9 }, trigger: "manual" }))
        assert.strictEqual(answer.suggestions[0]?.kind, "edit")
        assert.isTrue(yield* desk.accept(answer.suggestions[0]?.id ?? ""))
      }
    })
  )

  for (const args of [
    ["--without", "didOpen"],
    ["--sync", "none"],
    ["--sync", "none", "--without", "didOpen"]
  ])
    live(`gets a line completed, also after a change, by an agent with fewer events: ${args.join(" ")}`, () =>
      Effect.gen(function* () {
        const { ask, desk, uri } = yield* setUp("--encoding", "utf-8", ...args)
        const [before, ...more] = given(yield* ask()).suggestions
        assert.deepStrictEqual(more, [])
        assert.strictEqual(before?.kind, "edit")
        const place = { line: 2, character: 8 }
        yield* desk.change({ uri, version: 2, changes: [{ range: { start: place, end: place }, text: "e" }] })
        const position = { line: 2, character: 9 }
        const { dropped, suggestions } = given(yield* desk.suggest({ uri, position, trigger: "manual" }))
        assert.deepStrictEqual(dropped, [])
        const [after] = suggestions
        assert.deepInclude(after, { kind: "edit", uri })
        if (after?.kind !== "edit") return
        assert.include(desk.get(uri)?.lines.edit(after.edits).text, "\n  console.log(")
      })
    )

  for (const misbehaviour of [
    "overlapping-edits",
    "inverted-range",
    "unknown-kind",
    "ten",
    "ten-thousand",
    "duplicate-ids",
    "slow-pattern",
    "wrong-uri",
    "huge-text",
    "kinds-not-offered",
    "inside-a-character",
    "out-of-range"
  ])
    live(`shows only what can be applied of an agent that does this: ${misbehaviour}`, () =>
      Effect.gen(function* () {
        const { ask, desk, uri } = yield* setUp("--misbehave", misbehaviour)
        const { dropped, suggestions } = given(yield* ask())
        assert.isAtMost(suggestions.length, 20)
        assert.isAbove(suggestions.length + dropped.length, 0)
        assert.strictEqual(new Set(suggestions.map(({ id }) => id)).size, suggestions.length)
        const lines = desk.get(uri)?.lines ?? assert.fail("It is open")
        for (const suggestion of suggestions) {
          assert.isTrue(suggestion.uri.startsWith(uri.slice(0, uri.lastIndexOf("/"))), suggestion.uri)
          if (suggestion.kind !== "edit" || suggestion.uri !== uri) continue
          for (const { range } of suggestion.edits) assert.notStrictEqual(lines.place(range.start).fit, "beyondText")
          assert.notStrictEqual(lines.edit(suggestion.edits).text, lines.text)
        }
        for (const { why } of dropped) assert.match(why, /^[a-z]/)
        assert.strictEqual(lines.text, text)
        for (const { id } of suggestions) assert.isTrue(yield* desk.reject(id, "rejected"))
      })
    )

  live("shows what fits the text as it is, also of an agent that answers for the text before", () =>
    Effect.gen(function* () {
      const { ask, desk, uri } = yield* setUp("--misbehave", "stale-version")
      yield* ask()
      const place = { line: 2, character: 8 }
      yield* desk.change({ uri, version: 2, changes: [{ range: { start: place, end: place }, text: "e" }] })
      const { dropped, suggestions } = given(yield* ask())
      assert.deepStrictEqual(dropped, [])
      const [only, ...more] = suggestions
      assert.deepStrictEqual(more, [])
      if (only?.kind !== "edit") return assert.fail("It is an edit")
      // The agent has not seen the letter that was typed, so it suggests that once more.
      assert.deepStrictEqual(only.edits, [{ range: { start: place, end: place }, newText: "e.log(first)" }])
      assert.isTrue(yield* desk.accept(only.id))
    })
  )

  live("goes on with a new process after one that died, without the suggestions of the old one", () =>
    Effect.gen(function* () {
      const { ask, desk } = yield* setUp("--misbehave", "dies")
      const [first] = given(yield* ask()).suggestions
      yield* Effect.sync(desk.agent).pipe(
        Effect.repeat({ until: (agent) => agent === undefined, schedule: Schedule.spaced("10 millis") })
      )
      assert.isFalse(yield* desk.accept(first?.id ?? ""))
      assert.strictEqual((yield* ask("automatic")).type, "resting")
      assert.lengthOf(given(yield* ask()).suggestions, 1)
    })
  )

  live("lets nobody wait for an agent that never answers: the next change ends the question", () =>
    Effect.gen(function* () {
      const { ask, desk, uri } = yield* setUp("--misbehave", "never")
      const [answer] = yield* Effect.all(
        [
          ask(),
          Effect.sync(desk.agent).pipe(
            Effect.repeat({ until: (agent) => agent !== undefined, schedule: Schedule.spaced("10 millis") }),
            Effect.andThen(desk.change({ uri, version: 2, changes: [{ text: "new" }] }))
          )
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(answer, { type: "overtaken" })
    })
  )

  live("says in words that there is no such method, or that somebody has to sign in", () =>
    Effect.gen(function* () {
      for (const [misbehaviour, code] of [
        ["no-such-method", "unsupported"],
        ["sign-in", "auth-required"]
      ] as const) {
        const { ask } = yield* setUp("--misbehave", misbehaviour)
        const failure = yield* Effect.flip(ask())
        assert.strictEqual(failure._tag === "ProviderError" ? failure.problem.code : failure._tag, code)
      }
    })
  )

  live("signs in again as somebody has before, and asks once more", () =>
    Effect.gen(function* () {
      const signedIn = yield* SignedIn
      yield* signedIn.note(ProviderId.make("custom"), "reference")
      const { ask } = yield* setUp("--misbehave", "sign-in")
      assert.lengthOf(given(yield* ask()).suggestions, 1)
    })
  )
})
