/** What people are told when an agent wants them to sign in. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, hasTerminals, start, temporaryFolder } from "../cli-support/Signalbox.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"
import { claudeLogin } from "./scenarios/claude-login.ts"

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
