/** Why something did not work, in the agent's own words, and who says so. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as AgentName from "../../src/provider/acp/profile/AgentName.ts"
import { rpcProblem } from "../../src/provider/acp/connection/AgentProblems.ts"
import * as ErrorWords from "../../src/provider/acp/connection/ErrorWords.ts"
import * as SettingsModel from "../../src/provider/acp/projection/SettingsModel.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import { ProviderId } from "@signalbox/contracts/Provider"
import { play as run } from "../cli/support/Runs.ts"
import { call } from "../cli/support/Signalbox.ts"
import { call as tool, change, play, scripted, seen } from "../support/ScriptedAgent.ts"
import { clineSettings } from "./scenarios/cline-settings.ts"
import { qwenExpired } from "./scenarios/qwen-expired.ts"

const words = (data: unknown, message = "Internal error") => ErrorWords.wordsOf({ message, data })

describe("the reason of an error", () => {
  it("is what its data says, wherever the words stand in it", () => {
    for (const data of [
      "It expired.",
      { details: "It expired." },
      { message: "It expired." },
      { error: { message: "It expired.", code: 7 } },
      { error: "Internal error", cause: { reason: "It expired." } },
      { details: '{"error":{"message":"It expired.","status":"UNAUTHENTICATED"}}' },
      { errors: [{ detail: "It expired." }, { detail: "Another." }] }
    ]) {
      assert.strictEqual(words(data), "It expired.", JSON.stringify(data))
    }
  })

  it("stands behind a message that says something itself, and never twice", () => {
    assert.strictEqual(words({ details: "No such model" }, "Can't start"), "Can't start: No such model")
    assert.strictEqual(words({ message: "No such model: x" }, "No such model"), "No such model: x")
    assert.strictEqual(words({ uri: "s" }, "Resource not found: s"), "Resource not found: s")
    assert.strictEqual(words({ details: "Can't" }, "Can't start"), "Can't start")
  })

  it("is the message where the data holds no words, in whatever shape it comes", () => {
    let deep: unknown = "bottom"
    for (let level = 0; level < 500; level++) deep = { error: deep }
    const wide = { errors: Array.from({ length: 100_000 }, () => ({ message: 1 })) }
    for (const data of [undefined, null, 7, [], {}, { details: 7 }, { details: "" }, { message: [] }, deep, wide]) {
      assert.strictEqual(words(data), "Internal error")
    }
  })

  it("is not put into the agent's mouth where its answer could not be read", () => {
    const error = new RpcError({ code: -32600, message: "The message is too long", unread: true })
    const { cause, code, evidence } = rpcProblem(GenericProfile, "nes/suggest", error)
    assert.deepStrictEqual(
      [code, cause],
      ["protocol-violation", "Its answer to nes/suggest was not read: The message is too long."]
    )
    assert.deepStrictEqual(evidence, { method: "nes/suggest" })
  })

  it("is cut behind a whole word, so that no half of a secret stays", () => {
    const long = words({ details: `${"word ".repeat(399)}sk-secret-secret and more` })
    assert.isAtMost(long.length, 2_010)
    assert.notInclude(long, "sk-")
    assert.strictEqual(words({ details: "x".repeat(1_000_000) }), "Internal error")
  })

  it("is the cause that people are shown, for signing in as well", () => {
    const error = new RpcError({ code: -32_603, message: "Internal error", data: { details: "It expired." } })
    const { cause, title } = rpcProblem({ ...GenericProfile, name: "Qwen" }, "authenticate", error)
    assert.strictEqual(title, "Qwen could not sign you in.")
    assert.strictEqual(cause, 'It answered authenticate with -32603, "It expired.".')
  })

  it.live("holds no secret of the agent's environment", () =>
    Effect.gen(function* () {
      const secret = "k-4f9c1e7a2b8d6053"
      const error = { code: -32_603, message: "Internal error", data: { details: `The key ${secret} expired.` } }
      const agent = yield* scripted({ newSessionErrors: [error, error] }, { env: { AGENT_API_KEY: secret } })
      const { problem } = yield* Effect.flip(agent.start())
      assert.include(problem.cause, "expired.")
      assert.notInclude(JSON.stringify(problem), secret)
    })
  )

  it.live("stands on the terminal, under the agent's own name", () =>
    Effect.gen(function* () {
      const ended = yield* call(run([{ text: "never" }]), { env: { SCRIPTED_AGENT: JSON.stringify(qwenExpired) } })
      assert.strictEqual(ended.code, 1)
      assert.include(ended.stderr, "error: Qwen Code could not do that.")
      assert.include(ended.stderr, 'with -32603, "Qwen OAuth credentials expired. Please sign in again.".')
    })
  )
})

describe("the name of an agent", () => {
  type Info = Parameters<ReturnType<typeof AgentName.profileOf>["introduce"]>[1]["agentInfo"]
  const named = (id: string, name: string, agentInfo?: Info, command = "/usr/bin/node") => {
    const provider = { id: ProviderId.make(id), kind: "acp" as const, name, simulated: false }
    const { introduce, profile } = AgentName.profileOf(GenericProfile, provider)
    introduce({ command, args: [], env: {} }, agentInfo === undefined ? {} : { agentInfo })
    return profile.name
  }

  it("is that of the settings, whatever the agent calls itself", () => {
    assert.strictEqual(named("mine", "Mine", { name: "cursor", title: "Cursor", version: "1" }), "Mine")
  })

  it("is the known one of its program, then its own, then that of its program's file", () => {
    assert.strictEqual(
      named("custom", "gemini", { name: "x", title: "Cursor", version: "1" }, "/bin/gemini"),
      "Gemini CLI"
    )
    assert.strictEqual(named("custom", "node", { name: "codex", title: "Codex", version: "1" }), "Codex")
    assert.strictEqual(named("custom", "node", { name: "Kilo", version: "7" }), "Kilo")
    assert.strictEqual(named("custom", "node"), "node")
  })

  it("hides nothing, steers no terminal and is short", () => {
    assert.strictEqual(named("custom", "node", { name: "x", title: "\u001b[31m\u202eA\nB", version: "1" }), "A B")
    assert.strictEqual(named("custom", "node", { name: "x".repeat(1_000_000), version: "1" }).length, 40)
    assert.strictEqual(named("custom", "node", { name: " ", title: "", version: "1" }), "node")
  })
})

describe("a turn that ends without a word", () => {
  const silent = "warning: Agent ended its turn without saying anything."

  it.live("is reported as such", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", { update: { sessionUpdate: "usage_update", used: 0, size: 10 } }, { text: "" })
      assert.deepEqual(yield* seen(agent), [silent])
      const [warning] = agent.of("runtime.warning")
      assert.strictEqual(warning?.turnId, "t1")
    })
  )

  it.live("is not one in which something was done, or that ended otherwise", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const entries = [{ content: "Look", priority: "low", status: "pending" }]
      const turns: ReadonlyArray<ReadonlyArray<object>> = [
        [{ text: "Hello" }],
        [{ thought: "Hm" }],
        [tool("c1"), change("c1", { status: "completed" })],
        [{ update: { sessionUpdate: "plan", entries } }],
        [{ update: { sessionUpdate: "notice", severity: "info", title: "Read this" } }],
        [{ update: { sessionUpdate: "of_tomorrow" } }],
        [{ stop: "refusal" }],
        [{ stop: "max_tokens" }],
        [{ error: { code: 1, message: "No" } }]
      ]
      for (const [index, steps] of turns.entries()) yield* play(agent, `t${index}`, ...steps)
      assert.notInclude(yield* seen(agent), silent)
    })
  )

  it.live("is reported on the terminal", () =>
    Effect.gen(function* () {
      const ended = yield* call(run([{ stop: "end_turn" }]))
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.include(ended.stderr, "ended its turn without saying anything.")
    })
  )
})

describe("what is not shown as what it is not", () => {
  it.live("a mode, where the agent offers none", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      const mode = { update: { sessionUpdate: "current_mode_update", currentModeId: "default" } }
      yield* play(agent, "t1", mode, { text: "Hello" })
      assert.deepEqual(yield* seen(agent), ["says: Hello"])
      assert.deepEqual(agent.of("protocol.unknown"), [])
    })
  )

  it.live("text outside of a turn, as the end of the turn before", () =>
    Effect.gen(function* () {
      const agent = yield* scripted()
      yield* agent.start()
      yield* play(agent, "t1", { text: "Done." }, { after: [{ text: "By the way" }] })
      yield* agent.next("message.delta", ({ text }) => text.includes("By the way"))
      yield* play(agent, "t2", { text: "Again." })
      assert.deepEqual(yield* seen(agent), ["says: Done.", "late: says: By the way", "says: Again."])
    })
  )

  it.live("a provider, as the model beside it", () =>
    Effect.gen(function* () {
      const agent = yield* scripted(clineSettings)
      yield* agent.start()
      const [{ settings } = { settings: [] }] = agent.of("settings.updated")
      assert.deepEqual(
        settings.map(({ category, id }) => [id, category]),
        [
          ["provider", "model_config"],
          ["model", "model"]
        ]
      )
      assert.deepEqual(
        settings.filter(SettingsModel.isModel).map(({ id }) => id),
        ["model"]
      )
      const ended = yield* call(run([{ text: "never" }], "--model", "small"), {
        env: { SCRIPTED_AGENT: JSON.stringify(clineSettings) }
      })
      assert.strictEqual(ended.code, 0, ended.stderr)
    })
  )

  it("an option with the category of the model is the model where there is no other", () => {
    const options = [
      { type: "select" as const, id: "llm", name: "LLM", category: "model", currentValue: "a", options: [] }
    ]
    assert.deepEqual(SettingsModel.fromConfigOptions(options).filter(SettingsModel.isModel).length, 1)
  })
})
