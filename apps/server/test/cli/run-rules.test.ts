/** `signalbox run` without a person: what rules answer, and what it says where none does. */
import { assert, describe, it } from "@effect/vitest"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CommandWords from "@signalbox/process/CommandWords"
import { assertReadable, eventsOf, play } from "./support/Runs.ts"
import { call, scriptedAgent, start, temporaryFolder } from "./support/Signalbox.ts"

const permission = (toolCallId: string, kind: string, rawInput: object, ...kinds: ReadonlyArray<string>) => ({
  permission: {
    toolCall: { toolCallId, title: toolCallId, kind, rawInput },
    options: (kinds.length === 0 ? ["allow_once", "reject_once"] : kinds).map((each) => ({
      optionId: `the-${each}`,
      name: `Name of ${each}`,
      kind: each
    }))
  }
})

const runs = (command: string, id = "t") => permission(id, "execute", { command })

const setUp = (rules?: ReadonlyArray<object>) => {
  const state = temporaryFolder("state")
  const cwd = realpathSync(temporaryFolder("cwd"))
  if (rules !== undefined) writeFileSync(join(state, "rules.json"), JSON.stringify({ rules }))
  const options = { cwd, env: { SIGNALBOX_STATE_DIR: state } }
  return { state, cwd, signalbox: (args: ReadonlyArray<string>) => call(args, options), options }
}

/** The arguments of the commands that a text names. */
const commandsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split("\n").flatMap((line) => {
    const words = CommandWords.split(line.trim())
    return Result.isSuccess(words) && words.success[0] === "signalbox" && words.success[1] === "rules"
      ? [words.success.slice(1)]
      : []
  })

const quoted = (text: string) => `'${text}'`

const rulesIn = (text: string): ReadonlyArray<unknown> =>
  text.split("\n").flatMap((line) => (line.trim().startsWith('{"effect"') ? [JSON.parse(line.trim())] : []))

describe("signalbox run without a person", () => {
  it.live("refuses what only a person may allow, though a rule and a flag allow it; a rule may deny it", () =>
    Effect.gen(function* () {
      const asked = runs("npm test")
      const forPeople = { permission: { ...asked.permission, _meta: ComponentMeta.forPeople } }
      const allowing = setUp([{ effect: "allow", match: { command: "npm test" } }])
      // The agent asks the same without the mark, and the rule answers.
      assert.include((yield* allowing.signalbox(play([asked], "--approve", "rules"))).stdout, "the-allow_once")
      for (const policy of ["rules", "allow"]) {
        const { stderr, stdout } = yield* allowing.signalbox(play([forPeople], "--approve", policy))
        assert.include(stdout, "permission the-reject_once", policy)
        assert.include(stderr, "Only a person may allow this", policy)
      }
      const denying = setUp([{ effect: "deny", match: { command: "npm test" } }])
      const { stderr } = yield* denying.signalbox(play([forPeople], "--approve", "allow"))
      assert.notInclude(stderr, "Only a person")
    })
  )

  it.live("names the rules that would allow a request; with them added it is allowed", () =>
    Effect.gen(function* () {
      const { cwd, signalbox } = setUp()
      const steps = [
        runs("npm run 'two words' && git log > \"it's.txt\"", "a"),
        permission("b", "edit", { path: join(cwd, "a b.txt"), content: "x" })
      ]
      const before = yield* signalbox(play(steps))
      assert.include(before.stdout, "permission the-reject_once")
      assert.notInclude(before.stdout, "the-allow_once")
      assertReadable(before)
      assert.include(before.stderr, "These rules would allow it together:")
      assert.deepStrictEqual(rulesIn(before.stderr)[0], {
        effect: "allow",
        match: { command: "npm run 'two words'" },
        scope: { workspace: cwd }
      })
      const commands = commandsIn(before.stderr)
      assert.lengthOf(commands, 4)
      for (const command of commands) assert.strictEqual((yield* signalbox(command)).code, 0, command.join(" "))
      const after = yield* signalbox(play(steps, "--approve", "rules"))
      assert.strictEqual(after.stdout, "permission the-allow_once\npermission the-allow_once\n")
      assert.isEmpty(commandsIn(after.stderr))
    })
  )

  it.live("takes the rules of --rules FILE in place of all others, as they are at the start", () =>
    Effect.gen(function* () {
      const { cwd, signalbox } = setUp([{ effect: "allow", match: { command: "npm test" } }])
      const file = join(cwd, "ci.json")
      writeFileSync(file, JSON.stringify({ rules: [] }))
      const steps = [runs("npm test")]
      const before = yield* signalbox(play(steps, "--rules", "ci.json"))
      assert.include(before.stdout, "the-reject_once")
      const [command = []] = commandsIn(before.stderr)
      assert.strictEqual((yield* signalbox(command)).code, 0)
      const after = yield* signalbox(play(steps, "--rules", "ci.json"))
      assert.include(after.stdout, "the-allow_once")
      // The agent changes the file of its own folder before it asks.
      const bold = `sh -c 'printf %s "$0" > ci.json; exec "$@"' ${quoted(JSON.stringify({ rules: [{ effect: "allow", match: {} }] }))} ${scriptedAgent}`
      const taken = yield* signalbox([
        "run",
        "--agent",
        bold,
        "--rules",
        "ci.json",
        JSON.stringify([runs("npm start")])
      ])
      assert.include(readFileSync(file, "utf8"), '"match":{}')
      assert.include(taken.stdout, "the-reject_once")
      const missing = yield* signalbox(play(steps, "--rules", "none.json"))
      assert.deepStrictEqual([missing.code, missing.stdout], [2, ""])
      assert.include(missing.stderr, "none.json does not exist")
      writeFileSync(file, '{\n "rules": [}')
      const faulty = yield* signalbox(play(steps, "--rules", "ci.json"))
      assert.strictEqual(faulty.code, 1)
      assert.match(faulty.stderr, /Line 2/)
    })
  )

  it.live("allows with --approve allow what no rule denies, and says so at the start", () =>
    Effect.gen(function* () {
      const { cwd, signalbox } = setUp([
        { effect: "deny", match: { command: "rm **" } },
        { effect: "ask", match: { command: "git push" } }
      ])
      const steps = ["npm test", "git push", "sh -c 'make'", "npm test && rm -r build", "cat .npmrc", "make $X; rm $Y"]
      const ended = yield* signalbox(
        play(
          [
            ...steps.map((line, index) => runs(line, `t${index}`)),
            permission("u", "edit", { path: join(cwd, ".git/config") })
          ],
          "--approve",
          "allow"
        )
      )
      assert.match(ended.stderr, /^--approve allow: whatever the agent asks for is allowed, unless a rule/)
      const answers = ended.stdout.match(/allow_once|reject_once/g)
      assert.deepStrictEqual(answers, [
        "allow_once",
        "allow_once",
        "allow_once",
        "reject_once",
        "reject_once",
        "reject_once",
        "reject_once"
      ])
      assert.include(ended.stderr, "Rule 1 denies rm -r build.")
      assert.include(ended.stderr, "belongs to Git")
    })
  )

  it.live("rejects with --approve reject what no rule allows", () =>
    Effect.gen(function* () {
      const { signalbox } = setUp([{ effect: "allow", match: { command: "npm test" } }])
      const ended = yield* signalbox(play([runs("npm test", "a"), runs("npm start", "b")], "--approve", "reject"))
      assert.strictEqual(ended.stdout, "permission the-allow_once\npermission the-reject_once\n")
      assert.isEmpty(commandsIn(ended.stderr))
    })
  )

  it.live("lets no permission profile allow anything with rules and reject, other than by default", () =>
    Effect.gen(function* () {
      const { cwd, signalbox, state } = setUp()
      const [command = "", ...args] = Result.getOrThrow(CommandWords.split(scriptedAgent))
      const agents = { mine: { command, args, permissions: "allow-reads" } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }))
      writeFileSync(join(cwd, "a"), "")
      const steps = JSON.stringify([permission("t", "read", { path: join(cwd, "a") })])
      for (const [flags, answer] of [
        [["--approve", "rules"], "the-reject_once"],
        [["--approve", "reject"], "the-reject_once"],
        [[], "the-allow_once"]
      ] as const)
        assert.include((yield* signalbox(["run", "--provider", "mine", ...flags, steps])).stdout, answer)
    })
  )

  it.live("rejects what a rule asks about, and names that rule", () =>
    Effect.gen(function* () {
      const { signalbox } = setUp([{ effect: "ask", match: { command: "npm publish" } }])
      const ended = yield* signalbox(play([runs("npm publish")], "--approve", "rules"))
      assert.include(ended.stdout, "the-reject_once")
      assert.include(ended.stderr, "Rule 1 asks about npm publish.")
      assert.include(ended.stderr, "Only people can allow it")
    })
  )

  it.live("rejects everything while its rules can't be understood, and says where the fault is", () =>
    Effect.gen(function* () {
      const { signalbox, state } = setUp()
      writeFileSync(join(state, "rules.json"), '{\n  "rules": [\n    { "effect": "deny" }\n  ]\n}')
      for (const approve of ["rules", "allow"]) {
        const ended = yield* signalbox(play([runs("npm test")], "--approve", approve))
        assert.include(ended.stdout, "the-reject_once", approve)
        assert.include(ended.stderr, "rules.json can't be understood")
        assert.match(ended.stderr, /[Ll]ine 3, rules\[0\]\.match/)
      }
      const doctor = yield* signalbox(["doctor"])
      assert.strictEqual(doctor.code, 1)
      assert.match(
        doctor.stdout,
        /Rules +error: The rules in .*rules\.json are not in force\.[^]*Line 3, rules\[0\]\.match/
      )
    })
  )

  it.live("carries the rules that would be needed in the events of --json", () =>
    Effect.gen(function* () {
      const { signalbox } = setUp()
      const ended = yield* signalbox(play([runs("npm test")], "--json"))
      const [request] = eventsOf(ended).flatMap((event) => (event.type === "approval.requested" ? [event.request] : []))
      assert.deepStrictEqual(request?.offers, [{ command: "npm test" }])
      assert.notInclude(ended.stderr, "signalbox rules add")
    })
  )

  it.live("uses a rule for one request up before the agent has the answer, also when it is killed right then", () =>
    Effect.gen(function* () {
      const { options, signalbox, state } = setUp([{ effect: "allow", match: { command: "npm test" }, until: "once" }])
      const running = yield* start(play([runs("npm test"), { waitForCancel: true }], "--json"), options)
      yield* running.says(/permission the-allow_once/)
      running.kill("SIGKILL")
      yield* running.ended
      assert.lengthOf(readdirSync(join(state, "used-rules")), 1)
      const after = yield* signalbox(play([runs("npm test")]))
      assert.include(after.stdout, "the-reject_once")
      assert.match((yield* signalbox(["rules", "list"])).stdout, /allow +command npm test .*used/)
      // Added again, it counts again.
      for (const args of [
        ["remove", "1"],
        ["add", "allow", "--command", "npm test", "--until", "once"]
      ])
        assert.strictEqual((yield* signalbox(["rules", ...args])).code, 0)
      assert.include((yield* signalbox(play([runs("npm test")]))).stdout, "the-allow_once")
    })
  )

  it.live("uses it once in two runs at the same time", () =>
    Effect.gen(function* () {
      const { signalbox } = setUp([{ effect: "allow", match: { command: "npm test" }, until: "once" }])
      const both = yield* Effect.all([signalbox(play([runs("npm test")])), signalbox(play([runs("npm test")]))], {
        concurrency: 2
      })
      assert.lengthOf(
        both.filter(({ stdout }) => stdout.includes("the-allow_once")),
        1
      )
    })
  )
})
