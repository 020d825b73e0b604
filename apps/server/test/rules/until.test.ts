/** How long rules hold: once, for a session, and up to a moment. */
import { assert, describe, it } from "@effect/vitest"
import type { Rule } from "@signalbox/contracts/Rule"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const server = (stateFolder: string) =>
  RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))

const write = (stateFolder: string, ...rules: ReadonlyArray<Rule>) =>
  writeFileSync(join(stateFolder, "rules.json"), JSON.stringify({ rules }))

const tools = ({ rules }: RulesInForce.Look) => rules.map(({ match }) => match.tool)

const one = (rules: ReadonlyArray<PlacedRule>, tool: string) => rules.filter(({ match }) => match.tool === tool)

const rule = (tool: string, more: Partial<Rule> = {}): Rule => ({ effect: "allow", match: { tool }, ...more })

describe("a rule for one request", () => {
  it.live("is used by one of two requests at once, and stays with that request", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }), rule("b"))
      const { claim, in: look } = yield* server(stateFolder)
      const first = yield* look("/", { request: "r1" })
      const second = yield* look("/", { request: "r2" })
      assert.deepStrictEqual(tools(first), ["b", "a"], "a rule that lasts comes first")
      const won = yield* Effect.all([claim(first.rules, "r1"), claim(second.rules, "r2")], { concurrency: 2 })
      assert.deepStrictEqual(won, [true, false])
      assert.deepStrictEqual(tools(yield* look("/", { request: "r1" })), ["b", "a"])
      assert.deepStrictEqual(tools(yield* look("/", { request: "r2" })), ["b"])
      assert.isTrue(yield* claim(first.rules, "r1"), "the same request again")
    })
  )

  it.live("does not come back after a restart, also if the process died right after", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }))
      const before = yield* server(stateFolder)
      assert.isTrue(yield* before.claim((yield* before.in("/", { request: "r" })).rules, "r"))
      const after = yield* server(stateFolder)
      assert.deepStrictEqual(tools(yield* after.in("/", { request: "r" })), [])
      // Other words around it change nothing. A second rule of the same words counts by itself.
      write(stateFolder, rule("z"), rule("a", { until: "once", why: "why not" }))
      assert.deepStrictEqual(tools(yield* after.in("/")), ["z"])
      write(stateFolder, rule("a", { until: "once" }), rule("a", { until: "once" }))
      assert.deepStrictEqual(tools(yield* after.in("/")), ["a"])
    })
  )

  it.live("is used by one of two processes at once", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }))
      const both = yield* Effect.all([server(stateFolder), server(stateFolder)])
      const looks = yield* Effect.forEach(both, (each) => each.in("/", { request: "r" }))
      const won = yield* Effect.forEach(both, (each, index) => each.claim(looks[index]?.rules ?? [], "r"), {
        concurrency: 2
      })
      assert.lengthOf(won.filter(Boolean), 1)
    })
  )

  it.live("is given back if another rule of the same answer was used meanwhile", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }), rule("b", { until: "once" }))
      const { claim, in: look } = yield* server(stateFolder)
      const { rules } = yield* look("/", { request: "r1" })
      yield* look("/", { request: "r2" })
      assert.isTrue(yield* claim(one(rules, "b"), "r2"))
      assert.isFalse(yield* claim(rules, "r1"))
      assert.deepStrictEqual(tools(yield* look("/", { request: "r3" })), ["a"])
      assert.isTrue(yield* claim(one(rules, "a"), "r3"))
    })
  )

  it.live("answers nothing where its use can't be recorded", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }))
      writeFileSync(join(stateFolder, "used-rules"), "no folder")
      const { claim, in: look } = yield* server(stateFolder)
      const { rules } = yield* look("/", { request: "r" })
      assert.isFalse(yield* claim(rules, "r"))
      assert.deepStrictEqual(tools(yield* look("/", { request: "r" })), [])
    })
  )

  it.live("is another rule in another file", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      const other = temporaryFolder("state")
      write(stateFolder, rule("a", { until: "once" }))
      copyFileSync(join(stateFolder, "rules.json"), join(other, "rules.json"))
      const named = (path: string) =>
        RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder, named: path })))
      for (const folder of [stateFolder, other]) {
        const { claim, in: look } = yield* named(join(folder, "rules.json"))
        assert.isTrue(yield* claim((yield* look("/", { request: "r" })).rules, "r"))
      }
      assert.lengthOf(readdirSync(join(stateFolder, "used-rules")), 2)
    })
  )
})

describe("a rule for a session", () => {
  it.live("holds in the session that it was made in, until that ends", () =>
    Effect.gen(function* () {
      const { addForSession, endSession, in: look } = yield* server(temporaryFolder("state"))
      yield* addForSession("s1", rule("a"))
      yield* addForSession("s1", rule("b", { until: "once" }))
      const here = { session: "s1", request: "r" }
      const { rules } = yield* look("/", here)
      assert.deepStrictEqual(
        rules.map(({ match, scope }) => [match.tool, scope]),
        [
          ["a", { session: "s1" }],
          ["b", { session: "s1" }]
        ]
      )
      assert.deepStrictEqual(tools(yield* look("/", { session: "s2", request: "r" })), [])
      yield* endSession("s1")
      assert.deepStrictEqual(tools(yield* look("/", here)), [])
    })
  )

  it.live("allows nothing in a file if it names no session", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      write(
        stateFolder,
        rule("a", { until: "session" }),
        rule("b", { until: "session", scope: { session: "s1" } }),
        rule("c", { until: "session", effect: "deny" })
      )
      const { in: look } = yield* server(stateFolder)
      assert.deepStrictEqual(tools(yield* look("/")), ["b", "c"])
    })
  )
})

describe("a rule up to a moment", () => {
  const at = (text: string) => TestClock.setTime(Date.parse(text))

  it.effect("stays over when the clock goes back, if it allows something", () =>
    Effect.gen(function* () {
      const stateFolder = temporaryFolder("state")
      mkdirSync(stateFolder, { recursive: true })
      const until = "2026-05-01T12:00:00Z"
      write(stateFolder, rule("a", { until }), rule("d", { until, effect: "deny" }))
      const { in: look } = yield* server(stateFolder)
      yield* at("2026-05-01T11:00:00Z")
      assert.include(tools(yield* look("/")), "a")
      yield* at("2026-05-01T12:00:00Z")
      assert.notInclude(tools(yield* look("/")), "a")
      yield* at("2026-05-01T11:00:00Z")
      assert.notInclude(tools(yield* look("/")), "a")
      assert.include(tools(yield* look("/")), "d", "a rule that denies is in force again")
      // Forward for a moment, and back.
      write(stateFolder, rule("b", { until: "2026-06-01" }))
      assert.deepStrictEqual(tools(yield* look("/")), ["b"])
      yield* at("2030-01-01")
      yield* look("/")
      yield* at("2026-05-01")
      assert.deepStrictEqual(tools(yield* look("/")), [])
      // A rule that was written afterwards is none of that time.
      write(stateFolder, rule("c", { until: "2026-06-01" }))
      assert.deepStrictEqual(tools(yield* look("/")), ["c"])
    })
  )
})
