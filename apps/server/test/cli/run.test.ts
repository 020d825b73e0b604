import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable, eventsOf, play, simulated } from "./support/Runs.ts"
import { call, hasTerminals, type Options, scriptedAgent, start, temporaryFolder } from "./support/Signalbox.ts"

const permission = (...kinds: ReadonlyArray<string>) => ({
  permission: {
    toolCall: { toolCallId: "t1", title: "Write it", kind: "edit", rawInput: { path: "/tmp/x" } },
    options: kinds.map((kind) => ({ optionId: `the-${kind}`, name: `Name of ${kind}`, kind }))
  }
})

describe("signalbox run", () => {
  it.live("[60] ends with a code that says how the turn ended", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>, Options?]> = [
        [0, /^session: /m, play([{ text: "fine" }])],
        [1, /Broken inside/, play([{ error: { code: -32603, message: "Broken inside", data: { why: "disk" } } }])],
        [1, /Exit code: 7[\s\S]*last words/, play([{ stderr: "last words" }, { wait: 100 }, { crash: 7 }])],
        [1, /no-such-agent/, ["run", "--agent", "/no-such-agent", "hello"]],
        [
          4,
          /refused to go on \(refusal\)\. It knows nothing of this prompt in the turns to come\./,
          play([{ stop: "refusal" }])
        ],
        [4, /max_tokens/, play([{ stop: "max_tokens" }])],
        [5, /Next: /, simulated("hello"), { env: { FAKE_CURSOR_AUTH: "none" } }],
        [
          6,
          /^error: Timed out after 6 s\.\n {2}The agent had not ended its answer\.\n {2}Next: Run it again with a longer --timeout\nsession: /m,
          play([{ text: "slow" }, { waitForCancel: true }], "--timeout", "6")
        ],
        [
          6,
          /^error: Timed out after 0\.5 s\.\n {2}The agent had not started yet\.\n {2}Next: Run it again with a longer --timeout\n$/,
          ["run", "--agent", "sleep 100", "--timeout", "0.5", "hello"]
        ]
      ]
      const ends = yield* Effect.forEach(cases, ([, , args, options]) => call(args, options), { concurrency: 2 })
      for (const [index, ended] of ends.entries()) {
        const [code, words, args] = cases[index]!
        assert.strictEqual(ended.code, code, `${args.join(" ")}\n${ended.stderr}`)
        assert.match(ended.stderr, words)
        assertReadable(ended)
      }
      assert.strictEqual(ends[0]?.stdout, "fine\n")
    })
  )

  it.live("prints nothing but events with --json, the last one turn.completed", () =>
    Effect.gen(function* () {
      const [fine, failed, notFound] = yield* Effect.forEach(
        [
          play([{ thought: "hm" }, { text: "one " }, { text: "two" }, { after: [{ text: "too late" }] }], "--json"),
          play([{ text: "half" }, { crash: 1 }], "--json"),
          ["run", "--agent", "/no-such-agent", "--json", "hello"]
        ],
        (args) => call(args),
        { concurrency: 3 }
      )
      const types = eventsOf(fine!).map(({ type }) => type)
      assert.strictEqual(types[0], "session.started")
      assert.strictEqual(types.filter((type) => type === "turn.completed").length, 1)
      for (const ended of [fine!, failed!, notFound!])
        assert.strictEqual(eventsOf(ended).at(-1)?.type, "turn.completed")
      const last = eventsOf(notFound!).at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.problem?.code, "agent-not-found")
      assert.deepStrictEqual([fine!.code, failed!.code, notFound!.code], [0, 1, 1])
    })
  )

  it.live("draws sub-agents under the one that started them, and no line of them twice", () =>
    Effect.gen(function* () {
      const { stderr } = yield* call(simulated("[[fake:task]]"))
      const lines = stderr.split("\n").filter((line) => line.includes("sub-agent"))
      assert.include(lines, "  └ sub-agent shell: running, `ls`")
      assert.include(lines, "  └ sub-agent shell: completed, There are few.")
      assert.include(lines, "sub-agent explore: completed, It is small.")
      assert.isEmpty(lines.filter((line, index) => line === lines[index - 1]))
    })
  )

  it.live("takes the prompt from standard input, and splits --agent as a shell would", () =>
    Effect.gen(function* () {
      const folder = join(temporaryFolder("agent"), "a folder")
      mkdirSync(folder)
      const wrapper = join(folder, "my agent")
      writeFileSync(wrapper, `#!/bin/sh\n[ "$1" = "two words" ] || exit 9\nexec ${scriptedAgent}\n`)
      chmodSync(wrapper, 0o755)
      const ended = yield* call(["run", "--agent", `'${wrapper}' "two words"`, "-"], {
        input: JSON.stringify([{ text: "from stdin" }])
      })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.strictEqual(ended.stdout, "from stdin\n")
    })
  )

  it.live("[91] grants once and never for good, refuses once, and stops the turn where neither is offered", () =>
    Effect.gen(function* () {
      const all = permission("allow_always", "allow_once", "reject_always", "reject_once")
      const noOnce = permission("allow_always", "reject_always")
      const [allowed, rejected, unasked, stopped] = yield* Effect.forEach(
        [
          play([all], "--approve", "allow"),
          play([all], "--approve", "reject"),
          play([all]),
          play([noOnce, { waitForCancel: true }], "--approve", "allow")
        ],
        (args) => call(args),
        { concurrency: 2 }
      )
      assert.include(allowed!.stdout, "permission the-allow_once")
      assert.include(rejected!.stdout, "permission the-reject_once")
      assert.include(unasked!.stdout, "permission the-reject_once", "nobody to ask")
      assert.notInclude(stopped!.stdout, "the-allow_always")
      assert.notInclude(stopped!.stdout, "the-reject_always")
      assert.strictEqual(stopped!.code, 3, stopped!.stderr)
    })
  )

  it.live.skipIf(!hasTerminals)(
    "asks the person at the terminal, with the agent's own options, and shows all of it",
    () =>
      Effect.gen(function* () {
        const ask = {
          permission: {
            toolCall: {
              toolCallId: "t1",
              title: "List files",
              kind: "execute",
              rawInput: { command: "ls && \\\n\u001b[8mrm -rf work" }
            },
            options: [
              { optionId: "yes", name: "Go ahead", kind: "allow_once" },
              { optionId: "no", name: "Better not", kind: "reject_once" }
            ]
          }
        }
        const run = yield* start(play([ask, ask]), { terminal: true })
        yield* run.says(/Go ahead[\s\S]*Better not[\s\S]*Number: /)
        run.stdin.write("3\n")
        yield* run.says(/A number from 1 to 2\.[\s\S]*Number: /)
        run.stdin.write("2\n")
        yield* run.says(/permission no[\s\S]*Number: /)
        run.stdin.write("1\n")
        const ended = yield* run.ended
        assert.strictEqual(ended.code, 0, ended.stdout)
        assert.include(ended.stdout, "permission yes")
        assert.include(ended.stdout, "rm -rf work")
        assert.notInclude(ended.stdout, "\u001b[8m")
      })
  )

  it.live("puts mode, model and other settings in place before the prompt", () =>
    Effect.gen(function* () {
      const plain = yield* call(simulated("hello", "--json"))
      const settings = eventsOf(plain).findLast((event) => event.type === "settings.updated")
      assert(settings?.type === "settings.updated")
      const model = settings.settings.find(({ category }) => category === "model")
      assert(model?.type === "select")
      const other = model.groups.flatMap(({ choices }) => choices).find(({ value }) => value !== model.value)
      assert(other !== undefined)
      const ended = yield* call(simulated("hello", "--json", "--mode", "plan", "--model", other.value))
      assert.strictEqual(ended.code, 0, ended.stderr)
      const events = eventsOf(ended)
      const before = events.slice(
        0,
        events.findIndex(({ type }) => type === "turn.started")
      )
      const last = before.findLast((event) => event.type === "settings.updated")
      assert(last?.type === "settings.updated")
      const valueOf = (category: string) => last.settings.find((setting) => setting.category === category)
      const mode = valueOf("mode")
      const chosen = valueOf("model")
      assert.strictEqual(mode?.type === "select" && mode.value, "plan")
      assert.strictEqual(chosen?.type === "select" && chosen.value, other.value)
    })
  )

  it.live("takes an earlier session up, and sends no prompt into a new one instead", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const env = { SIGNALBOX_STATE_DIR: state }
      const cwd = temporaryFolder("project")
      const first = yield* call(simulated("remember the word anvil"), { env, cwd })
      const session = /^session: (\S+)$/m.exec(first.stderr)?.[1] ?? ""
      assert.include(first.stderr, `--resume ${session}`)

      const again = yield* call(simulated("go on", "--resume", session), { env, cwd })
      assert.strictEqual(again.code, 0, again.stderr)
      assert.notInclude(again.stdout, "anvil", "what was said before is not printed again")
      assert.include(again.stderr, session)

      const lost = yield* call(simulated("go on", "--resume", "no-such-session", "--json"), { env, cwd })
      assert.strictEqual(lost.code, 1)
      assert.include(lost.stdout, "no-such-session")
      assert.notInclude(lost.stderr, "session: ", "the empty session that took its place is not recommended")
      const events = eventsOf(lost)
      assert.isFalse(events.some(({ type }) => type === "turn.started"))
      const last = events.at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.problem?.code, "session-not-found")
    })
  )

  it.live("records the wire on request, for its owner only", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder("tape"), "run.ndjson")
      const ended = yield* call(play([{ text: "on tape" }], "--tape", file))
      assert.strictEqual(ended.code, 0, ended.stderr)
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      const directions = new Set(lines.map((line) => JSON.parse(line).dir))
      assert.isTrue(directions.has("in") && directions.has("out"))
      assert.isTrue(lines.some((line) => line.includes("on tape")))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    })
  )
})
