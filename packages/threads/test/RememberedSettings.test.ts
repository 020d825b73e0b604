/** What earlier threads hand on to the first session of a new one, and what the transcript says of it. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { type BareOrchestration, Log, provider } from "./support/Log.ts"

const remembered = { mode: "bypass", fast: true, gone: "x" }

const created = (settings: Record<string, SettingValue>): BareOrchestration => ({
  type: "thread.created",
  provider,
  cwd: "/project",
  title: "New thread",
  providerOptions: {},
  settings,
  remembered
})

const begun = (settings: Record<string, SettingValue> = {}) =>
  new Log().said(created(settings)).done(
    {
      type: "session.started",
      origin: "new",
      resumeToken: ResumeToken.make("token"),
      capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false }
    },
    {
      type: "settings.updated",
      settings: [
        {
          type: "select",
          id: "mode",
          name: "Mode",
          category: "mode",
          value: "bypass",
          groups: [{ choices: [{ value: "bypass", name: "Bypass permissions" }] }]
        },
        { type: "boolean", id: "fast", name: "Fast mode", value: true }
      ]
    }
  )

const warnings = (log: Log) => log.view.items.flatMap((item) => (item.type === "warning" ? [item.message] : []))

describe("remembered settings", () => {
  it("are wished for like others, and the first session says in the transcript which of them it has", () => {
    const log = begun()
    assert.deepStrictEqual(log.view.desired, remembered)
    const applied = [
      { settingId: "mode", value: "bypass" },
      { settingId: "fast", value: true }
    ]
    const skipped = [{ settingId: "gone", value: "x", reason: "The agent no longer offers it." }]
    log.done({ type: "session.configured", applied, skipped })
    assert.deepStrictEqual(warnings(log), ["As chosen last in this folder: Mode “Bypass permissions”, Fast mode on."])
    assert.deepStrictEqual(log.view.desired, { mode: "bypass", fast: true })
    assert.notProperty(log.view, "remembered")
  })

  it("are said once: of later sessions only what could not be put in place again", () => {
    const log = begun()
    log.done({ type: "session.configured", applied: [{ settingId: "mode", value: "bypass" }], skipped: [] })
    log.done({
      type: "session.configured",
      applied: [{ settingId: "mode", value: "bypass" }],
      skipped: [{ settingId: "fast", value: true, reason: "Not now." }]
    })
    assert.deepStrictEqual(warnings(log), [
      "As chosen last in this folder: Mode “Bypass permissions”.",
      "fast could not be set to true again."
    ])
    assert.isTrue(log.view.desired.fast)
  })

  it("give way to what was chosen in the thread itself, of which nothing is said", () => {
    const log = begun({ mode: "plan" })
    log.said({ type: "setting.requested", settingId: "fast", value: false })
    const applied = [
      { settingId: "mode", value: "plan" },
      { settingId: "fast", value: false }
    ]
    log.done({ type: "session.configured", applied, skipped: [] })
    assert.deepStrictEqual(warnings(log), [])
    assert.deepInclude(log.view.desired, { mode: "plan", fast: false })
  })
})
