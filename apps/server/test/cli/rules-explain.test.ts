/** `signalbox rules explain` and `test`: what rules make of a request. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./support/Runs.ts"
import { call, type Options, temporaryFolder } from "./support/Signalbox.ts"

const vitest = { effect: "allow", match: { command: "pnpm vitest **" }, why: "Tests" }
const sources = { effect: "allow", match: { kind: "edit", path: "src/**" } }
const rm = { effect: "deny", match: { command: "rm **", agent: "cursor" } }

const setUp = (...rules: ReadonlyArray<object>) => {
  const project = realpathSync(temporaryFolder("project"))
  const file = join(project, "my-rules.json")
  writeFileSync(file, JSON.stringify({ rules }, null, 2))
  const signalbox = (args: ReadonlyArray<string>, options: Options & { readonly input?: string } = {}) =>
    Effect.tap(call(["rules", ...args], { cwd: project, ...options }), (ended) =>
      Effect.sync(() => assertReadable(ended))
    )
  /** The verdict, which has to be one line whatever it is. */
  const verdict = (args: ReadonlyArray<string>, input?: string) =>
    Effect.map(
      signalbox(["explain", "--rules", file, "--json", ...args], input === undefined ? {} : { input }),
      ({ code, stderr, stdout }) => {
        assert.strictEqual(code, 0, stderr)
        assert.match(stdout, /^[^\n]+\n$/)
        return JSON.parse(stdout)
      }
    )
  return { project, file, signalbox, verdict }
}

describe("signalbox rules explain", () => {
  it.live("judges each part of a command, names the rule, and runs nothing", () =>
    Effect.gen(function* () {
      const { file, project, verdict } = setUp(vitest, sources, rm)
      const command = "pnpm vitest a.ts && rm -r build > out.txt"
      const found = yield* verdict(["--command", command])
      assert.deepInclude(found, { effect: "deny", inspectable: true })
      assert.deepInclude(found.rule, { source: "user", number: 3, file, effect: "deny", match: rm.match })
      assert.isNumber(found.rule.line)
      assert.isString(found.why)
      assert.deepStrictEqual(
        found.commands.map(({ effect, rule, words }: Record<string, unknown>) => [words, effect, rule === null]),
        [
          [["pnpm", "vitest", "a.ts"], "allow", false],
          [["rm", "-r", "build"], "deny", false]
        ]
      )
      assert.strictEqual(found.commands[0].rule.why, "Tests")
      const [out] = found.paths
      assert.deepInclude(out, { path: "out.txt", leadsTo: join(project, "out.txt"), access: "write", effect: "ask" })
      assert.isFalse(existsSync(join(project, "out.txt")))

      const other = yield* verdict(["--agent", "gemini", "--command", "rm -r build"])
      assert.deepInclude(other, { effect: "ask", rule: null })
    })
  )

  it.live("has one line and exit code 0 for every text that may be asked for", () =>
    Effect.gen(function* () {
      const { project, verdict } = setUp(vitest)
      for (const command of ["", "--json", "-rf x", "--", "$(", "'", "sudo pnpm vitest", "\u202ex\ny"])
        assert.strictEqual((yield* verdict(["--command", command])).effect, "ask", command)
      assert.isFalse((yield* verdict(["--command", "sudo pnpm vitest"])).inspectable)
      for (const input of ["pnpm vitest\n", `pnpm vitest ${"x".repeat(2 ** 20)}`, "$(".repeat(2 ** 19)]) {
        const { effect, inspectable } = yield* verdict(["--command", "-"], input)
        assert.deepStrictEqual([effect, inspectable], input.length < 100 ? ["allow", true] : ["ask", false])
      }
      const request = join(project, "request.json")
      for (const text of [
        "",
        "{",
        "[]",
        "4",
        '{"command":4}',
        "[".repeat(2 ** 20),
        `{"command":"${"a;".repeat(2 ** 19)}"}`
      ]) {
        writeFileSync(request, text)
        assert.strictEqual((yield* verdict(["--request", request])).effect, "ask", text.slice(0, 20))
      }
    })
  )

  it.live("takes a request as an agent sends it, or only what matters of it", () =>
    Effect.gen(function* () {
      const { project, verdict } = setUp(vitest, sources, rm)
      const toolCall = { toolCallId: "1", kind: "execute", title: "ls", rawInput: { command: "rm -r build" } }
      const params = { sessionId: "1", toolCall, options: [] }
      const requests: ReadonlyArray<readonly [unknown, string]> = [
        [{ jsonrpc: "2.0", id: 1, method: "session/request_permission", params }, "deny"],
        [params, "deny"],
        [toolCall, "deny"],
        [{ command: "rm -r build" }, "deny"],
        [{ command: "pnpm vitest" }, "allow"],
        [{ kind: "edit", path: "src/a.ts" }, "allow"],
        [{ kind: "edit", path: "src/../a.ts" }, "ask"],
        [{ kind: "delete", path: "src/a.ts" }, "ask"]
      ]
      mkdirSync(join(project, "src"))
      for (const [request, effect] of requests)
        assert.strictEqual(
          (yield* verdict(["--request", "-"], JSON.stringify(request))).effect,
          effect,
          JSON.stringify(request)
        )
    })
  )

  it.live("is readable without --json", () =>
    Effect.gen(function* () {
      const { file, signalbox } = setUp(vitest, rm)
      const { code, stdout } = yield* signalbox(["explain", "--rules", file, "--command", "pnpm vitest && rm -r build"])
      assert.strictEqual(code, 0)
      const lines = stdout.split("\n")
      assert.strictEqual(lines[0], "deny: Rule 2 denies rm -r build.")
      assert.match(lines[1] ?? "", /^ {2}\S+my-rules\.json:\d+: deny command rm \*\*, agent cursor, everywhere$/)
      assert.match(stdout, /^allow +pnpm vitest +Rule 1 allows pnpm vitest\. +\S+:\d+$/m)
    })
  )

  it.live("needs one request, and rules without a fault", () =>
    Effect.gen(function* () {
      const { file, project, signalbox } = setUp()
      assert.strictEqual((yield* signalbox(["explain"])).code, 2)
      assert.strictEqual((yield* signalbox(["explain", "--command", "x", "--request", "y"])).code, 2)
      const unreadable = yield* signalbox(["explain", "--request", join(project, "none")])
      assert.strictEqual(unreadable.code, 2)
      assert.include(unreadable.stderr, "it does not exist")
      const missing = yield* signalbox(["explain", "--rules", join(project, "none"), "--command", "ls"])
      assert.strictEqual(missing.code, 2)
      assert.include(missing.stderr, "does not exist")
      writeFileSync(file, '{ "rules": [\n')
      const faulty = yield* signalbox(["explain", "--rules", file, "--json", "--command", "ls"])
      assert.deepInclude(faulty, { code: 1, stdout: "" })
      assert.include(faulty.stderr, "Line 2, column 1: Expected ]")
    })
  )
})

describe("signalbox rules test", () => {
  it.live("tries each example, and names those that come out otherwise", () =>
    Effect.gen(function* () {
      const right = { effect: "allow", command: "pnpm vitest a.ts" }
      const wrong = { effect: "deny", command: "pnpm install" }
      const { file, project, signalbox } = setUp(
        { ...vitest, examples: [right, wrong] },
        {
          ...sources,
          examples: [
            { effect: "allow", path: "src/a.ts" },
            { effect: "ask", path: "../a.ts" }
          ]
        },
        { ...rm, scope: { thread: "t" }, examples: [{ effect: "deny", command: "rm x" }] }
      )
      const tried = yield* signalbox(["test", "--rules", file])
      assert.strictEqual(tried.code, 1)
      assert.match(
        tried.stdout,
        /^\S+my-rules\.json:\d+: example 2 of rule 1 \(pnpm install\) expects deny, and it is ask: .+\n$/
      )
      assert.include(tried.stderr, "5 examples were tried. 1 of them differs.")
      const json = (yield* signalbox(["test", "--rules", file, "--json"])).stdout.trimEnd().split("\n")
      assert.deepStrictEqual(
        json.map((line) => JSON.parse(line).isRight),
        [true, false, true, true, true]
      )
      writeFileSync(file, JSON.stringify({ rules: [{ ...vitest, examples: [right] }] }))
      const fine = yield* signalbox(["test", "--rules", file])
      assert.deepInclude(fine, { code: 0, stdout: "", stderr: "1 example was tried. All come out as expected.\n" })
      assert.strictEqual((yield* signalbox(["test"])).stderr, "No rule has examples.\n")
      assert.strictEqual((yield* signalbox(["test", "--rules", join(project, "none")])).code, 2)
    })
  )
})
