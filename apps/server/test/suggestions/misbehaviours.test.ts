/** What a page sees of an agent for suggestions that does what it should not: the reference agent, over a real server. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { Misbehaviour } from "@signalbox/stand-in-agents/nes/Misbehaviour"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { agentOf, at, given, insert, page, put, setUp, settingsOf } from "./Page.ts"

const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n// 😀\n"

/** Agents by what each does wrong. */
const agents = (names: ReadonlyArray<Misbehaviour>) =>
  Object.fromEntries(
    names.map((name) => [name, { name: `Agent ${name}`, ...agentOf("--misbehave", name, "--delay", "300") }])
  )

/** A page whose settings name one agent after the other. */
const setUpWith = Effect.fnUntraced(function* (...names: ReadonlyArray<Misbehaviour>) {
  const { client, state } = yield* setUp({ agents: agents(names) })
  const mine = yield* page(client)
  /** The page with a document, and this agent. */
  const use = Effect.fnUntraced(function* (name: Misbehaviour) {
    put(state, { agents: agents(names), suggestions: { provider: name, debounce: 0 } })
    yield* mine.next("on", ({ agent }) => agent.id === name)
    yield* mine.open("a.ts", text)
  })
  const signIn = (name: Misbehaviour) =>
    client.signIn({ providerId: ProviderId.make(name), methodId: "reference", size: { columns: 80, rows: 16 } })
  return { ...mine, use, signIn, ask: mine.suggest("a.ts", 1, 2, 8) }
})

describe("a page with an agent that misbehaves", { concurrent: true, timeout: 60_000 }, () => {
  it.live("gets only what can be applied, with the reason for the rest, and no file is changed", () =>
    Effect.gen(function* () {
      const wrong: Partial<Record<Misbehaviour, string>> = {
        "overlapping-edits": "has edits that overlap",
        "out-of-range": "has edits behind the end of the file",
        "inside-a-character": "begins or ends within a character",
        "inverted-range": "has a range that ends before it begins",
        "unknown-kind": "is of an unknown kind",
        "duplicate-ids": "has the id of another suggestion",
        "wrong-uri": "is about a file that is left alone",
        "huge-text": "is longer, or has more edits, than is taken",
        // All kinds can be shown.
        "kinds-not-offered": "",
        ten: "is beyond the 20 that are taken of one answer"
      }
      const { client, cwd } = yield* setUp(settingsOf("--misbehave", Object.keys(wrong).join(",")))
      const file = join(cwd, "a.ts")
      writeFileSync(file, text)
      const mine = yield* page(client)
      yield* mine.open("a.ts", text)
      const { dropped, suggestions } = given(yield* mine.suggest("a.ts", 1, 2, 8))
      const said = dropped.map(({ why }) => why).join("\n")
      for (const why of Object.values(wrong)) assert.include(said, why)
      assert.isAtMost(suggestions.length, 20)
      assert.strictEqual(new Set(suggestions.map(({ id }) => id)).size, suggestions.length)
      assert.includeMembers(
        suggestions.map(({ kind }) => kind),
        ["edit", "jump", "rename", "searchAndReplace"]
      )
      for (const { path } of suggestions) assert.strictEqual(path, "a.ts")
      for (const { id } of suggestions) assert.isTrue(yield* mine.end(id, "rejected"))
      assert.strictEqual(readFileSync(file, "utf8"), text)
    }).pipe(Effect.scoped)
  )

  it.live(
    "learns why there is nothing, and may go on: no such method, no sign-in, slow, no answer, a pattern without end",
    () =>
      Effect.gen(function* () {
        const { ask, next, places, report, signIn, suggest, use } = yield* setUpWith(
          "no-such-method",
          "sign-in",
          "slow",
          "never",
          "slow-pattern",
          "stale-version"
        )
        for (const [name, title] of [
          ["no-such-method", "Agent no-such-method makes no suggestions."],
          ["sign-in", /sign/i]
        ] as const) {
          yield* use(name)
          const refused = yield* Effect.flip(ask)
          if (refused._tag !== "Refused") return assert.fail(refused._tag)
          assert.match(refused.problem.title, typeof title === "string" ? new RegExp(`^${title}$`) : title)
          const { state } = yield* next("state", ({ state }) => state.type === "failed")
          assert.deepInclude(state, { problem: refused.problem })
        }
        // Once somebody has signed in, wherever that was, the page hears of it, and gets an answer.
        yield* Stream.runDrain(signIn("sign-in"))
        yield* next("signedIn")
        assert.lengthOf(given(yield* ask).suggestions, 1)

        yield* use("slow")
        assert.isAtLeast(given(yield* ask).latencyMs, 300)

        yield* use("never")
        const waiting = yield* Effect.forkScoped(ask)
        yield* next("state", ({ state }) => state.type === "asking")
        yield* report({ type: "changed", path: "a.ts", version: 2, changes: [insert(0, 0, "x")] })
        assert.deepStrictEqual(yield* Fiber.join(waiting), { type: "overtaken" })
        // So does a page that goes on without an answer.
        const left = yield* Effect.forkScoped(suggest("a.ts", 2, 2, 8))
        yield* next("state", ({ state }) => state.type === "asking")
        yield* Fiber.interrupt(left)
        yield* next("state", ({ state }) => state.type === "idle")

        yield* use("stale-version")
        yield* ask
        // What it says of the text before fits this one, too.
        yield* report({ type: "changed", path: "a.ts", version: 2, changes: [insert(3, 0, "#")] })
        const [stale] = given(yield* suggest("a.ts", 2, 2, 8)).suggestions
        assert.deepInclude(stale, { kind: "edit", path: "a.ts" })
        assert.deepInclude(stale, { edits: [{ range: { start: at(2, 8), end: at(2, 8) }, newText: "e.log(first)" }] })

        yield* use("slow-pattern")
        yield* report({ type: "changed", path: "a.ts", version: 2, changes: [{ text: `${"word ".repeat(40)}!` }] })
        const [pattern] = given(yield* suggest("a.ts", 2, 0, 0)).suggestions
        const shown = yield* places(pattern?.id ?? "")
        assert.deepStrictEqual(shown.files, [])
        assert.match(shown.cut ?? "", /^a\.ts was not searched\. The regular expression was stopped/)
      }).pipe(Effect.scoped)
  )

  it.live(
    "loses no keystroke where the agent dies between its suggestion and the end of it, and gets the next agent",
    () =>
      Effect.gen(function* () {
        const { ask, end, next, report, suggest, use } = yield* setUpWith("dies")
        yield* use("dies")
        const [suggestion] = given(yield* ask).suggestions
        const { state } = yield* next("state", ({ state }) => state.type === "failed")
        if (state.type !== "failed") return assert.fail(state.type)
        assert.strictEqual(state.problem.title, "Agent dies ended by itself.")
        assert.include(state.problem.cause, "9")
        assert.isAbove(state.restMs, 0)
        assert.isFalse(yield* end(suggestion?.id ?? "", "accepted"))
        yield* report({ type: "changed", path: "a.ts", version: 2, changes: [insert(2, 8, "e")] })
        const [after] = given(yield* suggest("a.ts", 2, 2, 9)).suggestions
        assert.deepInclude(after, { edits: [{ range: { start: at(2, 9), end: at(2, 9) }, newText: ".log(first)" }] })
      }).pipe(Effect.scoped)
  )

  it.live("hears of an agent that never answers that it did not in time, and may ask again", () =>
    Effect.gen(function* () {
      const { ask, next, use } = yield* setUpWith("never")
      yield* use("never")
      const refused = yield* Effect.flip(ask)
      if (refused._tag !== "Refused") return assert.fail(refused._tag)
      assert.strictEqual(refused.problem.title, "Agent never did not answer in time.")
      assert.strictEqual(refused.problem.cause, "nes/suggest is not answered after 20 s.")
      const { state } = yield* next("state", ({ state }) => state.type === "failed")
      assert.deepInclude(state, { problem: refused.problem })
      const again = yield* Effect.forkScoped(ask)
      yield* next("state", ({ state }) => state.type === "asking")
      yield* Fiber.interrupt(again)
    }).pipe(Effect.scoped)
  )
})
