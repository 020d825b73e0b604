/** What agents, and programs that run for them, have of the environment: seen from within real processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import { AgentSettings } from "@signalbox/contracts/Settings"
import { call, scriptedAgent, temporaryFolder } from "../cli/support/Signalbox.ts"

const [command = "", ...args] = scriptedAgent.split(" ")

/** The names and values of an agent of the settings, and those of a program that it has us run. */
const seenBy = Effect.fnUntraced(function* (environment: "all" | "listed" | undefined) {
  const state = temporaryFolder("state")
  const folder = temporaryFolder("seen")
  const [own, terminal] = [join(folder, "own"), join(folder, "terminal")]
  const wrapper = join(folder, "agent.sh")
  writeFileSync(wrapper, `env > ${own}\nexec "$@"\n`)
  const steps = [
    {
      request: {
        method: "terminal/create",
        params: { command: "sh", args: ["-c", `env > ${terminal}`], env: [{ name: "ASKED", value: "for" }] }
      }
    },
    { request: { method: "terminal/wait_for_exit", params: { terminalId: "{terminal:1}" } } }
  ]
  const seen = {
    command: "sh",
    args: [wrapper, command, ...args],
    terminals: true,
    env: { OWN_KEY: "given-on-purpose" },
    ...(environment !== undefined && { environment })
  }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { seen } }))
  const ran = yield* call(["run", "--provider", "seen", JSON.stringify(steps)], {
    env: {
      PERSONS_OWN: "yes",
      LC_TIME: "C",
      SIGNALBOX_STATE_DIR: state,
      SIGNALBOX_START_SLOW: "5 seconds",
      SIGNALBOX_REGISTRY_URL: "http://127.0.0.1:1/",
      SIGNALBOX_LAUNCHED: "1"
    }
  })
  assert.strictEqual(ran.code, 0, ran.stderr)
  const namesIn = (path: string) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line) => line.split("=", 1))
  return { own: namesIn(own), terminal: namesIn(terminal) }
})

/** Our own variables. The mark of this test run is none of them, as it is passed on. */
const ours = (names: ReadonlyArray<string>) =>
  names.filter((name) => name.startsWith("SIGNALBOX_") && name !== "SIGNALBOX_TEST_RUN")

describe("the environment of agents", () => {
  it.live("is the person's, without what is meant for Signalbox; that of their programs is, too", () =>
    Effect.gen(function* () {
      for (const environment of [undefined, "all"] as const) {
        const { own, terminal } = yield* seenBy(environment)
        for (const name of ["PERSONS_OWN", "PATH", "HOME", "OWN_KEY", "LC_TIME"]) assert.include(own, name)
        for (const name of ["PERSONS_OWN", "PATH", "HOME", "ASKED"]) assert.include(terminal, name)
        for (const names of [own, terminal]) assert.deepEqual(ours(names), ["SIGNALBOX_AGENT"])
      }
    })
  )

  it.live("is what is listed, and what its entry gives it, where its entry says so", () =>
    Effect.gen(function* () {
      const { own, terminal } = yield* seenBy("listed")
      for (const name of ["PATH", "HOME", "OWN_KEY", "LC_TIME"]) assert.include(own, name)
      for (const name of ["PATH", "HOME", "ASKED", "LC_TIME"]) assert.include(terminal, name)
      for (const names of [own, terminal]) {
        assert.notInclude(names, "PERSONS_OWN")
        assert.deepEqual(ours(names), ["SIGNALBOX_AGENT"])
      }
      assert.notInclude(terminal, "OWN_KEY")
    })
  )

  it("holds the marks by which what was left behind is found, however few are listed", () => {
    for (const mark of ["SIGNALBOX_AGENT", "SIGNALBOX_PROBE", "SIGNALBOX_CHAOS", "SIGNALBOX_TEST_RUN"])
      assert.deepEqual(ChildEnvironment.of({ [mark]: "1", OTHER: "2" }, {}, "listed"), { [mark]: "1" })
  })

  it("holds no variable that its entry takes away, and is all or listed", () => {
    assert.deepEqual(ChildEnvironment.of({ A: "1", B: "2", SIGNALBOX_STATE_DIR: "/s" }, { A: undefined, C: "3" }), {
      B: "2",
      C: "3"
    })
    const valid = Schema.is(AgentSettings)
    assert.isTrue(valid({ command: "x", environment: "listed" }))
    assert.isFalse(valid({ command: "x", environment: "none" }))
  })
})
