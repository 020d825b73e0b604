/** The one place that judges for a session: each kind of request, and who decided. */
import { assert, describe, it } from "@effect/vitest"
import type { Rule } from "@signalbox/contracts/Rule"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import * as RulesProblem from "../../src/rules/RulesProblem.ts"
import * as SessionJudge from "../../src/rules/SessionJudge.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const setUp = Effect.fnUntraced(function* (...rules: ReadonlyArray<Rule>) {
  const stateFolder = temporaryFolder("state")
  const cwd = realpathSync(temporaryFolder("project"))
  writeFileSync(join(stateFolder, "rules.json"), JSON.stringify({ rules }))
  const inForce = yield* RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
  const faults: Array<string> = []
  const session: SessionJudge.Session = {
    agent: "a",
    cwd,
    own: [stateFolder],
    session: "s1",
    surroundings: { base: cwd, shell: "sh" },
    onFault: (file, isUnknown) => faults.push(RulesProblem.noteOf(file, isUnknown))
  }
  const { decide } = yield* SessionJudge.make(session, inForce)
  return { cwd, stateFolder, judge: decide, faults }
})

const verdict = ({ by, effect, why }: SessionJudge.Judgement) => [effect, by, why]

const program = (cwd: string, command: string, args: ReadonlyArray<string> = [], isLine = false) =>
  ({ type: "program", program: { command, args, env: {}, cwd, isLine } }) as const

describe("a session's judge", () => {
  it.live("judges a file by where its path leads", () =>
    Effect.gen(function* () {
      const { cwd, judge } = yield* setUp({ effect: "deny", match: { kind: "read", path: "secret/**" } })
      mkdirSync(join(cwd, "secret"))
      symlinkSync(join(cwd, "secret"), join(cwd, "open"))
      const said = yield* judge({ type: "file", access: "read", path: join(cwd, "open", "a") })
      assert.deepStrictEqual(verdict(said), ["deny", "rule", `Rule 1 denies ${join(cwd, "open", "a")}.`])
      const written = yield* judge({ type: "file", access: "write", path: join(cwd, "open", "a") })
      assert.deepStrictEqual([written.effect, written.by], ["ask", "nobody"])
      const hook = yield* judge({ type: "file", access: "write", path: join(cwd, ".git", "hooks", "x") })
      assert.deepStrictEqual([hook.effect, hook.by], ["deny", "built-in"])
    })
  )

  it.live("judges a program by its own words, and a line by the commands in it", () =>
    Effect.gen(function* () {
      const { cwd, judge } = yield* setUp(
        { effect: "deny", match: { command: "rm **" } },
        { effect: "allow", match: { command: "echo **" } }
      )
      assert.strictEqual((yield* judge(program(cwd, "echo", ["&&", "rm", "x"]))).effect, "allow")
      assert.strictEqual((yield* judge(program(cwd, "echo a && rm x", [], true))).effect, "deny")
      assert.strictEqual((yield* judge(program(cwd, "rm", ["a b"]))).effect, "deny")
      const changed = yield* judge({
        type: "program",
        program: { command: "echo", args: [], env: { PATH: "." }, cwd, isLine: false }
      })
      assert.deepStrictEqual([changed.effect, changed.inspectable], ["ask", false])
      const unreadable = yield* judge(program(cwd, "echo", ["a\0b"]))
      assert.deepStrictEqual([unreadable.effect, unreadable.inspectable], ["ask", false])
    })
  )

  it.live("judges addresses, MCP servers and the agent's own program by their own members", () =>
    Effect.gen(function* () {
      const { judge } = yield* setUp(
        { effect: "deny", match: { host: "*.example.org" } },
        { effect: "deny", match: { kind: "start", server: "files" } },
        { effect: "deny", match: { command: "**" } },
        { effect: "deny", match: { kind: "execute" } }
      )
      const effect = (asked: SessionJudge.Asked) => Effect.map(judge(asked), (said) => said.effect)
      assert.strictEqual(yield* effect({ type: "address", url: "https://a.example.org/x" }), "deny")
      assert.strictEqual(yield* effect({ type: "address", url: "https://example.com/" }), "ask")
      assert.strictEqual(yield* effect({ type: "server", name: "files" }), "deny")
      assert.strictEqual(yield* effect({ type: "server", name: "b", url: "https://b.example.org" }), "deny")
      assert.strictEqual(yield* effect({ type: "server", name: "b" }), "ask")
      assert.strictEqual(yield* effect({ type: "agent" }), "ask")
    })
  )

  it.live("asks about everything while a file can't be understood that was never read before, and says so once", () =>
    Effect.gen(function* () {
      const { cwd, faults, judge, stateFolder } = yield* setUp()
      const file = join(stateFolder, "rules.json")
      writeFileSync(file, '{\n  "rules": [{ "effect": "alow", "match": {} }]\n}')
      for (const asked of [program(cwd, "true"), { type: "file", access: "read", path: "a" } as const]) {
        const { by, effect, isBlind, why } = yield* judge(asked)
        assert.deepStrictEqual([effect, by, isBlind], ["ask", "built-in", true])
        assert.match(
          why,
          /rules\.json can't be understood, so nobody knows what it denies: line 2, rules\[0\]\.effect: /
        )
      }
      // A built-in rule denies as before.
      assert.strictEqual((yield* judge({ type: "file", access: "write", path: ".git/config" })).effect, "deny")
      assert.lengthOf(faults, 1)
      assert.match(faults[0] ?? "", /you are asked about everything/)
      writeFileSync(file, JSON.stringify({ rules: [{ effect: "allow", match: { command: "true" } }] }))
      assert.strictEqual((yield* judge(program(cwd, "true"))).effect, "allow")
      writeFileSync(file, "{")
      assert.strictEqual((yield* judge(program(cwd, "true"))).effect, "allow")
      assert.match(faults[1] ?? "", /were read before stay in force/)
      assert.lengthOf(faults, 2)
    })
  )

  it.live("uses a rule up that denies once", () =>
    Effect.gen(function* () {
      const { cwd, judge } = yield* setUp({ effect: "deny", match: { command: "rm **" }, until: "once" })
      const said = yield* Effect.all([judge(program(cwd, "rm")), judge(program(cwd, "rm"))], { concurrency: 2 })
      assert.deepStrictEqual(said.map(({ effect }) => effect).toSorted(), ["ask", "deny"])
    })
  )
})
