/** How sessions begin and are taken up by agents that do it in their own way. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Harness, thread } from "../../support/AgentHarness.ts"
import { call, change, play, scripted, seen } from "../../support/ScriptedAgent.ts"

const resume = ResumeToken.make("kept")

const select = (id: string, more: object = {}) => ({
  id,
  name: id,
  type: "select",
  options: [
    { value: "low", name: "Low" },
    { value: "high", name: "High" }
  ],
  ...more
})

const settingIds = (agent: Harness) =>
  agent
    .of("settings.updated")
    .at(-1)
    ?.settings.map(({ id }) => id)

describe("a session begins", () => {
  it.live("[45] with what was said before its name was known", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({
        beforeNewSession: [
          { text: "Welcome. " },
          {
            update: {
              sessionUpdate: "available_commands_update",
              availableCommands: [{ name: "help", description: "" }]
            }
          }
        ]
      })
      yield* agent.start()
      yield* play(agent, "t1", { text: "Hello." })
      assert.strictEqual(agent.events[0]?.type, "session.started")
      assert.deepEqual(yield* seen(agent), ["says: Welcome. ", "says: Hello."])
      assert.strictEqual(agent.of("commands.updated")[0]?.commands[0]?.name, "help")
    })
  )

  it.live("though a login is written to stdout with escapes and an address, and these can be read", () =>
    Effect.gen(function* () {
      const noise = "\u001b[2J\u001b[1;32mOpen https://login.example/device?code=AB-12\u001b[0m to log in\r\n"
      const agent = yield* scripted(
        {
          authRequired: true,
          onAuthenticate: [{ raw: noise }, { raw: "\u001b]8;;https://login.example\u0007link\u001b]8;;\u0007\n" }]
        },
        { profile: { authenticate: () => ({ methodId: "scripted", timeout: "5 seconds" }) } }
      )
      yield* agent.start()
      assert.strictEqual((yield* play(agent, "t1", { text: "in" })).outcome, "completed")
      const transcript = yield* seen(agent)
      assert.include(transcript[0], "https://login.example/device?code=AB-12")
      assert.strictEqual(transcript.at(-1), "says: in")
    })
  )

  it.live("[111] with a choice that stands nowhere yet, which can be made", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({
        newSession: { configOptions: [select("effort"), select("odd", { currentValue: "gone" })] }
      })
      yield* agent.start()
      const [effort, odd] = agent.of("settings.updated")[0]?.settings ?? []
      assert.deepEqual(
        [effort?.id, effort?.type, effort?.type === "select" ? effort.value : ""],
        ["effort", "select", undefined]
      )
      assert.strictEqual(odd?.type === "select" ? odd.value : "", "gone")
      yield* agent.set("effort", "high")
    })
  )

  it.live("[108] with settings that come and go with the model, each time as a whole", () =>
    Effect.gen(function* () {
      const model = (currentValue: string) =>
        select("model", {
          currentValue,
          category: "model",
          options: [
            { value: "small", name: "S" },
            { value: "big", name: "B" }
          ]
        })
      const agent = yield* scripted({
        newSession: { configOptions: [model("small"), select("speed", { currentValue: "low" })] },
        dependentOptions: {
          model: {
            big: [model("big"), select("effort", { currentValue: "low" }), select("context", { currentValue: "low" })]
          }
        }
      })
      yield* agent.start()
      assert.deepEqual(settingIds(agent), ["model", "speed"])
      yield* agent.set("model", "big")
      assert.deepEqual(settingIds(agent), ["model", "effort", "context"])
      yield* play(agent, "t1", {
        update: { sessionUpdate: "config_option_update", configOptions: [select("effort", { currentValue: "high" })] }
      })
      assert.deepEqual(settingIds(agent), ["effort"])
      const { problem } = yield* Effect.flip(agent.adapter.setSetting(thread, "speed", "high"))
      assert.strictEqual(problem.code, "setting-rejected")
    })
  )

  it.live("[113] a setting that is refused stays as it was", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({
        newSession: { configOptions: [select("effort", { currentValue: "low" })] },
        refuseOptions: { code: -32602, message: "Not with this plan" }
      })
      yield* agent.start()
      const { problem } = yield* Effect.flip(agent.adapter.setSetting(thread, "effort", "high"))
      assert.strictEqual(problem.code, "setting-rejected")
      assert.strictEqual(problem.evidence.rpcMessage, "Not with this plan")
      assert.strictEqual(agent.of("settings.updated").length, 1)
    })
  )

  it.live("[112] modes count only where there are no options", () =>
    Effect.gen(function* () {
      const modes = {
        currentModeId: "ask",
        availableModes: [
          { id: "ask", name: "Ask" },
          { id: "plan", name: "Plan" }
        ]
      }
      const plain = yield* scripted({ newSession: { modes } })
      yield* plain.start()
      yield* plain.set("mode", "plan")
      yield* play(plain, "t1", { update: { sessionUpdate: "current_mode_update", modeId: "ask" } })
      const [mode] = plain.of("settings.updated").at(-1)?.settings ?? []
      assert.strictEqual(mode?.type === "select" ? mode.value : "", "ask")
      const both = yield* scripted({
        newSession: { modes, configOptions: [select("effort", { currentValue: "low" })] }
      })
      yield* both.start()
      assert.deepEqual(settingIds(both), ["effort"])
    })
  )
})

describe("a session that is taken up", () => {
  it.live("is loaded where resuming is offered and not there", () =>
    Effect.gen(function* () {
      const missing = { code: -32601, message: "Method not found" }
      const agent = yield* scripted({
        resume: { error: missing },
        load: { replay: [{ user: "one" }, { text: "two" }] }
      })
      const session = yield* agent.start({ resume, knownPrompts: ["one"] })
      assert.strictEqual(session.origin, "loaded")
      yield* play(agent, "t1", { text: "three" })
      assert.deepEqual(yield* seen(agent), ["session loaded", "says: three"])
    })
  )

  it.live(
    "gives way to a new one that says why, where resuming is offered and not there and nothing else is offered",
    () =>
      Effect.gen(function* () {
        const agent = yield* scripted({ resume: { error: { code: -32601, message: "Method not found" } } })
        const session = yield* agent.start({ resume, knownPrompts: ["one"] })
        assert.strictEqual(session.origin, "replaced")
        assert.include(agent.of("session.started")[0]?.problem?.cause, "-32601")
      })
  )

  /** More than a busy machine takes between two pieces of a history. */
  const patient = { timing: { silence: Duration.seconds(1), noHistory: Duration.seconds(1) } }
  const history = [
    { user: "Fix the " },
    { user: "test" },
    { thought: "Hm" },
    call("old", { status: "completed" }),
    { text: "Fixed." },
    { user: "Thanks" },
    { text: "Any time." }
  ]

  it.live("[44] is not shown again, though its history comes behind the answer, in one piece or slowly", () =>
    Effect.gen(function* () {
      for (const replayAfter of [history, history.flatMap((step) => [{ wait: 20 }, step])]) {
        const agent = yield* scripted({ load: { replayAfter } }, patient)
        yield* agent.start({ resume, knownPrompts: ["Fix the test", "Thanks"] })
        const end = yield* play(agent, "t1", call("new"), change("new", { status: "completed" }), { text: "Done." })
        assert.strictEqual(end.outcome, "completed")
        assert.deepEqual(yield* seen(agent), ["session loaded", "tool new: completed", "says: Done."])
      }
    })
  )

  it.live("shows once what its history holds beyond ours, though it comes behind the answer", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ load: { replayAfter: history } }, patient)
      yield* agent.start({ resume, knownPrompts: ["Fix the test"] })
      yield* play(agent, "t1", { text: "Done." })
      assert.deepEqual(yield* seen(agent), [
        "session loaded",
        "earlier: prompt: Thanks",
        "earlier: says: Any time.",
        "says: Done."
      ])
    })
  )

  it.live("says what it says anew behind the answer, where that is no history", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ load: { replayAfter: [{ text: "Welcome back." }] } }, patient)
      yield* agent.start({ resume, knownPrompts: ["Fix the test"] })
      yield* play(agent, "t1", { text: "Done." })
      assert.deepEqual(yield* seen(agent), ["session loaded", "says: Welcome back.", "says: Done."])
    })
  )
})
