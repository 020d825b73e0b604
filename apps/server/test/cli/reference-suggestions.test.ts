/** The built-in reference agent for suggestions, by its name and with `signalbox nes try`. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, temporaryFolder } from "./support/Signalbox.ts"

it.live("the built-in agent for suggestions is found by its name, and suggests the rest of a line", () =>
  Effect.gen(function* () {
    const cwd = realpathSync(temporaryFolder("project"))
    writeFileSync(join(cwd, "a.py"), "item1 = f(10)\nitem2 = f(20)\nitem\n")
    const provider = ["--provider", "signalbox-nes"]
    const suggested = yield* call(["nes", "try", "a.py", "--line", "3", "--column", "5", ...provider], { cwd })
    assert.include(suggested.stdout, "\n-item\n+item3 = f(30)\n")
    assert.strictEqual(suggested.code, 0)
    const none = yield* call(["nes", "try", "a.py", "--line", "1", "--column", "1", ...provider], { cwd })
    assert.strictEqual(none.code, 4)
  })
)

describe("nes try --set", () => {
  const place = ["a.py", "--line", "3", "--column", "5", "--provider", "signalbox-nes"]
  const project = () => {
    const cwd = realpathSync(temporaryFolder("project"))
    writeFileSync(join(cwd, "a.py"), "item1 = f(10)\nitem2 = f(20)\nitem\n")
    const tape = join(realpathSync(temporaryFolder("tape")), "tape.ndjson")
    const told = () =>
      readFileSync(tape, "utf8")
        .split("\n")
        .filter((line) => line.includes('"dir":"out"'))
        .map((line) => JSON.parse(line).line)
    return {
      cwd,
      told,
      run: (...args: ReadonlyArray<string>) => call(["nes", "try", ...place, "--tape", tape, ...args], { cwd })
    }
  }

  it.live("sets each setting before the agent is asked", () =>
    Effect.gen(function* () {
      const { run, told } = project()
      const { code, stderr, stdout } = yield* run("--set", "scope=line", "--set", "count=8")
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.include(stdout, "+item3 = f(30)")
      const all = told()
      assert.deepStrictEqual(all.map(({ method }) => method).slice(0, 5), [
        "initialize",
        "nes/start",
        "session/set_config_option",
        "session/set_config_option",
        "document/didOpen"
      ])
      const sessionId = all.find(({ method }) => method === "nes/suggest").params.sessionId
      assert.deepStrictEqual(
        all.slice(2, 4).map(({ params }) => params),
        [
          { sessionId, configId: "scope", value: "line" },
          { sessionId, configId: "count", value: "8" }
        ]
      )
    })
  )

  it.live("names what is offered where a setting or a value is not, and asks nothing", () =>
    Effect.gen(function* () {
      const { run, told } = project()
      for (const [given, said] of [
        [
          "scope=word",
          ['scope: "word" is not offered by this agent. It offers:', "all (All kinds)", "edits (Edits only)"]
        ],
        [
          "speed=high",
          ['"speed" is not a setting of this session. Its settings:', "scope (Suggestions)", "count (At once)"]
        ],
        ["scope", ['--set "scope" is not of the form ID=VALUE.']]
      ] as const) {
        const { code, stderr, stdout } = yield* run("--set", given)
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        for (const words of said) assert.include(stderr, words)
      }
      assert.notInclude(JSON.stringify(told()), "nes/suggest")
    })
  )
})

it.live("in a chat, it says what it is for", () =>
  Effect.gen(function* () {
    const cwd = realpathSync(temporaryFolder("project"))
    const ran = yield* call(["run", "--provider", "signalbox-nes", "Hello"], { cwd })
    assert.match(ran.stdout, /I suggest the next edit while you write in an editor/)
  })
)
