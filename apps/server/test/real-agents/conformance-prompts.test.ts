/** What is seen of agents whose model may be asked: once as it is done wrong, and once as it is right. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"
import { permitted } from "../../src/conformance/ToolTurn.ts"
import { examine, type Program, seenOf } from "../support/Examined.ts"
import * as Keeper from "../support/Keeper.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"
import { ownTerminal } from "./scenarios/codex-own-terminal.ts"

/** None of these agents lists commands. Whatever else comes has its usual time: a machine may be busy. */
const usual = { commands: 0 }

const only = [
  ...["load", "resume", "fork", "delete"].map((name) => `sessions/${name}`),
  ...["reload", "late-updates", "tools", "terminals", "writes", "empty"].map((name) => `prompts/${name}`),
  ...["notifications", "requests", "outside", "length"].map((name) => `lines/${name}`),
  "end/processes-after-prompt"
]

const look = (program: Program, model = true) =>
  Effect.map(examine(program, { limits: usual, model, only }), ({ results }) => ({
    seen: seenOf(results),
    of: (probe: string) => results.find((result) => result.probe === probe)
  }))

const scripted = (setup: Setup, model = true) =>
  look({ command: process.execPath, args: [scriptedMain], env: { SCRIPTED_AGENT: JSON.stringify(setup) } }, model)

const keeper = Effect.fnUntraced(function* (setup: Keeper.Setup, model = true) {
  const { env } = yield* Keeper.make({ offers: { session: Keeper.everything, load: true }, ...setup })
  return yield* look({ command: process.execPath, args: [Keeper.program], env }, model)
}, Effect.scoped)

/** What it says and does when the tiny prompt comes. */
const tiny = (steps: ReadonlyArray<object>): Setup => ({ onPrompt: { "single word: ready": steps } })
const tool = (steps: ReadonlyArray<object>): Setup => ({ onPrompt: { "echo signalbox": steps } })

describe.concurrent("a report of conformance with a model", { timeout: 180_000 }, () => {
  it.live("tries sessions that had a prompt and whose process has ended", () =>
    Effect.gen(function* () {
      const [empty, prompted, wrong] = yield* Effect.all(
        [
          keeper({ keepsPrompted: true }, false),
          keeper({ keepsPrompted: true }),
          keeper({
            errors: { "session/fork": { code: -32603, message: "Internal error", data: { details: "No git" } } }
          })
        ],
        { concurrency: 3 }
      )
      for (const name of ["load", "resume", "fork", "delete"]) {
        assert.strictEqual(empty.seen[`sessions/${name}`], "untried, as claimed: refused, -32002")
        assert.strictEqual(
          prompted.seen[`sessions/${name}`],
          "holds, as claimed: works",
          prompted.of(`sessions/${name}`)?.said
        )
      }
      assert.strictEqual(wrong.seen["sessions/fork"], "broken, as claimed: refused, -32603")
      assert.strictEqual(wrong.of("sessions/fork")?.said, "No git")
    })
  )

  it.live("distinguishes a history before the answer to load from one behind it", () =>
    Effect.gen(function* () {
      const [before, behind] = yield* Effect.all([keeper({}), keeper({ historyAfter: true })], { concurrency: 2 })
      assert.strictEqual(
        before.seen["prompts/reload"],
        "holds, as claimed: sends what was said",
        before.of("prompts/reload")?.said
      )
      assert.strictEqual(behind.seen["prompts/reload"], "quirk, as claimed: 2 pieces behind the answer")
    })
  )

  it.live("reports what an agent writes that is not in the schema, or was not offered", () =>
    Effect.gen(function* () {
      const odd: Setup = {
        ...tiny([
          { text: "ready" },
          { notify: { method: "agent/mood", params: {} } },
          { update: { sessionUpdate: "weather_update" } },
          { update: { sessionUpdate: "tool_call", toolCallId: "1", title: "t", status: 7 } },
          { request: { method: "fs/write_text_file", params: { path: "/tmp/none", content: "" } } },
          { raw: '{"jsonrpc":"2.0","method":"_long","params":"' },
          { raw: "x", times: 1_100_000 },
          { raw: '"}\n' }
        ]),
        beforeNewSession: [{ text: "Welcome" }]
      }
      const [wrong, right] = yield* Effect.all([scripted(odd), scripted(tiny([{ text: "ready" }]))], { concurrency: 2 })
      assert.strictEqual(wrong.seen["lines/notifications"], "quirk: 3 kinds outside of the schema")
      assert.strictEqual(wrong.of("lines/notifications")?.quirk, "agent/mood, weather_update, status of tool_call.")
      assert.strictEqual(wrong.seen["lines/requests"], "broken: fs/write_text_file")
      assert.match(wrong.seen["lines/outside"] ?? "", /^quirk: \d+ pieces$/)
      assert.match(wrong.seen["lines/length"] ?? "", /^quirk: up to 107\d KiB$/)
      assert.match(right.seen["lines/notifications"] ?? "", /^holds: \d+ as the schema has them$/)
      assert.strictEqual(right.seen["lines/requests"], "holds: none")
      assert.strictEqual(right.seen["lines/outside"], "holds: none")
      assert.match(right.seen["lines/length"] ?? "", /^holds: up to \d+ characters$/)
    })
  )

  it.live("reports terminals of the agent's own, and runs the one harmless command", () =>
    Effect.gen(function* () {
      const [own, other, none] = yield* Effect.all(
        [
          scripted(tool(ownTerminal("echo signalbox"))),
          scripted(
            tool([
              { update: { sessionUpdate: "tool_call", toolCallId: "1", title: "echo", status: "pending" } },
              { update: { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" } }
            ])
          ),
          scripted({})
        ],
        { concurrency: 3 }
      )
      assert.strictEqual(own.seen["prompts/terminals"], "quirk: 1 of its own")
      assert.include(own.of("prompts/terminals")?.quirk ?? "", "in `_meta`")
      assert.strictEqual(own.seen["prompts/tools"], "holds: 1 announced")
      assert.strictEqual(other.seen["prompts/terminals"], "holds: none of its own")
      assert.strictEqual(none.seen["prompts/terminals"], "untried: it ran no tool")
    })
  )

  it.live("reports calls that were not announced, or do not end with their turn", () =>
    Effect.gen(function* () {
      const update = { sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" }
      const [unannounced, open] = yield* Effect.all(
        [
          scripted(tool([{ update }])),
          scripted(tool([{ update: { ...update, sessionUpdate: "tool_call", title: "echo" } }]))
        ],
        { concurrency: 2 }
      )
      assert.strictEqual(unannounced.seen["prompts/tools"], "quirk: 1 of 1 not announced")
      assert.strictEqual(open.seen["prompts/tools"], "quirk: 1 of 1 left open")
    })
  )

  it.live("reports a file that was written in spite of a refusal", () =>
    Effect.gen(function* () {
      const asked = {
        permission: {
          toolCall: { toolCallId: "1", kind: "edit", title: "Write {file}" },
          options: [{ optionId: "allow", name: "Yes", kind: "allow_once" }]
        }
      }
      const [deaf, obedient, free] = yield* Effect.all(
        [
          scripted(tool([asked, { write: "{file}" }])),
          scripted(tool([{ ...asked, on: { allow: [{ write: "{file}" }] } }])),
          scripted(tool([{ write: "{file}" }]))
        ],
        { concurrency: 3 }
      )
      assert.strictEqual(deaf.seen["prompts/writes"], "broken: in spite of a refusal")
      assert.strictEqual(obedient.seen["prompts/writes"], "holds: asks, and leaves it when it is refused")
      assert.strictEqual(free.seen["prompts/writes"], "holds: without asking")
    })
  )

  it.live("reports what becomes of an empty prompt", () =>
    Effect.gen(function* () {
      const [crashes, refuses] = yield* Effect.all(
        [
          scripted({ onPrompt: { empty: [{ crash: 3 }] } }),
          scripted({ onPrompt: { empty: [{ error: { code: -32602, message: "The prompt is empty" } }] } })
        ],
        { concurrency: 2 }
      )
      assert.strictEqual(crashes.seen["prompts/empty"], "broken: ends")
      assert.strictEqual(refuses.seen["prompts/empty"], "holds: refused, -32602")
    })
  )

  it.live("finds what was left behind after a prompt, and text behind the end of a turn", () =>
    Effect.gen(function* () {
      const [wrong, right] = yield* Effect.all(
        [scripted(tiny([{ daemon: true }, { after: [{ text: "and more" }] }])), scripted({})],
        { concurrency: 2 }
      )
      assert.strictEqual(wrong.seen["end/processes-after-prompt"], "quirk: leaves 1 behind")
      assert.strictEqual(wrong.seen["prompts/late-updates"], "quirk: 1 behind the answer")
      assert.strictEqual(right.seen["end/processes-after-prompt"], "holds: none")
      assert.strictEqual(right.seen["prompts/late-updates"], "holds: none")
    })
  )

  it("permits the harmless command, and nothing that only begins with it", () => {
    const options = [{ optionId: "once", kind: "allow_once" }]
    const asked = (command: unknown) => permitted({ toolCall: { rawInput: { command } }, options })
    for (const command of ["echo signalbox", 'bash -lc "echo signalbox"', ["/bin/zsh", "-lc", "echo signalbox"]])
      assert.strictEqual(asked(command), "once")
    for (const command of ["echo signalbox; rm -rf /", "echo signalbox > x", "rm x # echo signalbox", ["sh", "x"], 1])
      assert.isUndefined(asked(command))
    assert.isUndefined(permitted({ toolCall: { rawInput: { command: "echo signalbox" } }, options: [] }))
  })
})
