/** Each probe finds what it looks for: agents that do one thing wrong, beside one that does all of it right. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"
import type { Limits } from "../../src/conformance/Limits.ts"
import { examine, seenOf } from "../support/Examined.ts"
import * as Keeper from "../support/Keeper.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"

/** None of these agents lists commands. All other limits are the usual ones, since a machine may be busy. */
const usual = { commands: 0 }

const look = (setup: Setup, only?: ReadonlyArray<string>, model = false, brief: Partial<Limits> = {}) =>
  Effect.map(
    examine(
      { command: process.execPath, args: [scriptedMain], env: { SCRIPTED_AGENT: JSON.stringify(setup) } },
      { limits: { ...usual, ...brief }, model, only }
    ),
    ({ results }) => seenOf(results)
  )

const option = {
  id: "model",
  name: "Model",
  type: "select",
  currentValue: "a",
  options: [{ value: "a", name: "A" }]
}

const right: Setup = {
  initialize: { agentInfo: { name: "right", version: "1" }, agentCapabilities: { sessionCapabilities: { list: {} } } },
  newSession: { configOptions: [option] },
  list: { sessions: [] }
}

/** An agent that does one thing wrong, the finding about it, and short limits for answers that never come. */
type Wrong = readonly [Setup, string, Partial<Limits>?]

const wrongs: Readonly<Record<string, Wrong>> = {
  "connection/initialize": [{ initialize: { protocolVersion: 2 } }, "broken: version 2"],
  "connection/identity": [{}, "quirk: nothing"],
  "connection/future-version": [{ initialize: { protocolVersion: 65_535 } }, "broken: says that it speaks it"],
  "connection/unknown-method": [{ results: { "_signalbox/no_such_method": {} } }, "broken: answered"],
  "connection/string-id": [
    { silent: ["_signalbox/no_such_method"] },
    "untried: it answers no unknown request",
    { refusal: "1 second" }
  ],
  "connection/unknown-notification": [{ answersNotifications: true }, "quirk: refused, -32600"],
  "connection/cancel-unknown": [{ answersNotifications: true }, "quirk: refused, -32600"],
  "sessions/cancel-idle": [{ answersNotifications: true }, "quirk: refused, -32600"],
  "start/session": [{ newSessionErrors: [{ code: -32603, message: "Not yet" }] }, "quirk: an id, no settings"],
  "start/early-updates": [{ beforeNewSession: [{ text: "Welcome" }] }, "quirk: 1 before the answer"],
  "settings/options": [{ newSession: { configOptions: [option, option] } }, "broken: model, model"],
  "settings/names": [
    { newSession: { configOptions: [{ ...option, name: ":icon-brain: Model" }] } },
    "quirk: not for people"
  ],
  "settings/same": [
    { newSession: { configOptions: [option] }, refuseOptions: { code: -32603, message: "No" } },
    "broken: model: refused, -32603"
  ],
  "settings/unknown-setting": [
    {
      newSession: { configOptions: [option] },
      results: { "session/set_config_option": { configOptions: [option] } }
    },
    "quirk: taken"
  ],
  "settings/mode": [
    {
      newSession: { modes: { availableModes: [{ id: "a", name: "A" }], currentModeId: "a" } },
      errors: { "session/set_mode": { code: -32603, message: "No" } }
    },
    "broken: refused, -32603"
  ],
  "sessions/list": [{ list: { sessions: [{ sessionId: "x", cwd: "/" }] } }, "quirk, as claimed: works"],
  "sessions/list-folder": [{ list: { sessions: [{ sessionId: "x", cwd: "/" }] } }, "quirk: others too"],
  "sessions/unknown": [{ load: {} }, "quirk: loads it"],
  "sessions/archive": [{ results: { "session/archive": {} } }, "quirk, not claimed: works"],
  "login/status": [
    {
      initialize: { agentCapabilities: { auth: { status: {} } } },
      errors: { "auth/status": { code: -32000, message: "No" } }
    },
    "broken, as claimed: refused, -32000"
  ],
  "end/stdout": [{ beforeNewSession: [{ raw: "Banner\n" }] }, "quirk: 1 other line"]
}

/** What is done with the prompts that hold a text, if a model may be asked. */
const long = "Count from 1"
const tiny = "single word: ready"
const wrongTurns: Readonly<Record<string, Wrong>> = {
  "prompts/answer": [{ onPrompt: { [tiny]: [{ stop: "tired" }] } }, "quirk: tired"],
  "prompts/message-ids": [
    { onPrompt: { [tiny]: [{ text: "a", messageId: "1" }, { text: "b" }] } },
    "quirk: on some pieces"
  ],
  "prompts/cancel": [
    {
      onPrompt: { [long]: [{ text: "1" }, { waitForCancel: true }] },
      cancelAfter: 400,
      onCancel: { stopReason: "end_turn" }
    },
    "quirk: end_turn"
  ],
  "prompts/second": [
    { onPrompt: { [long]: [{ text: "1" }, { waitForCancel: true }] } },
    "holds: the second goes first"
  ],
  "prompts/late-updates": [{ onPrompt: { [tiny]: [{ after: [{ text: "and more" }] }] } }, "quirk: 1 behind the answer"],
  "prompts/usage": [{ onPrompt: { [tiny]: [{ update: { sessionUpdate: "usage_update" } }] } }, "holds: by updates"],
  "end/input-after-prompt": [{ ignoreEof: true }, "quirk: stays", { exitAfterPrompt: "1 second" }]
}

describe.concurrent("a probe of conformance", { timeout: 180_000 }, () => {
  it.live("finds nothing in an agent that does all of it right", () =>
    Effect.gen(function* () {
      const seen = yield* look(right)
      for (const probe of Object.keys(wrongs).filter((probe) => probe !== "sessions/list"))
        assert.match(seen[probe] ?? "", /^(?:holds|untried)/, probe)
    })
  )

  const finding = (table: typeof wrongs, model: boolean) =>
    Effect.forEach(
      Object.entries(table),
      ([probe, [setup, wrong, brief]]) =>
        Effect.map(look(setup, ["start/session", probe], model, brief), (seen) =>
          assert.strictEqual(seen[probe], wrong, probe)
        ),
      { concurrency: 3, discard: true }
    )

  it.live("finds what it looks for", () => finding(wrongs, false))

  it.live("finds it in turns, too", () => finding(wrongTurns, true))

  it.live("finds a turn that goes on after a cancel", () =>
    Effect.gen(function* () {
      const setup: Setup = { onPrompt: { [long]: [{ text: "1" }, { wait: 60_000 }] }, onCancel: "ignore" }
      const seen = yield* look(setup, ["prompts/cancel"], true, { cancel: "1 second" })
      assert.strictEqual(seen["prompts/cancel"], "broken: goes on")
    })
  )

  it.live("finds a session that is listed after its end", () =>
    Effect.gen(function* () {
      const offers = { session: Keeper.everything, load: true }
      const { env } = yield* Keeper.make({ offers, results: { "session/delete": {} } })
      const program = { command: process.execPath, args: [Keeper.program], env }
      const { results } = yield* examine(program, { limits: usual, only: ["sessions/delete"] })
      assert.strictEqual(seenOf(results)["sessions/delete"], "quirk, as claimed: works")
    }).pipe(Effect.scoped)
  )
})
