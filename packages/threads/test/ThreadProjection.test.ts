import { assert, describe, it } from "@effect/vitest"
import type * as Grants from "@signalbox/contracts/Grants"
import type { Problem } from "@signalbox/contracts/Problem"
import { ProviderSessionId, ResumeToken } from "@signalbox/contracts/Ids"
import { apply, runningTurn, summary, withEarlier } from "../src/ThreadProjection.ts"
import type { ToolStatus } from "@signalbox/contracts/ToolCall"
import type { TurnStatus } from "@signalbox/contracts/ThreadView"
import { approval, type BareRuntime, created, item, Log, ready, request, running, tool, turn } from "./support/Log.ts"

const one = turn("one")
const two = turn("two")
const problem: Problem = { code: "internal", title: "It broke.", cause: "", evidence: {}, nextSteps: [] }
const statuses = (log: Log) => log.view.turns.map(({ status }) => status)
const types = (log: Log) => log.view.items.map(({ type }) => type)

describe("a log", () => {
  it("begins with the creation of its thread, and has one", () => {
    assert.throws(() => apply(undefined, []), RangeError)
    assert.throws(() => new Log().said({ type: "session.start.requested" }).view, /not session.start.requested/)
    assert.throws(() => new Log().said(created, created).view, /created once/)
  })

  it("leaves the state before it as it was", () => {
    const log = running("one")
    const before = log.view
    const copy = JSON.stringify(before)
    log.done({ type: "message.delta", turnId: one, itemId: item("m"), offset: 0, text: "hi" })
    log.done({ type: "turn.completed", turnId: one, outcome: "completed" })
    apply(before, log.events.slice(4))
    assert.strictEqual(JSON.stringify(before), copy)
  })
})

describe("a title", () => {
  const queued = (text: string) => ({
    type: "turn.queued" as const,
    turnId: one,
    prompt: [{ type: "text" as const, text }]
  })

  it("is the first line of the first prompt, cut where it is long", () => {
    assert.strictEqual(new Log().said(created, queued("\n  Fix it  \nplease")).view.title, "Fix it")
    assert.strictEqual(new Log().said(created, queued(" \n ")).view.title, "New thread")
    const long = new Log().said(created, queued("word ".repeat(40))).view.title
    assert.strictEqual(long.length, 72)
    assert.isTrue(long.endsWith("…"))
  })

  it("is the next prompt's where the first was taken back, and stays that of a first one that is over", () => {
    const [two, three] = [turn("two"), turn("three")]
    const next = (turnId: typeof one, text: string) => ({ ...queued(text), turnId })
    const log = new Log().said(created, queued("Fix it"), { type: "turn.withdrawn", turnId: one })
    assert.strictEqual(log.view.title, "Fix it")
    log.said(
      next(two, "Better this"),
      { type: "turn.dispatched", turnId: two },
      { type: "turn.withdrawn", turnId: two }
    )
    assert.strictEqual(log.said(next(three, "And that")).view.title, "Better this")
  })

  it("follows the agent until a person names the thread", () => {
    const log = ready().said(queued("Fix it")).done({ type: "session.info.updated", title: "Fixing" })
    assert.strictEqual(log.view.title, "Fixing")
    log.done({ type: "session.info.updated", title: null }, { type: "session.info.updated", title: " " })
    assert.strictEqual(log.view.title, "Fixing")
    log.said({ type: "thread.renamed", title: "Mine" }).done({ type: "session.info.updated", title: "Theirs" })
    assert.strictEqual(log.view.title, "Mine")
  })
})

describe("a turn", () => {
  it("goes from queued over sent to working at the first sign", () => {
    const log = ready().said({ type: "turn.queued", turnId: one, prompt: [{ type: "text", text: "hi" }] })
    assert.deepStrictEqual(statuses(log), ["queued"])
    assert.deepStrictEqual(types(log), [])
    log.said({ type: "turn.dispatched", turnId: one })
    assert.deepStrictEqual(statuses(log), ["sent"])
    assert.deepStrictEqual(types(log), ["prompt"])
    log.done({ type: "turn.started", turnId: one })
    assert.deepStrictEqual(statuses(log), ["sent"])
    log.done({ type: "thought.delta", turnId: one, itemId: item("t"), offset: 0, text: "hm" })
    assert.deepStrictEqual(statuses(log), ["working"])
  })

  it("gets no sign of life from what is late or belongs to no turn", () => {
    const log = running("one").done(
      { type: "message.delta", itemId: item("x"), offset: 0, text: "?" },
      { type: "message.delta", turnId: one, late: true, itemId: item("m"), offset: 0, text: "?" }
    )
    assert.deepStrictEqual(statuses(log), ["sent"])
  })

  const outcomes = ["completed", "cancelled", "refused", "limited", "failed"] as const
  it.each(outcomes)("ends as %s, and never leaves its end", (outcome) => {
    const log = running("one").done({ type: "turn.completed", turnId: one, outcome, stopReason: "whatever" })
    const { endedAt, status, stopReason } = log.view.turns[0]!
    assert.deepStrictEqual({ endedAt, status, stopReason }, { endedAt: 5, status: outcome, stopReason: "whatever" })
    log.done(
      { type: "turn.completed", turnId: one, outcome: outcome === "failed" ? "completed" : "failed" },
      { type: "message.delta", turnId: one, late: true, itemId: item("m"), offset: 0, text: "more" },
      { type: "approval.requested", turnId: one, late: true, request: approval("late") }
    )
    log.said(
      { type: "turn.lost", turnId: one, reason: "" },
      { type: "turn.failed", turnId: one, problem },
      { type: "turn.interrupt.requested", turnId: one },
      { type: "turn.withdrawn", turnId: one },
      { type: "turn.dispatched", turnId: one }
    )
    assert.deepStrictEqual(statuses(log), [outcome])
    assert.deepStrictEqual(log.view.turns[0]?.endedAt, 5)
  })

  it("closes what of it is still open, in a way that says how it ended", () => {
    const ends: ReadonlyArray<readonly ["cancelled" | "failed", ToolStatus]> = [
      ["cancelled", "cancelled"],
      ["failed", "unfinished"]
    ]
    for (const [outcome, expected] of ends) {
      const { view } = running("one").done(
        { type: "message.delta", turnId: one, itemId: item("m"), offset: 0, text: "text" },
        { type: "thought.delta", turnId: one, itemId: item("t"), offset: 0, text: "text" },
        { type: "tool.started", turnId: one, itemId: item("a"), tool: tool("a", "in_progress") },
        { type: "tool.started", turnId: one, itemId: item("b"), tool: tool("b", "completed") },
        { type: "tool.started", itemId: item("c"), tool: tool("c", "in_progress") },
        { type: "approval.requested", turnId: one, request: approval("r") },
        { type: "turn.completed", turnId: one, outcome }
      )
      const [, message, thought, a, b, c, asked] = view.items
      assert.deepInclude(message, { text: "text", endedAt: 11 })
      assert.deepInclude(thought, { text: "text", endedAt: 11 })
      assert.deepInclude(a, { tool: { ...tool("a", "in_progress"), status: expected, endedAt: 11 } })
      assert.deepInclude(b, { tool: tool("b", "completed") })
      assert.deepInclude(c, { tool: tool("c", "in_progress") })
      assert.deepInclude(asked, { type: "request", outcome: { type: "expired", reason: "Its turn ended." } })
      assert.deepStrictEqual(view.requests, [])
    }
  })

  it("that ended opens nothing again by what arrives late", () => {
    const { view } = running("one")
      .done({ type: "turn.completed", turnId: one, outcome: "cancelled" })
      .done(
        { type: "tool.started", turnId: one, late: true, itemId: item("a"), tool: tool("a", "in_progress") },
        { type: "message.delta", turnId: one, late: true, itemId: item("m"), offset: 0, text: "late" },
        { type: "tool.completed", turnId: one, late: true, itemId: item("b"), tool: tool("b", "completed") }
      )
    const [, a, m, b] = view.items
    assert.deepInclude(a, { late: true, tool: { ...tool("a", "cancelled"), endedAt: 6 } })
    assert.deepInclude(m, { late: true, text: "late", endedAt: 7 })
    assert.deepInclude(b, { late: true, tool: tool("b", "completed") })
  })

  it("taken back while it waited is gone, taken back after its dispatch is cancelled", () => {
    const log = running("one").said(
      { type: "turn.queued", turnId: two, prompt: [{ type: "text", text: "next" }] },
      { type: "turn.withdrawn", turnId: two },
      { type: "turn.withdrawn", turnId: one }
    )
    assert.deepStrictEqual(statuses(log), ["cancelled"])
  })

  it("cuts off what was being said when it fails or is lost, and nothing that was said to its end", () => {
    const speaking = () =>
      running("one").done(
        { type: "message.delta", turnId: one, itemId: item("whole"), offset: 0, text: "Done." },
        { type: "message.completed", turnId: one, itemId: item("whole"), length: 5 },
        { type: "thought.delta", turnId: one, itemId: item("open"), offset: 0, text: "So the" }
      )
    const cut = (log: Log) => log.view.items.flatMap((entry) => ("cut" in entry && entry.cut ? [entry.itemId] : []))
    const failed = speaking().done({ type: "turn.completed", turnId: one, outcome: "failed", problem })
    assert.deepStrictEqual(cut(failed), [item("open")])
    assert.deepStrictEqual(cut(speaking().said({ type: "turn.lost", turnId: one, reason: "" })), [item("open")])
    for (const outcome of ["completed", "cancelled", "refused", "limited"] as const)
      assert.deepStrictEqual(cut(speaking().done({ type: "turn.completed", turnId: one, outcome })), [])
  })

  it("that is stopped, fails or is lost leaves no sub-agent and no compaction that look as if they went on", () => {
    const busy = () =>
      running("one").done(
        { type: "subagent.updated", turnId: one, itemId: item("sub"), name: "Search", state: "running" },
        { type: "compaction.updated", turnId: one, itemId: item("shorter"), state: "running" }
      )
    const states = (log: Log) => log.view.items.flatMap((entry) => ("state" in entry ? [entry.state] : []))
    const over = ["cancelled", "cancelled"]
    assert.deepStrictEqual(states(busy().said({ type: "turn.lost", turnId: one, reason: "" })), over)
    for (const outcome of ["failed", "cancelled"] as const)
      assert.deepStrictEqual(states(busy().done({ type: "turn.completed", turnId: one, outcome })), over)
    const on = busy().done({ type: "turn.completed", turnId: one, outcome: "completed" })
    assert.deepStrictEqual(states(on), ["running", "running"])
  })

  it("that is lost says so, and offers to send it again", () => {
    const { items, turns } = running("one").said({ type: "turn.lost", turnId: one, reason: "The server ended." }).view
    assert.strictEqual(turns[0]?.status, "lost")
    assert.deepInclude(turns[0]?.problem, { code: "turn-lost", cause: "The server ended." })
    assert.deepInclude(items.at(-1), { type: "problem", turnId: one, itemId: item("one:problem") })
  })

  it("whose agent could not be started fails, and the session is not starting any more", () => {
    const log = new Log().said(
      created,
      { type: "turn.queued", turnId: one, prompt: [{ type: "text", text: "hi" }] },
      { type: "session.start.requested" }
    )
    assert.strictEqual(log.view.session.state, "starting")
    log.said({ type: "turn.failed", turnId: one, problem })
    assert.deepStrictEqual([log.view.session.state, ...statuses(log)], ["exited", "failed"])
  })

  it("is told apart from those that wait and those that ended", () => {
    const log = running("one").said({ type: "turn.queued", turnId: two, prompt: [{ type: "text", text: "next" }] })
    assert.strictEqual(runningTurn(log.view)?.turnId, one)
    log.done({ type: "turn.completed", turnId: one, outcome: "completed" })
    assert.isUndefined(runningTurn(log.view))
  })
})

describe("a session that starts again", () => {
  const none = { permissions: "ask", files: "off", hardLinks: false, terminals: false, environment: false } as const
  const restarted = (before: Grants.Grants | undefined, now: Grants.Grants | undefined) => {
    const log = ready()
    const [first] = log.events.slice(-1)
    if (first?.event.type !== "session.started") throw new Error("It has no session.")
    const { capabilities, resumeToken } = first.event
    const start = (grants: Grants.Grants | undefined, origin: "new" | "resumed") =>
      log.done({ type: "session.started", origin, resumeToken, capabilities, ...(grants && { grants }) })
    start(before, "new")
    start(now, "resumed")
    return log.view.items.filter(({ type }) => type === "warning")
  }

  it("says what its settings allow now and did not before", () => {
    const all: Grants.Grants = {
      permissions: "allow-reads",
      files: "write",
      hardLinks: true,
      terminals: true,
      environment: true
    }
    const [warning, ...others] = restarted(none, all)
    assert.isEmpty(others)
    assert.deepInclude(warning, {
      message: "The settings of Fake allow more than in its last session here.",
      detail:
        "New: reading and searching without asking you; having Signalbox read files; having Signalbox write files; files that have several names; having Signalbox run programs; your whole environment."
    })
    assert.deepInclude(restarted({ ...none, files: "read" }, { ...none, files: "write" })[0], {
      detail: "New: having Signalbox write files."
    })
  })

  it("says nothing where they allow as much, or less, or where nobody knows what they allowed", () => {
    assert.isEmpty(restarted(none, none))
    assert.isEmpty(
      restarted({ ...none, permissions: "allow-reads", files: "write", terminals: true }, { ...none, files: "read" })
    )
    assert.isEmpty(restarted(undefined, { ...none, terminals: true }))
    assert.isEmpty(restarted({ ...none, terminals: true }, undefined))
  })
})

describe("a request", () => {
  it("makes its turn wait until it is answered, and stands in the transcript once it has an end", () => {
    const log = running("one").done({ type: "approval.requested", turnId: one, request: approval("r") })
    assert.deepStrictEqual(statuses(log), ["waiting"])
    assert.strictEqual(log.view.requests[0]?.answered, false)
    log.said({ type: "request.answered", requestId: request("r"), response: { type: "option", optionId: "yes" } })
    assert.deepStrictEqual(statuses(log), ["working"])
    assert.strictEqual(log.view.requests[0]?.answered, true)
    const outcome = { type: "answered" as const, response: { type: "option" as const, optionId: "yes" } }
    log.done({ type: "approval.resolved", turnId: one, requestId: request("r"), outcome })
    assert.deepStrictEqual(log.view.requests, [])
    assert.deepInclude(log.view.items.at(-1), { type: "request", outcome, turnId: one })
    log.done({ type: "approval.resolved", turnId: one, requestId: request("r"), outcome: { type: "cancelled" } })
    assert.strictEqual(types(log).filter((type) => type === "request").length, 1)
  })

  it("that changes stands in its place as it is now, and takes back an answer to what it was", () => {
    const log = running("one").done({ type: "approval.requested", turnId: one, request: approval("r") })
    log.said({ type: "request.answered", requestId: request("r"), response: { type: "option", optionId: "yes" } })
    const changed = { ...approval("r"), digest: "d1", revision: 1, changed: ["input" as const] }
    log.done({ type: "approval.changed", turnId: one, request: changed })
    assert.deepStrictEqual(log.view.requests, [{ request: changed, turnId: one, answered: false }])
    assert.deepStrictEqual(statuses(log), ["waiting"])
    log.done({ type: "approval.resolved", turnId: one, requestId: request("r"), outcome: { type: "cancelled" } })
    assert.deepInclude(log.view.items.at(-1), { type: "request", request: changed })
    log.done({ type: "approval.changed", turnId: one, request: changed })
    assert.deepStrictEqual(log.view.requests, [])
  })

  it("of several keeps its turn waiting until the last is answered", () => {
    const log = running("one").done(
      { type: "approval.requested", turnId: one, request: approval("r") },
      { type: "approval.requested", turnId: one, request: approval("s") },
      { type: "approval.resolved", turnId: one, requestId: request("r"), outcome: { type: "cancelled" } }
    )
    assert.deepStrictEqual(statuses(log), ["waiting"])
    log.said({ type: "request.expired", requestId: request("s"), reason: "gone" })
    assert.deepStrictEqual(statuses(log), ["working"])
  })

  it("of a turn that is being stopped does not hide that it is", () => {
    const log = running("one")
      .said({ type: "turn.interrupt.requested", turnId: one })
      .done({ type: "approval.requested", turnId: one, request: approval("r") })
    assert.deepStrictEqual(statuses(log), ["cancelling"])
    log.done({ type: "approval.resolved", turnId: one, requestId: request("r"), outcome: { type: "cancelled" } })
    assert.deepStrictEqual(statuses(log), ["cancelling"])
  })

  it("outside of any turn is open like any other", () => {
    const log = ready().done({ type: "approval.requested", request: approval("r") })
    assert.strictEqual(log.view.requests.length, 1)
    assert.strictEqual(summary(log.view).waitingFor, "approval")
  })
})

describe("a transcript", () => {
  it("joins the pieces of a text, and keeps texts apart by their ids", () => {
    const { items } = running("one").done(
      { type: "message.delta", turnId: one, itemId: item("m"), offset: 0, text: "Hel" },
      { type: "thought.delta", turnId: one, itemId: item("t"), offset: 0, text: "hm" },
      { type: "message.delta", turnId: one, itemId: item("m"), offset: 3, text: "lo" },
      { type: "message.content", turnId: one, itemId: item("m"), content: { type: "text", text: "more" } },
      { type: "message.completed", turnId: one, itemId: item("m"), length: 5 }
    ).view
    assert.deepInclude(items[1], { type: "message", text: "Hello", at: 5, endedAt: 9 })
    assert.deepInclude(items[1], { content: [{ type: "text", text: "more" }] })
    assert.deepInclude(items[2], { type: "thought", text: "hm" })
    assert.notProperty(items[2], "endedAt")
  })

  it("holds a tool once, at its first place, in its last state", () => {
    const { items } = running("one").done(
      { type: "tool.started", turnId: one, itemId: item("a"), tool: tool("a", "pending") },
      { type: "message.delta", turnId: one, itemId: item("m"), offset: 0, text: "x" },
      { type: "tool.updated", turnId: one, itemId: item("a"), tool: tool("a", "in_progress") },
      { type: "tool.completed", turnId: one, itemId: item("a"), tool: tool("a", "failed") }
    ).view
    assert.deepStrictEqual(
      items.map(({ type }) => type),
      ["prompt", "tool", "message"]
    )
    assert.deepInclude(items[1], { tool: tool("a", "failed"), at: 5 })
  })

  it("leaves an item alone whose id a different kind of event uses", () => {
    const { items } = running("one").done(
      { type: "message.delta", turnId: one, itemId: item("x"), offset: 0, text: "text" },
      { type: "tool.started", turnId: one, itemId: item("x"), tool: tool("x", "pending") }
    ).view
    assert.deepStrictEqual(
      items.map(({ type }) => type),
      ["prompt", "message"]
    )
  })

  it("says when a session was taken up, replaced or ended by itself, and nothing of a new or stopped one", () => {
    const start = (origin: "new" | "resumed" | "replaced") => ({
      type: "session.started" as const,
      origin,
      resumeToken: ResumeToken.make("t"),
      capabilities: { rollback: { supported: true as const }, resume: true, images: false },
      ...(origin === "replaced" && { problem })
    })
    const log = ready().done(
      { type: "session.exited", expected: true },
      start("resumed"),
      { type: "session.exited", expected: false, problem },
      start("replaced")
    )
    assert.deepStrictEqual(
      log.view.items.map((entry) => (entry.type === "session" ? [entry.change, entry.problem?.title] : [])),
      [
        ["resumed", undefined],
        ["exited", "It broke."],
        ["replaced", "It broke."]
      ]
    )
  })

  it("ends what had outlived its turn together with its agent, and with no other", () => {
    const at = (name: string, turnId?: typeof one): BareRuntime => ({
      type: "subagent.updated",
      itemId: item(name),
      name,
      state: "running",
      ...(turnId !== undefined && { turnId })
    })
    const log = running("one").done(
      at("in", one),
      { type: "turn.completed", turnId: one, outcome: "completed" },
      at("out")
    )
    log.done({ type: "compaction.updated", turnId: one, itemId: item("shorter"), state: "running" })
    const states = () => log.view.items.flatMap((entry) => ("state" in entry ? [entry.state] : []))
    assert.deepStrictEqual(states(), ["running", "running", "running"])
    log.done({ type: "session.exited", expected: true, providerSessionId: ProviderSessionId.make("earlier") })
    assert.deepStrictEqual(states(), ["running", "running", "running"], "an earlier process says nothing of this one")
    log.done({ type: "session.exited", expected: true })
    assert.deepStrictEqual(states(), ["cancelled", "cancelled", "cancelled"])
  })

  it("keeps warnings, errors, unknown updates, files and subagents", () => {
    const log = running("one").done(
      { type: "runtime.warning", message: "careful", detail: "very" },
      { type: "runtime.error", problem },
      { type: "protocol.unknown", reason: "new", raw: "{}", kind: "x" },
      { type: "file.generated", turnId: one, itemId: item("f"), path: "/a.png", description: "a" },
      { type: "subagent.updated", turnId: one, itemId: item("s"), name: "session-7", state: "running" },
      { type: "subagent.updated", turnId: one, itemId: item("s"), name: "helper", state: "completed", durationMs: 5 },
      { type: "prompt.replayed", replayed: true, itemId: item("p"), text: "earlier" }
    )
    assert.deepStrictEqual(types(log), ["prompt", "warning", "problem", "unknown", "file", "subagent", "prompt"])
    assert.deepInclude(log.view.items[5], { name: "helper", state: "completed", durationMs: 5 })
    assert.deepInclude(log.view.items[6], { replayed: true, prompt: [{ type: "text", text: "earlier" }] })
  })
})

describe("what an agent asks for besides", () => {
  it("waits for people as a form, and stands in the transcript with what they gave", () => {
    const form = {
      type: "form",
      requestId: request("f"),
      message: "Which?",
      fields: [{ type: "text", name: "a", required: true }],
      at: 5
    } as const
    const outcome = { type: "answered", response: { type: "content", content: { a: "b" } } } as const
    const log = running("one").done({ type: "elicitation.requested", turnId: one, request: form })
    assert.strictEqual(log.view.turns[0]?.status, "waiting")
    assert.strictEqual(summary(log.view).waitingFor, "form")
    log.done({ type: "elicitation.resolved", turnId: one, requestId: request("f"), outcome })
    assert.deepStrictEqual(log.view.requests, [])
    assert.deepInclude(log.view.items.at(-1), { type: "request", request: form, outcome })
  })

  it("as an address, it is shown as done at its place; an unknown one changes nothing", () => {
    const url = {
      type: "url",
      requestId: request("u"),
      message: "Go",
      url: "https://a.b",
      elicitationId: "e",
      at: 5
    } as const
    const log = running("one").done(
      { type: "elicitation.requested", turnId: one, request: url },
      {
        type: "elicitation.resolved",
        turnId: one,
        requestId: request("u"),
        outcome: { type: "answered", response: { type: "accept" } }
      },
      { type: "elicitation.completed", turnId: one, requestId: request("other") }
    )
    const [prompt, before] = log.view.items
    assert(prompt !== undefined && before?.type === "request" && before.completedAt === undefined)
    log.done({ type: "elicitation.completed", turnId: one, requestId: request("u"), at: 77 })
    assert.deepStrictEqual(log.view.items, [prompt, { ...before, completedAt: 77 }])
  })

  it("has each file that was written for it as an entry of its own", () => {
    const written = { type: "file.written", turnId: one, path: "/project/a", bytes: 3 } as const
    const log = running("one").done(
      { ...written, itemId: item("w1"), created: true },
      { ...written, itemId: item("w2"), created: false }
    )
    assert.deepStrictEqual(
      log.view.items.flatMap((entry) => (entry.type === "file" ? [[entry.path, entry.written]] : [])),
      [
        ["/project/a", { bytes: 3, created: true }],
        ["/project/a", { bytes: 3, created: false }]
      ]
    )
  })
})

describe("a window", () => {
  it("with the page before it keeps the order of turns that reach over both, as the window knows them", () => {
    const { view } = running("one").said({ type: "turn.queued", turnId: two, prompt: [] })
    const [working, queued] = [view.turns[0]!, view.turns[1]!]
    const items = view.items.slice(0, 1)
    const page = { items, turns: [{ ...working, status: "sent" as const }] }
    const whole = withEarlier({ ...view, turns: [queued, working], items: view.items.slice(1) }, page)
    assert.deepStrictEqual(whole.turns, [working, queued])
    assert.deepStrictEqual(whole.items, view.items)
  })
})

describe("a session", () => {
  it("is not ended by the end of the process before it", () => {
    const log = ready().done({
      type: "session.exited",
      providerSessionId: ProviderSessionId.make("earlier"),
      expected: true
    })
    assert.strictEqual(log.view.session.state, "ready")
    log.done({ type: "session.exited", expected: true })
    assert.strictEqual(log.view.session.state, "exited")
  })

  it("takes settings, commands, usage and plan as a whole", () => {
    const { view } = ready().done(
      { type: "settings.updated", settings: [{ type: "boolean", id: "a", name: "A", value: true }] },
      { type: "settings.updated", settings: [{ type: "boolean", id: "b", name: "B", value: false }] },
      { type: "commands.updated", commands: [{ name: "x", description: "" }] },
      { type: "usage.updated", used: 1, size: 2, cost: { amount: 3, currency: "EUR" } },
      { type: "usage.updated", used: 2, size: 2 },
      { type: "plan.updated", entries: [{ content: "one", status: "pending" }] }
    )
    assert.deepStrictEqual(
      view.settings.map(({ id }) => id),
      ["b"]
    )
    assert.deepStrictEqual(view.usage, { used: 2, size: 2 })
    assert.strictEqual(view.commands.length, 1)
    assert.strictEqual(view.plan.length, 1)
  })

  it("names what could not be put in place again", () => {
    const skipped = [{ settingId: "model", value: "old", reason: "It is gone." }]
    const { items } = ready().done({ type: "session.configured", applied: [], skipped }).view
    assert.deepInclude(items[0], {
      type: "warning",
      message: "model could not be set to old again.",
      detail: "It is gone."
    })
  })

  it("remembers what people chose, but not what was refused", () => {
    const log = ready().said(
      { type: "setting.requested", settingId: "mode", value: "plan" },
      { type: "setting.requested", settingId: "fast", value: true },
      { type: "setting.failed", settingId: "fast", problem }
    )
    assert.deepStrictEqual(log.view.desired, { mode: "plan" })
    assert.deepStrictEqual(types(log), ["problem"])
  })

  it("keeps the choice that a refused one was to replace", () => {
    const log = ready().said(
      { type: "setting.requested", settingId: "mode", value: "plan" },
      { type: "setting.requested", settingId: "mode", value: "stubborn", previous: "plan" },
      { type: "setting.failed", settingId: "mode", problem, desired: "plan" }
    )
    assert.deepStrictEqual(log.view.desired, { mode: "plan" })
  })
})

describe("a summary", () => {
  const status = (log: Log): TurnStatus | undefined => summary(log.view).status

  it("describes the turn that runs, else the one that holds the queue, else the first that waits or the last", () => {
    const log = running("one")
    assert.strictEqual(status(log), "sent")
    log.said({ type: "turn.queued", turnId: two, prompt: [{ type: "text", text: "next" }] })
    assert.strictEqual(status(log), "sent")
    log.done({ type: "turn.completed", turnId: one, outcome: "refused" })
    assert.strictEqual(status(log), "refused")
    log.said({ type: "queue.held", held: false })
    assert.strictEqual(status(log), "queued")
    log.said({ type: "turn.withdrawn", turnId: two })
    assert.strictEqual(status(log), "refused")
    assert.isUndefined(status(ready()))
  })

  it("says what the thread waits for, but not once it is answered", () => {
    const log = running("one").done({ type: "approval.requested", turnId: one, request: approval("r") })
    assert.strictEqual(summary(log.view).waitingFor, "approval")
    log.said({ type: "request.answered", requestId: request("r"), response: { type: "option", optionId: "yes" } })
    assert.notProperty(summary(log.view), "waitingFor")
  })
})

describe("a profile that was chosen for a session", () => {
  const bypassed = () => running("one").said({ type: "profile.chosen", profile: "bypass" })
  const warnings = (log: Log) => log.view.items.flatMap((item) => (item.type === "warning" ? [item.message] : []))

  it("is in the session, and the transcript says what it allows", () => {
    const log = bypassed()
    assert.strictEqual(log.view.session.profile, "bypass")
    assert.strictEqual(summary(log.view).profile, "bypass")
    assert.deepStrictEqual(warnings(log), [
      "Until this session ends, Fake may do all that no rule denies, without asking you."
    ])
    log.said({ type: "profile.chosen" })
    assert.isUndefined(log.view.session.profile)
    assert.strictEqual(warnings(log).at(-1), "The settings of Fake decide again who answers its requests.")
  })

  it("ends when the session ends, is stopped, or is replaced by another", () => {
    assert.isUndefined(bypassed().done({ type: "session.exited", expected: false }).view.session.profile)
    assert.isUndefined(bypassed().said({ type: "session.stop.requested" }).view.session.profile)
    const log = bypassed()
    const [, started] = log.events
    if (started?.event.type !== "session.started") throw new Error("It has no session.")
    assert.isUndefined(log.done(started.event).view.session.profile)
  })
})
