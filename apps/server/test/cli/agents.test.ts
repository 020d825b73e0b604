/** `signalbox agents`, and agents of the settings as the other commands use them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assertReadable } from "./support/Runs.ts"
import { call, scriptedAgent, temporaryFolder } from "./support/Signalbox.ts"

const eliza = fileURLToPath(new URL("../../../../packages/stand-in-agents/src/eliza/main.ts", import.meta.url))

/** Commands on one state folder. */
const on = (state: string) => ({
  file: join(state, "settings.json"),
  signalbox: (...args: ReadonlyArray<string>) =>
    call(args, { env: { SIGNALBOX_STATE_DIR: state, PATH: "/usr/bin:/bin" } })
})

describe("signalbox agents", () => {
  it.live("an agent that is added is listed, runs by its name, and is gone when it is removed", () =>
    Effect.gen(function* () {
      const { file, signalbox } = on(temporaryFolder("state"))
      const flags = ["--title", "My Eliza", "--env", "MY_KEY=a=b", "--permissions", "read-only"]
      const added = yield* signalbox("agents", "add", "mine", ...flags, "--", process.execPath, eliza)
      assert.strictEqual(added.code, 0)
      assert.include(added.stderr, "signalbox run --provider mine")
      assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
        agents: {
          mine: {
            name: "My Eliza",
            command: process.execPath,
            args: [eliza],
            env: { MY_KEY: "a=b" },
            permissions: "read-only"
          }
        }
      })

      const listed = yield* signalbox("agents", "list")
      assert.match(listed.stdout, /^mine +ready +settings +\S+node \S+eliza\/main\.ts$/m)
      assert.notInclude(listed.stdout, "a=b")
      const ran = yield* signalbox("run", "--provider", "mine", "Hello")
      assert.strictEqual(ran.code, 0)
      assert.include(ran.stderr, "To go on with My Eliza: signalbox run --provider mine --resume")

      const again = yield* signalbox("agents", "add", "mine", "--", "other")
      assert.strictEqual(again.code, 2)
      assert.include(again.stderr, "--replace")
      assert.strictEqual((yield* signalbox("agents", "add", "mine", "--replace", "--", "no-such-program")).code, 0)
      const missing = yield* signalbox("run", "--provider", "mine", "Hello")
      assert.strictEqual(missing.code, 1)
      assert.include(missing.stderr, "no-such-program")

      assert.strictEqual((yield* signalbox("agents", "remove", "mine")).code, 0)
      const gone = yield* signalbox("run", "--provider", "mine", "Hello")
      assert.strictEqual(gone.code, 2)
      for (const ended of [added, listed, again, missing, gone]) assertReadable(ended)
    })
  )

  it.live("what is refused to an agent that may have files read is reported in a run", () =>
    Effect.gen(function* () {
      const { file, signalbox } = on(temporaryFolder("state"))
      const [command, ...args] = scriptedAgent.split(" ")
      writeFileSync(file, JSON.stringify({ agents: { mine: { name: "Mine", command, args, files: "read" } } }))
      const steps = [{ request: { method: "fs/read_text_file", params: { path: "/etc/hosts" } } }]
      const ran = yield* signalbox("run", "--provider", "mine", JSON.stringify(steps))
      assert.strictEqual(ran.code, 0)
      const why = "/etc/hosts is outside of the folders of this session."
      assert.include(ran.stderr, `warning: Mine asked Signalbox to read a file. It was refused. (${why})`)
      assertReadable(ran)
    })
  )

  it.live.each([
    [["Mine", "--", "x"], "agents.Mine: Expected a name of small letters, digits and hyphens."],
    [["cursor", "--", "x"], "agents.cursor: This is the name of another agent."],
    [["mine"], "agents.mine: Expected one of command, url and providerOptions."],
    [["mine", "--url", "far.example"], "agents.mine.url: Expected a URL of http, https, ws or wss."],
    [["mine", "--env", "KEY", "--", "x"], '--env "KEY" is not of the form NAME=VALUE.']
  ] as const)("does not write what would not be in force: %j", ([args, words]) =>
    Effect.gen(function* () {
      const { file, signalbox } = on(temporaryFolder("state"))
      writeFileSync(file, "{}")
      const refused = yield* signalbox("agents", "add", ...args)
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, words)
      assert.strictEqual(readFileSync(file, "utf8"), "{}")
      assertReadable(refused)
    })
  )

  it.live("a file that can't be read is reported by every command that needs it, and stays as it is", () =>
    Effect.gen(function* () {
      const { file, signalbox } = on(temporaryFolder("state"))
      const broken = '{\n  "agents": {\n    "mine": { "command": "x" },\n  }\n}\n'
      writeFileSync(file, broken)
      const [added, removed, listed, doctor] = yield* Effect.all(
        [
          signalbox("agents", "add", "other", "--", "x"),
          signalbox("agents", "remove", "mine"),
          signalbox("agents", "list"),
          signalbox("doctor")
        ],
        { concurrency: 2 }
      )
      for (const ended of [added, removed, listed, doctor]) {
        assert.strictEqual(ended.code, 1)
        assert.include(ended.stderr + ended.stdout, "Line 4, column 3: expected a name in double quotes.")
        assert.include(ended.stderr + ended.stdout, file)
        assertReadable(ended)
      }
      assert.include(listed.stdout, "eliza")
      assert.strictEqual(readFileSync(file, "utf8"), broken)
    })
  )

  it.live("what its settings answer for people is reported in a run, and the rest is asked or rejected as ever", () =>
    Effect.gen(function* () {
      const { signalbox } = on(temporaryFolder("state"))
      const [command, script] = scriptedAgent.split(" ")
      yield* signalbox("agents", "add", "mine", "--permissions", "allow-reads", "--", command!, script!)
      const project = temporaryFolder("project")
      const file = join(project, "a.txt")
      writeFileSync(file, "text")
      const asks = (kind: string) => ({
        permission: {
          toolCall: { toolCallId: kind, title: `To ${kind} it`, kind, rawInput: { file_path: file } },
          options: [
            { optionId: "y", name: "Yes, once", kind: "allow_once" },
            { optionId: "n", name: "No", kind: "reject_once" }
          ]
        }
      })
      const prompt = JSON.stringify([asks("read"), asks("edit")])
      const ran = yield* signalbox("run", "--cwd", project, "--provider", "mine", prompt)
      assert.strictEqual(ran.code, 0)
      assert.match(ran.stderr, /asks to: .*\n {2}Yes, once, by your settings\n/)
      assert.include(ran.stdout, "permission y\npermission n")
      assert.strictEqual(ran.stderr.split("by your settings").length, 2)
    })
  )

  it.live("doctor and run say of an entry that is wrong what is wrong, and of one that is called as another too", () =>
    Effect.gen(function* () {
      const { file, signalbox } = on(temporaryFolder("state"))
      const agents = { odd: { comand: "x" }, eliza: { command: "x" }, good: { command: "true" } }
      writeFileSync(file, JSON.stringify({ agents }))
      const [doctor, ran] = yield* Effect.all([signalbox("doctor"), signalbox("run", "--provider", "odd", "Hello")])
      assert.match(doctor.stdout, /^Settings +\S+settings\.json\n +error: agents\.eliza in the settings/m)
      assert.match(doctor.stdout, /^ {2}odd \(odd\): cannot run\n +error: agents\.odd in the settings/m)
      assert.match(doctor.stdout, /^ {2}good \(good\): ready/m)
      assert.strictEqual(doctor.code, 1)
      assert.strictEqual(ran.code, 1)
      assert.include(ran.stderr, "agents.odd.comand: This is not known here.")
    })
  )
})
