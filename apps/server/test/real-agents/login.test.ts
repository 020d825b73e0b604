/** The text that people see when an agent needs a sign-in. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, hasTerminals, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"
import { auggieLogin } from "./scenarios/auggie-login.ts"
import { claudeLogin } from "./scenarios/claude-login.ts"
import { codexLogin } from "./scenarios/codex-login.ts"
import { copilotLogin } from "./scenarios/copilot-login.ts"
import { opencodeLogin } from "./scenarios/opencode-login.ts"

/** An environment whose settings have this agent as `mine`. */
const withAgent = (setup: object) => {
  const state = temporaryFolder("state")
  const env = { SCRIPTED_AGENT: JSON.stringify(setup) }
  const agents = { mine: { command: process.execPath, args: [scriptedMain], env } }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }))
  return { env: { SIGNALBOX_STATE_DIR: state } }
}

const inTerminal = "Next: Run this in a terminal: some agents sign people in there only"

describe("an agent that wants somebody to sign in and names no way", () => {
  it.live("may name one in a terminal, which is said where there is none", () =>
    Effect.gen(function* () {
      const options = withAgent(claudeLogin)
      const run = yield* call(["run", "--provider", "mine", "Hello"], options)
      assert.strictEqual(run.code, 5, run.stderr)
      assert.include(run.stderr, "signalbox login --provider mine")
      const login = yield* call(["login", "--provider", "mine"], options)
      assert.strictEqual(login.code, 1)
      assert.include(login.stderr, "mine offers no way to sign in.")
      assert.include(login.stderr, inTerminal)
    })
  )

  it.live.skipIf(!hasTerminals)("has none, which is all that is said in a terminal", () =>
    Effect.gen(function* () {
      const login = yield* start(["login", "--provider", "mine"], { ...withAgent(claudeLogin), terminal: true })
      yield* login.says(/mine offers no way to sign in\./)
      assert.notInclude((yield* login.ended).stdout, inTerminal)
    }).pipe(Effect.scoped)
  )
})

describe("signing in to an agent that says more than the protocol has a place for", () => {
  const both = Effect.fnUntraced(function* (setup: object, ...flags: ReadonlyArray<string>) {
    const options = withAgent(setup)
    const run = yield* call(["run", "--provider", "mine", "Hello"], options)
    return { run, login: yield* call(["login", "--provider", "mine", ...flags], options) }
  })

  it.live("names no way and a command in its words: these are shown, and no step that leads nowhere", () =>
    Effect.gen(function* () {
      const { login, run } = yield* both(auggieLogin)
      for (const { code, stderr } of [run, login]) {
        assert.strictEqual(code, 5, stderr)
        assert.include(stderr, "Please run `agent login` from your terminal.")
        assert.include(stderr, "Next: Do what it says in a terminal, then try again")
        assert.notInclude(stderr, "signalbox login")
        assert.notInclude(stderr, inTerminal)
      }
    })
  )

  it.live("accepts a way without a type: that is said, and what its description asks for", () =>
    Effect.gen(function* () {
      const { login } = yield* both(opencodeLogin)
      assert.strictEqual(login.code, 0, login.stderr)
      assert.include(
        login.stderr,
        "mine accepted “Login with the agent”, and does not report whether you are signed in."
      )
      assert.include(login.stderr, "It says of it: Run `agent auth login` in the terminal")
      assert.notInclude(login.stderr, "Signed in")
    })
  )

  it.live("has people run another program: the command is shown, and not run", () =>
    Effect.gen(function* () {
      const proof = join(temporaryFolder("proof"), "program.sh")
      writeFileSync(proof, `#!/bin/sh\ntouch "$0.ran"\n`, { mode: 0o755 })
      const { login, run } = yield* both(copilotLogin(proof))
      assert.strictEqual(run.code, 5, run.stderr)
      assert.include(run.stderr, "signalbox login --provider mine")
      assert.strictEqual(login.code, 5, login.stderr)
      assert.include(login.stderr, `Next: Run it yourself, in a terminal of yours: ${proof} login`)
      assert.isFalse(existsSync(`${proof}.ran`))
    })
  )

  it.live("offers a way only to those who can be asked: it is listed, too", () =>
    Effect.gen(function* () {
      const { login } = yield* both(codexLogin)
      assert.strictEqual(login.code, 2)
      assert.include(login.stderr, "--method api-key")
      assert.include(login.stderr, "--method device-code")
    })
  )
})
