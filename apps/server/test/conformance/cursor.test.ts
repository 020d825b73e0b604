/** What each month's builds of Cursor are seen to do of the protocol: mostly it is waited for, side by side. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as CursorProfile from "../../src/provider/drivers/cursor/CursorProfile.ts"
import { emulator, temporaryFolder } from "../support/AgentHarness.ts"
import { examine, seenOf } from "../support/Examined.ts"

/** No build ends with its input then; one that did would take 30 ms. */
const exitAfterPrompt = "1 second"

/** Cursor as a server looks it over: with the profile that it has there. Its turns take a second. */
const cursor = Effect.fnUntraced(function* (generation: string) {
  const state = yield* temporaryFolder
  const known = yield* CursorProfile.make.pipe(Effect.provide(NodeServices.layer))
  const env = {
    FAKE_CURSOR_GEN: generation,
    FAKE_CURSOR_STATE: state,
    FAKE_CURSOR_TIME_SCALE: "0.05",
    FAKE_CURSOR_SCENARIO: "stream n=20 ms=1000"
  }
  const profile = { ...known, launch: () => Effect.succeed({ command: emulator, args: ["acp"], env }) }
  const { results } = yield* examine(
    { command: emulator, args: ["acp"] },
    { model: true, profile, limits: { exitAfterPrompt } }
  )
  return seenOf(results)
}, Effect.scoped)

/** What all of them do. */
const everyCursor = {
  "suggestions/start": "holds, not claimed: not offered",
  "connection/initialize": "holds: version 1",
  "connection/identity": "quirk: nothing",
  "connection/future-version": "holds: answers version 1",
  "connection/unknown-method": "holds: refused, -32601",
  "connection/unknown-notification": "holds: ignored",
  "connection/cancel-unknown": "holds: ignored",
  "connection/string-id": "holds: comes back as it was",
  "connection/big-id": "quirk: comes back as another",
  "connection/malformed": "quirk: goes on, says nothing",
  "connection/batch": "quirk: goes on, says nothing",
  "start/early-updates": "holds: none",
  "start/commands": "holds: 4 reported",
  "start/relative-folder": "quirk: opens a session",
  "start/missing-folder": "quirk: opens a session",
  "login/methods": "holds: cursor_login (agent)",
  "login/needed": "holds: not needed for a session",
  "login/status": "holds, not claimed: not offered",
  "login/logout": "holds, not claimed: not offered",
  "settings/mode": "holds: works",
  "sessions/resume": "holds, not claimed: refused, -32601",
  "sessions/later": "quirk: refused, -32602",
  "sessions/unknown": "quirk: refused, -32602",
  "sessions/fork": "holds, not claimed: refused, -32601",
  "sessions/title": "holds, not claimed: refused, -32601",
  "sessions/archive": "holds, not claimed: refused, -32601",
  "sessions/close": "holds, not claimed: refused, -32601",
  "sessions/delete": "holds, not claimed: refused, -32601",
  "sessions/cancel-idle": "holds: ignored",
  "prompts/answer": "holds: end_turn",
  "prompts/message-ids": "holds: none",
  "prompts/usage": "holds: not reported",
  "prompts/late-updates": "holds: none",
  "prompts/cancel": "holds: cancelled",
  "prompts/second": "holds: the first is cancelled",
  "prompts/tools": "untried: it ran none",
  "prompts/terminals": "untried: it ran no tool",
  "prompts/writes": "untried: it wrote none",
  "prompts/empty": "holds: end_turn",
  "lines/requests": "holds: none",
  "lines/outside": "holds: none",
  "end/stdout": "holds: messages only",
  "end/stderr": "holds: 2 lines",
  "end/input": "holds: exit code 0",
  "end/input-after-prompt": "quirk: stays",
  "end/terminated": "holds: exit code 143",
  "end/processes": "holds: none",
  "end/processes-after-prompt": "holds: none"
}

/** What each month's builds do in their own way. */
const cursors = {
  "2026.02": {
    "connection/before-initialize": "quirk: opens a session",
    "start/session": "holds: 3 modes",
    "settings/options": "holds: none",
    "settings/names": "untried: it has no settings",
    "settings/same": "untried: it has no settings",
    "settings/unknown-setting": "untried: it has no settings",
    "settings/unknown-value": "untried: it has no settings",
    "settings/model": "untried: it has none",
    "sessions/list": "holds, not claimed: refused, -32601",
    "sessions/list-folder": "untried: it lists none",
    "sessions/load": "holds, as claimed: works",
    "prompts/title": "holds: not reported",
    "prompts/reload": "quirk, as claimed: sends nothing"
  },
  "2026.08": {
    "connection/before-initialize": "holds: refused, -32603",
    "start/session": "holds: 3 settings, 3 modes, 8 legacy models",
    "settings/options": "holds: mode, model, fast",
    "settings/names": "holds: readable",
    "settings/same": "holds: taken",
    "settings/unknown-setting": "holds: refused, -32602",
    "settings/unknown-value": "holds: refused, -32602",
    "settings/model": "holds: works",
    "sessions/list": "quirk, as claimed: works",
    "sessions/list-folder": "holds: none",
    "sessions/load": "quirk, as claimed: works",
    "prompts/title": "holds: reported",
    "prompts/reload": "holds, as claimed: sends what was said"
  },
  "2026.10": {
    "connection/before-initialize": "holds: refused, -32603",
    "start/session": "holds: 3 settings, 3 modes, 8 legacy models",
    "settings/options": "holds: mode, model, fast",
    "settings/names": "quirk: not for people",
    "settings/same": "holds: taken",
    "settings/unknown-setting": "holds: refused, -32602",
    "settings/unknown-value": "holds: refused, -32602",
    "settings/model": "holds: works",
    "sessions/list": "quirk, as claimed: works",
    "sessions/list-folder": "holds: none",
    "sessions/load": "holds, as claimed: works",
    "prompts/title": "holds: reported",
    "prompts/reload": "holds, as claimed: sends what was said"
  }
}

describe.concurrent("Cursor that is looked over", { timeout: 180_000 }, () => {
  for (const [generation, differences] of Object.entries(cursors)) {
    it.live(`is that of ${generation}, told apart from the others`, () =>
      Effect.gen(function* () {
        const { "lines/length": length, "lines/notifications": notifications, ...seen } = yield* cursor(generation)
        assert.deepStrictEqual(seen, { ...everyCursor, ...differences })
        assert.match(length ?? "", /^holds: up to \d+ characters$/)
        assert.match(notifications ?? "", /^holds: \d+ as the schema has them$/)
      })
    )
  }
})
