/** The settings of the agent for suggestions: what a page sees and changes, and what the agent hears of it. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId, ThreadId } from "@signalbox/contracts/Ids"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import { agentOf, given, page, put, setUp, settingsOf, toldUntil } from "./Page.ts"

const text = "item1 = f(10)\nitem2 = f(20)\nitem\n"
const suggester = fileURLToPath(new URL("../agents/suggester.mjs", import.meta.url))

const values = (settings: ReadonlyArray<SessionSetting>) =>
  settings.map((setting) => [setting.id, setting.type === "unknown" ? setting.raw : setting.value])

/** What the agent got, as soon as the tape has a call of this method. An answer may be on the page before its call is on the disk. */
const toldUpTo = (tape: string, wanted: string) => toldUntil(tape, (all) => all.some(({ method }) => method === wanted))

describe("settings of the agent for suggestions", { timeout: 60_000 }, () => {
  it.live("are shown, changed as people choose, seen by the other page, and hold for the next session", () =>
    Effect.gen(function* () {
      const { client, cwd, state } = yield* setUp()
      const mine = yield* page(client)
      const other = yield* page(client, "other")
      yield* mine.open("a.py", text)
      assert.lengthOf(given(yield* mine.suggest("a.py", 1, 2, 4)).suggestions, 1)
      const first = yield* mine.next("settings")
      assert.deepStrictEqual(values(first.settings), [
        ["scope", "all"],
        ["count", "3"]
      ])
      assert.deepStrictEqual(first.chosen, {})

      yield* mine.set("scope", "line")
      for (const each of [mine, other]) {
        const { settings } = yield* each.next("settings", ({ chosen }) => chosen["scope"] === "line")
        assert.deepInclude(values(settings), ["scope", "line"])
      }
      const { tape = "" } = yield* mine.sent()
      const told = yield* toldUpTo(tape, "session/set_config_option")
      const start = told.findIndex(({ method }) => method === "nes/start")
      const change = told.findIndex(({ method }) => method === "session/set_config_option")
      assert.isAbove(change, start)
      const asked = told.find(({ method }) => method === "nes/suggest")?.params
      const sessionId =
        typeof asked === "object" && asked !== null && "sessionId" in asked ? asked.sessionId : undefined
      assert.isString(sessionId)
      assert.deepStrictEqual(told[change]?.params, { sessionId, configId: "scope", value: "line" })

      // The server refuses a setting that the agent does not offer, and the agent hears nothing.
      for (const [id, value, cause] of [
        ["scope", "word", "Suggestions offers all, edits, line; not word."],
        ["scope", true, "Suggestions offers all, edits, line; not true."],
        ["speed", "high", "Nes offers no speed now."]
      ] as const) {
        const refused = yield* Effect.flip(mine.set(id, value))
        if (refused._tag !== "Refused") return assert.fail(refused._tag)
        assert.deepInclude(refused.problem, { code: "setting-rejected", title: "The setting was not changed.", cause })
      }

      // A new session of the agent gets the choice before the first document.
      put(state, settingsOf("--delay", "1"))
      yield* mine.next("on")
      yield* mine.open("a.py", text)
      yield* mine.suggest("a.py", 1, 2, 4)
      const again = yield* mine.next("settings", ({ settings }) => settings.length > 0)
      assert.deepInclude(values(again.settings), ["scope", "line"])
      assert.deepStrictEqual(again.chosen, { scope: "line" })
      const { tape: next = "" } = yield* mine.sent()
      assert.notStrictEqual(next, tape)
      assert.deepStrictEqual(
        (yield* toldUpTo(next, "nes/suggest")).map(({ method }) => method),
        ["initialize", "nes/start", "session/set_config_option", "document/didOpen", "nes/suggest"]
      )
      // It is listed, and can be forgotten, as other settings. Chats of this agent begin without it.
      const kept = yield* client.listRememberedSettings({ filter: {} })
      assert.deepStrictEqual(
        kept.map(({ cwd, providerId, settingId, value }) => ({ cwd, providerId, settingId, value })),
        [{ providerId: ProviderId.make("suggestions nes"), cwd, settingId: "scope", value: "line" }]
      )
    }).pipe(Effect.scoped)
  )

  it.live("that the agent changes by itself are shown, and its answers of before are not used again", () =>
    Effect.gen(function* () {
      const option = (currentValue: string) => ({
        id: "tone",
        label: "Tone",
        type: "enum",
        currentValue,
        options: [
          { value: "calm", label: "Calm" },
          { value: "bold", label: "Bold" }
        ]
      })
      const script = {
        configOptions: [option("calm")],
        errors: { "session/set_config_option": { code: -32602, message: "Not now" } },
        reports: { "nes/suggest": { sessionUpdate: "config_option_update", configOptions: [option("bold")] } }
      }
      const { client } = yield* setUp({
        agents: {
          own: { name: "Own", command: process.execPath, args: [suggester], env: { SUGGESTER: JSON.stringify(script) } }
        },
        suggestions: { provider: "own", debounce: 0 }
      })
      const mine = yield* page(client)
      yield* mine.open("a.py", text)
      yield* mine.suggest("a.py", 1, 2, 4, "automatic")
      const { chosen, settings } = yield* mine.next("settings", (frame) =>
        values(frame.settings).some(([, value]) => value === "bold")
      )
      assert.deepStrictEqual(settings, [
        {
          type: "select",
          id: "tone",
          name: "Tone",
          value: "bold",
          groups: [
            {
              choices: [
                { value: "calm", name: "Calm" },
                { value: "bold", name: "Bold" }
              ]
            }
          ]
        }
      ])
      assert.deepStrictEqual(chosen, {})
      assert.isFalse(given(yield* mine.suggest("a.py", 1, 2, 4, "automatic")).isKnown)
      // It refuses each change, and says so.
      const refused = yield* Effect.flip(mine.set("tone", "calm"))
      if (refused._tag !== "Refused") return assert.fail(refused._tag)
      assert.deepInclude(refused.problem, { code: "setting-rejected", title: "The setting was not changed." })
      assert.strictEqual(refused.problem.cause, 'It answered session/set_config_option with -32602, "Not now".')
    }).pipe(Effect.scoped)
  )

  it.live("of a page without an agent can’t be changed", () =>
    Effect.gen(function* () {
      const { client } = yield* setUp({ agents: { nes: agentOf() } })
      const mine = yield* page(client, "here", ThreadId.make("t"))
      const refused = yield* Effect.flip(mine.set("scope", "line"))
      if (refused._tag !== "Refused") return assert.fail(refused._tag)
      assert.strictEqual(refused.problem.cause, "Nobody makes suggestions for this page at the moment.")
    }).pipe(Effect.scoped)
  )
})
