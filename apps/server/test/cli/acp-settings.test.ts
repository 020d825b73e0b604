/** Settings, modes and sign-in of the agent behind `signalbox acp`, and the errors that an editor gets. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const { authenticate, session } = acp.methods.agent

const configOptions = [
  {
    id: "mode",
    name: "Mode",
    category: "mode",
    type: "select",
    currentValue: "agent",
    options: [
      { value: "agent", name: "Agent" },
      { value: "plan", name: "Plan", description: "Reads only" }
    ]
  },
  { id: "fast", name: "Fast", type: "boolean", currentValue: false }
]

const behaviour = (setup: object) => ({ SCRIPTED_AGENT: JSON.stringify(setup) })

describe("settings in signalbox acp", () => {
  it.live("are those of the agent behind: listed, chosen in the editor or on the page, and refused in words", () =>
    Effect.gen(function* () {
      const state = SdkEditor.stateWithScripts(behaviour({ newSession: { configOptions } }))
      const page = yield* served(state)
      const capabilities = { session: { configOptions: { boolean: {} } } }
      const editor = yield* SdkEditor.start(state, { capabilities })
      const started = yield* editor.newSession(temporaryFolder("project"))
      const { sessionId } = started
      assert.deepStrictEqual<unknown>(started.configOptions, configOptions)
      assert.strictEqual(started.modes?.currentModeId, "agent")
      const plain = yield* SdkEditor.start(state)
      const without = yield* plain.newSession(temporaryFolder("project"))
      assert.deepStrictEqual<unknown>(without.configOptions, configOptions.slice(0, 1))

      const threadId = ThreadId.make(sessionId)
      const watcher = yield* page.watch(threadId)
      const { configOptions: after } = yield* editor.request((agent) =>
        agent.request(session.setConfigOption, { sessionId, configId: "fast", type: "boolean", value: true })
      )
      assert.deepInclude(after[1], { id: "fast", currentValue: true })
      yield* watcher.until(({ settings }) =>
        settings.some((one) => one.id === "fast" && one.type === "boolean" && one.value)
      )
      yield* editor.request((agent) => agent.request(session.setMode, { sessionId, modeId: "plan" }))
      yield* page.send(threadId, { type: "setting.set", settingId: "mode", value: "agent" })
      yield* editor.until(
        ({ updates }) => SdkEditor.ofKind(updates, "current_mode_update").at(-1)?.currentModeId === "agent"
      )

      const refused = yield* editor.refused((agent) =>
        agent.request(session.setConfigOption, { sessionId, configId: "mode", value: "odd" })
      )
      assert.match(refused.message, /^mode can't be set to odd\./)
    }).pipe(Effect.scoped)
  )

  it.live("sign-in: the editor learns that it is needed, signs in, and begins", () =>
    Effect.gen(function* () {
      const state = SdkEditor.stateWithScripts(
        behaviour({ authRequired: true, initialize: { authMethods: [{ id: "browser", name: "By browser" }] } })
      )
      yield* served(state)
      const editor = yield* SdkEditor.start(state)
      const [method] = editor.initialized.authMethods ?? []
      const cwd = temporaryFolder("project")
      const refused = yield* editor.refused((agent) => agent.request(session.new, { cwd, mcpServers: [] }))
      assert.strictEqual(refused.code, -32_000)
      const { sessions } = yield* editor.request((agent) => agent.request(session.list, {}))
      assert.deepStrictEqual(sessions, [], "no thread stays that never began")
      assert.match(refused.message, /sign/i)
      yield* editor.request((agent) => agent.request(authenticate, { methodId: method?.id ?? "" }))
      assert.lengthOf(editor.initialized.authMethods ?? [], 1, "this editor has no terminals")
      const withTerminals = yield* SdkEditor.start(state, { capabilities: { auth: { terminal: true } } })
      const inTerminal = withTerminals.initialized.authMethods?.find((one) => "args" in one)
      assert.deepInclude(inTerminal, { type: "terminal", args: ["--sign-in"] })
      const byHand = yield* call(["acp", "--state-dir", state, "--provider", "scripts", "--sign-in"])
      assert.strictEqual(byHand.code, 0, byHand.stderr)
      const other = yield* editor.refused((agent) => agent.request(authenticate, { methodId: "odd" }))
      assert.strictEqual(other.code, -32_602)
    }).pipe(Effect.scoped)
  )

  it.live("an agent that is not there, or crashes in its turn, is an error with the cause and the next step", () =>
    Effect.gen(function* () {
      const state = SdkEditor.stateWithScripts(behaviour({ resume: {} }))
      yield* served(state)
      const stray = yield* SdkEditor.start(state, { flags: ["--provider", "nobody"] })
      const cwd = temporaryFolder("project")
      const unknown = yield* stray.refused((agent) => agent.request(session.new, { cwd, mcpServers: [] }))
      assert.match(unknown.message, /nobody/)
      const editor = yield* SdkEditor.start(state)
      const { sessionId } = yield* editor.newSession(cwd)
      const turn = yield* Effect.forkScoped(
        editor.refused((agent) =>
          agent.request(session.prompt, { sessionId, prompt: [SdkEditor.promptOf({ text: "a" }, { crash: 7 })] })
        )
      )
      const error = yield* Fiber.join(turn)
      assert.strictEqual(error.code, -32_603)
      assert.match(error.message, /exit code 7|code 7/)
      yield* editor.prompt(sessionId, { text: "b" })
      const empty = yield* editor.refused((agent) => agent.request(session.prompt, { sessionId, prompt: [] }))
      assert.strictEqual(empty.code, -32_602)
    }).pipe(Effect.scoped)
  )
})
