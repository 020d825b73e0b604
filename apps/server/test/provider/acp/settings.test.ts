import { assert, describe, it } from "@effect/vitest"
import { read } from "@signalbox/acp/SessionUpdates"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as DesiredSettings from "../../../src/provider/acp/session/DesiredSettings.ts"
import * as SettingsModel from "../../../src/provider/acp/projection/SettingsModel.ts"

/** Settings as a session reads them from the wire. */
const options = (configOptions: ReadonlyArray<object>): ReadonlyArray<SessionSetting> => {
  const update = { sessionUpdate: "config_option_update", configOptions }
  const incoming = read({ method: "session/update", params: { sessionId: "s", update }, line: 1 }, () => {})
  assert(incoming._tag === "Known" && incoming.update.sessionUpdate === "config_option_update")
  return SettingsModel.fromConfigOptions(incoming.update.configOptions)
}

const flat = {
  id: "effort",
  name: "Effort",
  category: "thought_level",
  type: "select",
  currentValue: "high",
  options: [
    { value: "low", name: "Low" },
    { value: "high", name: "High", description: "Slow" }
  ]
}

describe("SettingsModel", () => {
  it("[110][111] keeps the agent's order, flat choices, groups, booleans and unknown types", () => {
    const settings = options([
      { ...flat, id: "z" },
      {
        id: "model",
        name: "Model",
        type: "select",
        currentValue: "gone",
        options: [
          { group: "a", name: "A", options: [{ value: "a1", name: "A1" }] },
          { group: "b", name: "B", options: [] }
        ]
      },
      { id: "fast", name: "Fast", type: "boolean", currentValue: true },
      { id: "dial", name: "Dial", type: "slider", currentValue: 3, max: 9 }
    ])
    assert.deepStrictEqual(
      settings.map(({ id, type }) => [id, type]),
      [
        ["z", "select"],
        ["model", "select"],
        ["fast", "boolean"],
        ["dial", "unknown"]
      ]
    )
    const [z, model, fast, dial] = settings
    assert(z?.type === "select" && model?.type === "select" && fast?.type === "boolean" && dial?.type === "unknown")
    assert.deepStrictEqual(z.groups, [
      {
        choices: [
          { value: "low", name: "Low" },
          { value: "high", name: "High", description: "Slow" }
        ]
      }
    ])
    assert.strictEqual(model.value, "gone")
    assert.deepStrictEqual(model.groups, [
      { name: "A", choices: [{ value: "a1", name: "A1" }] },
      { name: "B", choices: [] }
    ])
    assert.strictEqual(fast.value, true)
    assert.include(dial.raw, '"max":9')
  })

  it("[112] prefers config options, even none of them, to modes and models", () => {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] }
    assert.deepStrictEqual(SettingsModel.fromOffer({ configOptions: [], modes }), [])
    assert.deepStrictEqual(
      SettingsModel.fromOffer({ configOptions: null, modes, models: { availableModels: [{ modelId: "m" }] } }).map(
        ({ id }) => id
      ),
      ["mode", "model"]
    )
  })

  it("says why a value cannot be set", () => {
    const [effort] = options([flat])
    assert(effort !== undefined)
    assert.isUndefined(SettingsModel.refusal(effort, "low"))
    assert.strictEqual(SettingsModel.refusal(effort, "max"), "Effort offers low, high; not max.")
    assert.isDefined(SettingsModel.refusal(effort, true))
  })

  it("changes one value and nothing else", () => {
    const before = options([flat, { ...flat, id: "other" }])
    const after = SettingsModel.withValue(before, "effort", "low")
    assert.deepStrictEqual(after[1], before[1])
    assert(after[0]?.type === "select")
    assert.strictEqual(after[0].value, "low")
  })
})

describe("DesiredSettings", () => {
  it.effect("a setting that the agent never answers is skipped after 15 s, and the others are put in place", () =>
    Effect.gen(function* () {
      const offered = [flat, { id: "fast", name: "Fast", type: "boolean", currentValue: false }]
      const settable: DesiredSettings.Settable = {
        client: {
          setConfigOption: ({ configId }) =>
            configId === "effort" ? Effect.never : Effect.succeed({ configOptions: [] }),
          setMode: () => Effect.never,
          setModel: () => Effect.never
        },
        sessionId: "s",
        byConfig: true,
        current: () => options(offered),
        replace: () => undefined
      }
      const changeable: DesiredSettings.Changeable = {
        current: settable.current,
        set: (id, value) => DesiredSettings.set(settable, id, value)
      }
      const running = yield* Effect.forkChild(DesiredSettings.apply(changeable, { effort: "low", fast: true }), {
        startImmediately: true
      })
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* Fiber.join(running), {
        applied: [{ settingId: "fast", value: true }],
        skipped: [{ settingId: "effort", value: "low", reason: "The agent did not answer in 15 s." }]
      })
    })
  )
})
