/** The models that an agent lists before it has a session. They come over the WebSocket of a server as it really runs. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { isObject, objectIn, parseJson, textIn } from "@signalbox/stand-in-agents/Json"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as RpcClient from "effect/rpc/RpcClient"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CursorModels from "../../../src/provider/drivers/cursor/CursorModels.ts"
import { connect, reachable } from "../../cli/support/Conversation.ts"
import { agentsFolder, scriptedAgent, start, temporaryFolder } from "../../cli/support/Signalbox.ts"

const cursor = ProviderId.make("mine")

/** What a page gets that asks for the models of an agent of these settings, each time that it asks. */
const listed = Effect.fnUntraced(function* (agent: object, times = 1) {
  const state = temporaryFolder("state")
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: agent } }), { mode: 0o600 })
  const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
  return yield* Effect.gen(function* () {
    const client = yield* RpcClient.make(SignalboxRpc)
    const ask = client.listAgentModels({ providerId: cursor })
    return yield* Effect.forEach(Array.from({ length: times }), () => ask)
  }).pipe(Effect.provide(connect(yield* reachable(server))), Effect.scoped)
})

const emulated = (env: Readonly<Record<string, string>>) => ({
  providerOptions: {
    cursor: {
      binaryPath: join(agentsFolder, "cursor-agent"),
      env: { FAKE_CURSOR_STATE: temporaryFolder("cursor"), FAKE_CURSOR_TIME_SCALE: "0", ...env }
    }
  }
})

describe("the models of an agent that has no session", () => {
  it.live("are listed by Cursor, which is started once for it, and opens no session", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "cursor.ndjson")
      const [models, again] = yield* listed(emulated({ FAKE_CURSOR_LOG: log }), 2)
      assert.strictEqual(models?.settingId, "model")
      assert.deepInclude(models?.models ?? [], { value: "composer-2.5", name: "Composer 2.5" })
      assert.deepStrictEqual(again, models)
      const entries = readFileSync(log, "utf8").split("\n").map(parseJson).filter(isObject)
      const asked = entries.map((entry) => textIn(objectIn(entry, "message"), "method"))
      assert.lengthOf(
        asked.filter((method) => method === "cursor/list_available_models"),
        1
      )
      assert.notInclude(asked, "session/new")
      // Its command for that can end a Cursor that runs.
      assert.notInclude(JSON.stringify(entries.filter(({ type }) => type === "start")), '"models"')
    })
  )

  it.live("are asked for again by who has signed in, or has set the agent up in another way", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "cursor.ndjson")
      const state = temporaryFolder("state")
      const setUp = (more: Readonly<Record<string, string>>) =>
        writeFileSync(
          join(state, "settings.json"),
          JSON.stringify({ agents: { mine: emulated({ FAKE_CURSOR_LOG: log, ...more }) } }),
          { mode: 0o600 }
        )
      setUp({})
      const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const ask = client.listAgentModels({ providerId: cursor })
        assert.isNotNull(yield* ask)
        yield* Stream.runDrain(client.signIn({ providerId: cursor, methodId: "cursor_login" }))
        assert.isNotNull(yield* ask)
        const lists = readFileSync(log, "utf8").match(/"method":"cursor\/list_available_models"/g)
        assert.lengthOf(lists ?? [], 2)
        setUp({ FAKE_CURSOR_GEN: "2026.02" })
        // When the change is noticed, the process that had listed some is not asked again, nor its list shown.
        yield* Effect.repeat(ask, { until: (models) => models === null })
      }).pipe(Effect.provide(connect(yield* reachable(server))), Effect.scoped)
    })
  )

  it.live("are not listed by builds of Cursor that can't, nor by other agents", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* listed(emulated({ FAKE_CURSOR_GEN: "2026.02" })), [null])
      const [command = "", ...args] = scriptedAgent.split(" ")
      assert.deepStrictEqual(yield* listed({ command, args }), [null])
    })
  )

  it.live("are refused with the reason where the agent can't be started", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(listed({ providerOptions: { cursor: { binaryPath: "/no/such/cursor" } } }))
      assert.strictEqual(refused._tag, "Refused")
    })
  )

  it.live.each([
    ["no list", { models: "many" }, undefined],
    ["nothing", null, undefined],
    ["none", { models: [] }, undefined],
    [
      "values twice, without names, and of other types",
      { models: [{ value: "a" }, { value: "a", name: "A" }, { value: 1 }, { name: "B" }, "c"] },
      { settingId: "model", models: [{ value: "a", name: "a" }] }
    ]
  ] as const)("are read from an answer with %s", ([, answer, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* CursorModels.list({ extRequest: () => Effect.succeed(answer) }), expected)
    })
  )

  it.live("are a thousand at most", () =>
    Effect.gen(function* () {
      const models = Array.from({ length: 5_000 }, (_, index) => ({ value: `model-${index}`, name: "One of many" }))
      const read = yield* CursorModels.list({ extRequest: () => Effect.succeed({ models }) })
      assert.lengthOf(read?.models ?? [], 1_000)
    })
  )
})
