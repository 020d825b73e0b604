/** The rules that are offered for a request: they allow it, and nothing else of its kind. */
import { assert, describe, it } from "@effect/vitest"
import type { Rule } from "@signalbox/contracts/Rule"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { Timestamp } from "@signalbox/contracts/Ids"
import { readInput } from "@signalbox/contracts/ToolInput"
import * as Offers from "@signalbox/permission/rules/Offers"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CallJudging from "../../src/cli/rules/CallJudging.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const setUp = () => {
  const cwd = realpathSync(temporaryFolder("project"))
  const outside = realpathSync(temporaryFolder("outside"))
  mkdirSync(join(cwd, "src"))
  writeFileSync(join(cwd, "src", "a b.ts"), "")
  symlinkSync(outside, join(cwd, "link"))
  return { cwd, outside, own: [] }
}

type Here = ReturnType<typeof setUp>

const callOf = (kind: ToolCall["kind"], input: object): ToolCall => ({
  toolCallId: "",
  title: "",
  status: "pending",
  kind,
  subject: readInput(kind, input, []).subject,
  diffs: [],
  content: [],
  locations: [],
  rawInput: JSON.stringify(input),
  startedAt: Timestamp.make(0)
})

const judge = (here: Here, call: ToolCall, ...rules: ReadonlyArray<Rule>) => {
  const text = JSON.stringify({ rules })
  const { faults, rules: placed } = RulesText.read("/r.json", text, { source: "user", folder: undefined, now: 0 })
  assert.isEmpty(faults)
  return CallJudging.judge(placed, { agent: "a", cwd: here.cwd, own: here.own }, call)
}

const offersFor = (here: Here, call: ToolCall, ...rules: ReadonlyArray<Rule>) =>
  Effect.map(judge(here, call, ...rules), Offers.of)

const run = (command: string) => callOf("execute", { command })

const allowing = (matches: ReadonlyArray<Rule["match"]>, cwd: string): ReadonlyArray<Rule> =>
  matches.map((match) => ({ effect: "allow", match, scope: { workspace: cwd } }))

describe("the rules that are offered", () => {
  it.live("allow the request once they are added, all of them together", () =>
    Effect.gen(function* () {
      const here = setUp()
      const calls = [
        run("npm test"),
        run("npm test && npm run build | tee log.txt"),
        {
          ...callOf("other", { server: "tickets", tool: "add", args: {} }),
          diffs: [{ path: join(here.cwd, "src", "a.ts"), oldText: null, newText: "" }],
          locations: [{ path: join(here.cwd, "src", "a.ts") }]
        },
        run(`git commit -m "it's \\"new\\"" --author 'A B'`),
        run("echo '' \"'\" '\"' a\\ b"),
        run("./tool.sh --x='a b' > out.txt 2>> 'err or.txt'"),
        run("(cd src && ls); if true; then make; fi"),
        callOf("edit", { path: join(here.cwd, "src", "a b.ts"), content: "x" }),
        callOf("edit", { path: join(here.cwd, "link", "new.ts"), content: "x" }),
        callOf("read", { path: "src/a b.ts" }),
        callOf("other", { server: "tickets", toolName: "close", args: { id: 1 } }),
        callOf("fetch", { url: "https://example.org/a" })
      ]
      for (const call of calls) {
        const offers = (yield* offersFor(here, call)) ?? []
        assert.isNotEmpty(offers, call.rawInput)
        const after = yield* judge(here, call, ...allowing(offers, here.cwd))
        assert.strictEqual(after.effect, "allow", `${call.rawInput} ${JSON.stringify(offers)} ${after.why}`)
        for (const missing of offers) {
          const others = allowing(
            offers.filter((offer) => offer !== missing),
            here.cwd
          )
          assert.strictEqual((yield* judge(here, call, ...others)).effect, "ask", "each of them is needed")
        }
      }
    })
  )

  it.live("are about this request alone", () =>
    Effect.gen(function* () {
      const here = setUp()
      const offers = (yield* offersFor(here, run("npm run 'a b'"))) ?? []
      assert.deepStrictEqual(offers, [{ command: "npm run 'a b'" }])
      for (const other of ["npm run a b", "npm run 'a b' c", "npm run", "npx run 'a b'"])
        assert.strictEqual((yield* judge(here, run(other), ...allowing(offers, here.cwd))).effect, "ask", other)
      assert.deepStrictEqual(
        yield* offersFor(here, callOf("edit", { path: join(here.cwd, "link", "n"), content: "" })),
        [{ kind: "edit", path: join(here.outside, "n") }]
      )
    })
  )

  it.live("are none where a rule can't help: nobody sees through it, a rule asks, or it is built in", () =>
    Effect.gen(function* () {
      const here = setUp()
      const asks: Rule = { effect: "ask", match: { command: "npm publish" } }
      const calls = [
        "sudo make",
        "sh -c 'make'",
        "make $TARGET",
        "PATH=. make",
        "cd / && make",
        "npm test && npm publish",
        "echo '**'",
        // Only a wider rule could be about these.
        "rm src/*.log",
        "echo 'a*b'",
        "cat .npmrc",
        "echo 'a\nb'",
        "echo a\u200bb",
        "echo x > 'a\u202eb'",
        "echo x > .git/hooks/pre-commit",
        ""
      ]
      for (const line of calls) assert.isUndefined(yield* offersFor(here, run(line), asks), line)
      assert.isUndefined(yield* offersFor(here, callOf("edit", { path: join(here.cwd, "src", "*.ts"), content: "" })))
      assert.isUndefined(yield* offersFor(here, callOf("other", {})))
      assert.isUndefined(yield* offersFor(here, run("make"), { effect: "allow", match: { command: "make" } }))
    })
  )
})
