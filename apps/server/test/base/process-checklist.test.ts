/** Statements of the protocol's checklist that only a real server with a real agent can show: what leaves it, and what it keeps. */
import { ProviderId } from "@signalbox/contracts/Provider"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { isObject, type JsonObject, objectIn, parseJson, textIn } from "@signalbox/stand-in-agents/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

/** Params of what an agent received by this method. */
const received = (log: string, method: string): ReadonlyArray<JsonObject> =>
  readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      const entry = parseJson(line)
      const message = isObject(entry) ? objectIn(entry, "message") : {}
      return textIn(message, "method") === method ? [objectIn(message, "params")] : []
    })

const filesBelow = (folder: string): ReadonlyArray<readonly [name: string, text: string]> =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [[entry.name, readFileSync(join(entry.parentPath, entry.name), "latin1")] as const] : []
  )

describe("a server", () => {
  it.live("[18] keeps nothing of what it says in `authenticate`, in no tape, log or database", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const agent = temporaryFolder("agent")
      const log = join(agent, "received.ndjson")
      const methodId = "a-way-in-that-nobody-writes-down"
      const { open, prompt, server } = yield* served(state)
      const setup = {
        authRequired: true,
        initialize: { authMethods: [{ id: methodId, name: "A way in" }] },
        // An answer of the agent may quote the request.
        authenticate: { error: { code: -32000, message: "Not by this way" } }
      }
      writeFileSync(join(agent, "setup.json"), JSON.stringify(setup))
      const { threadId, watcher } = yield* open("secret", {
        ...scriptedCommand,
        auth: { methodId },
        env: { SCRIPTED_AGENT: join(agent, "setup.json"), SCRIPTED_AGENT_LOG: log }
      })
      yield* prompt(threadId, "t1", { text: "Hello" })
      yield* watcher.until(({ turns }) => turns.some(({ status }) => status === "failed"))
      server.kill("SIGTERM")
      yield* server.ended
      assert.deepStrictEqual(
        received(log, "authenticate").map((params) => textIn(params, "methodId")),
        [methodId]
      )
      const files = filesBelow(state)
      const taped = files.flatMap(([, text]) => text.split("\n").filter((line) => line.includes('"authenticate"')))
      assert.lengthOf(taped, 1)
      assert.include(taped[0], '"params":"[redacted]"')
      // The agent itself offers this method, and people see the offer. The thread's options hold what people have set.
      const others = files.flatMap(([name, text]) =>
        text
          .replaceAll(`"auth":{"methodId":"${methodId}"}`, "")
          .replaceAll(`"methods":[{"id":"${methodId}"`, "")
          .split("\n")
          .filter((line) => line.includes(methodId) && !line.includes('"authMethods"'))
          .map(
            (line) => `${name}: ${line.slice(Math.max(0, line.indexOf(methodId) - 120), line.indexOf(methodId) + 80)}`
          )
      )
      assert.deepStrictEqual(others, [])
    })
  )

  it.live("[109] sends a boolean option with its type, and a select option without", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("agent"), "received.ndjson")
      const { open, prompt, send } = yield* served(temporaryFolder("state"))
      const options = [
        { value: "low", name: "Low" },
        { value: "high", name: "High" }
      ]
      const configOptions = [
        { id: "fast", name: "Fast", type: "boolean", currentValue: false },
        { id: "effort", name: "Effort", type: "select", currentValue: "low", options }
      ]
      const { threadId, watcher } = yield* open("typed", {
        ...scriptedCommand,
        env: { SCRIPTED_AGENT: JSON.stringify({ newSession: { configOptions } }), SCRIPTED_AGENT_LOG: log }
      })
      yield* prompt(threadId, "t1", { text: "Hello" })
      yield* watcher.until(({ turns }) => turns.some(({ status }) => status === "completed"))
      for (const [settingId, value] of [
        ["fast", true],
        ["effort", "high"]
      ] as const) {
        yield* send(threadId, { type: "setting.set", settingId, value })
        yield* watcher.until(({ settings }) =>
          settings.some((setting) => setting.id === settingId && "value" in setting && setting.value === value)
        )
      }
      const sent = received(log, "session/set_config_option")
      assert.deepStrictEqual(
        sent.map(({ configId, type, value }) => [configId, type, value]),
        [
          ["fast", "boolean", true],
          ["effort", undefined, "high"]
        ]
      )
    })
  )

  it.live("[126] asks Cursor for models with parameters, and for its sub-agents", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("agent"), "received.ndjson")
      const { send, watch } = yield* served(temporaryFolder("state"))
      const threadId = ThreadId.make("cursor")
      yield* send(threadId, {
        type: "thread.create",
        provider: ProviderId.make("cursor-simulated"),
        cwd: temporaryFolder("project"),
        providerOptions: { cursor: { env: { FAKE_CURSOR_LOG: log, FAKE_CURSOR_TIME_SCALE: "0" } } }
      })
      const watcher = yield* watch(threadId)
      const prompt = [{ type: "text" as const, text: "[[fake:echo]]" }] as const
      yield* send(threadId, { type: "turn.start", turnId: TurnId.make("t1"), prompt })
      yield* watcher.until(({ turns }) => turns.some(({ status }) => status === "completed"))
      assert.deepStrictEqual(
        received(log, "initialize").map((params) => objectIn(objectIn(params, "clientCapabilities"), "_meta")),
        [{ parameterizedModelPicker: true, subagents: {} }]
      )
    })
  )
})
