/** Rules over the wire of a real server, compared with the files and with what the command line says. */
import { assert, describe, it } from "@effect/vitest"
import type { RuleRef } from "@signalbox/contracts/Judgement"
import { ThreadId } from "@signalbox/contracts/Ids"
import type { NewRule, RulesFileReport, RulesReport } from "@signalbox/contracts/Rules"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"

const setUp = Effect.gen(function* () {
  const state = temporaryFolder("state")
  const project = realpathSync(temporaryFolder("project"))
  const { client } = yield* served(state)
  const rules = (...args: ReadonlyArray<string>) =>
    call(["rules", ...args, "--cwd", project], { env: { SIGNALBOX_STATE_DIR: state } })
  const reports = yield* Queue.unbounded<RulesReport>()
  yield* client.watchRules({ folders: [project] }).pipe(
    Stream.runForEach((report) => Queue.offer(reports, report)),
    Effect.forkScoped
  )
  /** The first report in which a file is so. */
  const until = (path: string, is: (file: RulesFileReport) => boolean) =>
    Queue.take(reports).pipe(
      Effect.map(({ files }) => files.filter((file) => file.path === path && is(file))),
      Effect.repeat({ until: ({ length }) => length > 0 }),
      Effect.flatMap(([file]) => Effect.fromNullishOr(file))
    )
  const own = join(state, "rules.json")
  const shared = join(project, ".signalbox", "rules.json")
  return { state, project, client, rules, until, own, shared }
})

const refusalOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => (error instanceof Refused ? error.message : String(error)))

describe("rules over the wire", () => {
  it.live("a rule that is added is in the file, in the report, and in force", () =>
    Effect.gen(function* () {
      const { client, own, project, rules, until } = yield* setUp
      writeFileSync(own, '{ // mine\n  "rules": []\n}\n', { mode: 0o600 })
      const link = join(temporaryFolder("links"), "link")
      symlinkSync(project, link)
      const add = (rule: NewRule) => client.addRule(rule)
      const first = yield* add({
        rule: { effect: "allow", match: { command: "pnpm vitest **" }, why: "Tests" },
        place: { type: "folder", folder: link }
      })
      const second = yield* add({
        rule: { effect: "deny", match: { path: "~/.ssh/**" } },
        place: { type: "always" }
      })
      const third = yield* add({
        rule: { effect: "allow", match: { command: "**" } },
        place: { type: "thread", threadId: ThreadId.make("t1") }
      })
      assert.deepStrictEqual([first.warnings, second.warnings], [[], []])
      assert.deepStrictEqual(third.warnings, ["It allows every command, like the profile bypass"])
      assert.strictEqual(first.ref.text, `allow command pnpm vitest **, in ${project}`)
      const text = readFileSync(own, "utf8")
      assert.match(text, /^\{ \/\/ mine$/m)
      assert.include(text, `"workspace": ${JSON.stringify(project)}`)
      assert.include(text, '"scope": { "thread": "t1" }')

      const file = yield* until(own, ({ rules }) => rules.length === 3)
      assert.deepStrictEqual(
        file.rules.map(({ ref }) => ref),
        [first.ref, second.ref, third.ref]
      )
      const listed = (yield* rules("list", "--json")).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        listed.map(({ effect, line, match, number }) => ({ effect, line, match, number })),
        file.rules.map(({ ref: { line, number }, rule: { effect, match } }) => ({ effect, line, match, number }))
      )

      const explain = (command: string, threadId?: ThreadId) =>
        client.explainCommand({ command, agent: "cursor", cwd: project, ...(threadId !== undefined && { threadId }) })
      for (const command of ["pnpm vitest run && cat ~/.ssh/id", "pnpm vitest run", "rm a | x $(y)", "", "sudo ls"]) {
        const said = JSON.parse((yield* rules("explain", "--json", "--command", command)).stdout)
        const judged = yield* explain(command)
        const short = ({ effect, why }: { readonly effect: string; readonly why: string }) => ({ effect, why })
        assert.deepStrictEqual(short(judged), short(said), command)
        assert.strictEqual(judged.inspectable, said.inspectable)
        assert.deepStrictEqual(judged.commands.map(short), said.commands.map(short))
        assert.deepStrictEqual(judged.paths.map(short), said.paths.map(short))
        const ruleOf = (rule?: { readonly source: string; readonly line?: number }) => [rule?.source, rule?.line ?? 0]
        assert.deepStrictEqual(ruleOf(judged.rule), ruleOf(said.rule ?? undefined))
      }
      assert.strictEqual((yield* explain("whatever")).effect, "ask")
      assert.strictEqual((yield* explain("whatever", ThreadId.make("t1"))).effect, "allow")
    })
  )

  it.live("a file with a fault is not changed, and its earlier rules stay in the report", () =>
    Effect.gen(function* () {
      const { client, own, until } = yield* setUp
      const rule: NewRule = { rule: { effect: "deny", match: { tool: "a" } }, place: { type: "always" } }
      const { ref } = yield* client.addRule(rule)
      yield* until(own, ({ rules }) => rules.length === 1)
      const broken = `${readFileSync(own, "utf8")}]`
      writeFileSync(own, broken)
      const file = yield* until(own, ({ state }) => state === "faulty")
      assert.isAbove(file.faults.length, 0)
      assert.deepStrictEqual(
        file.rules.map((one) => one.ref),
        [ref]
      )
      const [fault] = file.faults
      assert.include(yield* refusalOf(client.addRule(rule)), `Line ${fault?.line}, `)
      assert.include(yield* refusalOf(client.removeRule({ rule: ref })), "not in force")
      assert.strictEqual(readFileSync(own, "utf8"), broken)
    })
  )

  it.live("a rule is removed only where the caller saw it", () =>
    Effect.gen(function* () {
      const { client, own, until } = yield* setUp
      const add = (tool: string) => client.addRule({ rule: { effect: "ask", match: { tool } } })
      const a = yield* add("a")
      const b = yield* add("b")
      const moved = readFileSync(own, "utf8").replace('"rules"', '\n"rules"')
      writeFileSync(own, moved)
      const other: RuleRef = { ...a.ref, file: join(own, "x") }
      for (const rule of [b.ref, other]) {
        assert.include(yield* refusalOf(client.removeRule({ rule })), "It no longer stands in line")
        assert.strictEqual(readFileSync(own, "utf8"), moved)
      }
      const [first] = (yield* until(own, ({ rules }) => rules[0]?.ref.line === a.ref.line + 1)).rules
      assert.isDefined(first)
      yield* client.removeRule({ rule: first.ref })
      const left = yield* until(own, ({ rules }) => rules.length === 1)
      assert.strictEqual(left.rules[0]?.ref.id, b.ref.id)
      // The next rule may have moved into its line.
      assert.include(yield* refusalOf(client.removeRule({ rule: first.ref })), "It no longer stands in line")
    })
  )

  it.live("two rules that are added at once are both there", () =>
    Effect.gen(function* () {
      const { client, own } = yield* setUp
      const tools = Array.from({ length: 20 }, (_, index) => `tool${index}`)
      yield* Effect.forEach(tools, (tool) => client.addRule({ rule: { effect: "ask", match: { tool } } }), {
        concurrency: "unbounded"
      })
      const { rules } = JSON.parse(readFileSync(own, "utf8"))
      assert.deepStrictEqual(
        new Set(rules.map(({ match }: { readonly match: { readonly tool: string } }) => match.tool)),
        new Set(tools)
      )
    })
  )

  it.live("a project is trusted only as the caller saw its file", () =>
    Effect.gen(function* () {
      const { client, project, rules, shared, until } = yield* setUp
      mkdirSync(join(project, ".signalbox"))
      const text = '{ "rules": [{ "effect": "deny", "match": { "command": "curl **" } }] }'
      writeFileSync(shared, text)
      const seen = yield* until(shared, ({ state }) => state === "untrusted")
      assert.strictEqual(seen.hash, createHash("sha256").update(text).digest("hex"))
      assert.deepStrictEqual([seen.trust, seen.rules[0]?.state, seen.folder], ["never", "untrusted", project])
      writeFileSync(shared, text.replace("curl", "wget"))
      const trust = (path: string, hash: string) => client.trustProject({ path, hash })
      assert.include(yield* refusalOf(trust(shared, seen.hash ?? "")), "has changed since you looked at it")
      assert.include(yield* refusalOf(trust("/etc/passwd", seen.hash ?? "")), "is not where a project has its rules")
      const now = yield* until(shared, ({ hash }) => hash !== seen.hash)
      yield* trust(shared, now.hash ?? "")
      yield* until(shared, ({ state }) => state === "in-force")
      assert.match((yield* rules("list")).stdout, /wget.*in force/)
      yield* client.untrustProject({ path: shared })
      yield* until(shared, ({ state }) => state === "untrusted")
      assert.match((yield* rules("list")).stdout, /wget.*not trusted/)
    })
  )
})
