/** The one place that judges for a session: each kind of request, and who decided. */
import { assert, describe, it } from "@effect/vitest"
import type { Rule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import * as SessionJudge from "../../src/rules/SessionJudge.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const setUp = Effect.fnUntraced(function* (...rules: ReadonlyArray<Rule>) {
  const stateFolder = temporaryFolder("state")
  const cwd = realpathSync(temporaryFolder("project"))
  writeFileSync(join(stateFolder, "rules.json"), JSON.stringify({ rules }))
  const inForce = yield* RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
  const session = { agent: "a", cwd, own: [stateFolder], surroundings: { base: cwd, shell: "sh" } }
  return { cwd, judge: SessionJudge.make(session, inForce).judge }
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
})
