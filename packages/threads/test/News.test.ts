/** What moves a thread's time in the list: only what concerns people. */
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import { type BareOrchestration, type BareRuntime, item, providerSessionId, running, turn } from "./support/Log.ts"

const idle = () => running("one").done({ type: "turn.completed", turnId: turn("one"), outcome: "completed" })
const capabilities = { rollback: { supported: false, reason: "" }, resume: true, images: false } as const
const problem = { code: "internal", title: "It ended.", cause: "?", evidence: {}, nextSteps: [] } as const

/** What a server notes when it takes over an idle thread, and what its agent says when it is resumed. */
const quiet: ReadonlyArray<BareRuntime> = [
  { type: "session.exited", providerSessionId, expected: true },
  { type: "session.started", origin: "resumed", resumeToken: ResumeToken.make("token"), capabilities },
  { type: "commands.updated", commands: [] },
  { type: "settings.updated", settings: [] },
  { type: "session.info.updated", title: "Another" },
  { type: "usage.updated", used: 1, size: 2 },
  { type: "runtime.warning", message: "Ended after 30 minutes without work." },
  { type: "message.delta", itemId: item("old"), offset: 0, text: "said before", replayed: true }
]

const own: ReadonlyArray<BareOrchestration> = [
  { type: "session.start.requested" },
  { type: "session.stop.requested" },
  { type: "thread.renamed", title: "Another" },
  { type: "setting.requested", settingId: "mode", value: "plan" }
]

const news: ReadonlyArray<BareOrchestration> = [
  { type: "turn.queued", turnId: turn("two"), prompt: [{ type: "text", text: "more" }] },
  { type: "session.start.failed", problem },
  { type: "turn.lost", turnId: turn("one"), reason: "restarted" }
]

describe("the time of a thread in the list", () => {
  it("stays when an agent ends, resumes, and says what it offers", () => {
    const log = idle()
    const { updatedAt } = log.view
    for (const event of quiet) assert.strictEqual(log.done(event).view.updatedAt, updatedAt, event.type)
    for (const event of own) assert.strictEqual(log.said(event).view.updatedAt, updatedAt, event.type)
  })

  it("moves with prompts, turns, and agents that end by themselves", () => {
    const log = idle()
    for (const event of news) assert.strictEqual(log.said(event).view.updatedAt, log.events.length, event.type)
    log.done({ type: "session.exited", providerSessionId, expected: false, problem })
    assert.strictEqual(log.view.updatedAt, log.events.length)
    log.done({ type: "runtime.warning", turnId: turn("one"), message: "Of a turn." })
    assert.strictEqual(log.view.updatedAt, log.events.length)
    log.done({ type: "message.delta", itemId: item("new"), offset: 0, text: "said now" })
    assert.strictEqual(log.view.updatedAt, log.events.length)
  })
})
