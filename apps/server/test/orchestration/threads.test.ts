/** The contract of `Threads`: what holds for every host. Over real database files. */
import { CommandId, RequestId, type TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import { boot, databaseFile, messageText, type Server, statusOf, threadId, turnId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const b = threadId("thread-b")
const first = turnId("turn-1")
const second = turnId("turn-2")
const third = turnId("turn-3")

/** A fresh server on a fresh file. */
const server = Effect.flatMap(databaseFile, boot)

/** The request that the thread waits with. */
const openRequest = ({ until }: Server, thread: typeof a) =>
  Effect.map(
    until(thread, ({ requests }) => requests.length > 0),
    ({ requests }): RequestId => requests[0]!.request.requestId
  )

const answer = (requestId: RequestId, optionId: string) => ({
  type: "request.respond" as const,
  requestId,
  response: { type: "option" as const, optionId }
})

const isOver = ({ status }: TurnView) => hasEnded(status)

const assertNotSent = ({ turns }: ThreadView, turn: TurnId) => {
  const { problem, status } = turns.find(({ turnId }) => turnId === turn)!
  assert.strictEqual(status, "failed")
  assert.strictEqual(problem?.title, "Not sent: the session was stopped before its turn came.")
  assert.deepStrictEqual(
    problem?.nextSteps.map(({ action }) => action),
    ["send-again"]
  )
}

describe("a turn", () => {
  it.live("is created, streamed and completed", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      const created = yield* create(a)
      assert.strictEqual(created.sequence, 1)
      yield* prompt(a, first, "say hello there")
      const view = yield* ended(a, first)
      assert.strictEqual(statusOf(view, first), "completed")
      assert.strictEqual(messageText(view, first), "hello there")
      assert.strictEqual(view.title, "say hello there")
      assert.strictEqual(view.session.state, "ready")
      assert.deepStrictEqual(provider.starts[0]?.providerOptions, { acp: { command: "fake" } })
    })
  )

  it.live("waits for the one before it, in the order in which they were sent", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send, until } = running
      yield* create(a)
      yield* prompt(a, first, "ask")
      const requestId = yield* openRequest(running, a)
      yield* prompt(a, second, "say two")
      yield* prompt(a, third, "say three")
      const waiting = yield* until(a, ({ turns }) => turns.length === 3)
      assert.deepStrictEqual(
        waiting.turns.map(({ status }) => status),
        ["waiting", "queued", "queued"]
      )
      yield* send(a, answer(requestId, "proceed_once"))
      yield* ended(a, third)
      assert.deepStrictEqual(
        provider.prompts.map(({ turnId }) => turnId),
        [first, second, third]
      )
    })
  )

  it.live("that waits can be taken back, and is never sent", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send } = running
      yield* create(a)
      yield* prompt(a, first, "ask")
      const requestId = yield* openRequest(running, a)
      yield* prompt(a, second, "say two")
      yield* prompt(a, third, "say three")
      yield* send(a, { type: "turn.interrupt", turnId: second })
      yield* send(a, answer(requestId, "refuse"))
      const view = yield* ended(a, third)
      assert.deepStrictEqual(
        provider.prompts.map(({ turnId }) => turnId),
        [first, third]
      )
      assert.strictEqual(statusOf(view, second), undefined)
      const again = yield* Effect.flip(prompt(a, second, "say two"))
      assert.strictEqual(again.problem.title, "This turn exists already.")
    })
  )

  it.live("is stopped while it runs, and the next prompt works", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, send, until } = yield* server
      yield* create(a)
      yield* prompt(a, first, "hang; say never")
      yield* until(a, (view) => statusOf(view, first) === "working")
      yield* send(a, { type: "turn.interrupt", turnId: first })
      const stopped = yield* ended(a, first)
      assert.strictEqual(statusOf(stopped, first), "cancelled")
      assert.strictEqual(messageText(stopped, first), "")
      yield* prompt(a, second, "say on")
      assert.strictEqual(statusOf(yield* ended(a, second), second), "completed")
      const late = yield* Effect.flip(send(a, { type: "turn.interrupt", turnId: first }))
      assert.strictEqual(late.problem.title, "This turn has ended already.")
    })
  )

  it.live("is stopped although it waits for an answer", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, send } = running
      yield* create(a)
      yield* prompt(a, first, "ask; say never")
      const requestId = yield* openRequest(running, a)
      yield* send(a, { type: "turn.interrupt", turnId: first })
      const view = yield* ended(a, first)
      assert.strictEqual(statusOf(view, first), "cancelled")
      assert.deepStrictEqual(view.requests, [])
      const late = yield* Effect.flip(send(a, answer(requestId, "proceed_once")))
      assert.strictEqual(late.problem.code, "request-closed")
      assert.strictEqual(running.provider.answers.size, 0)
    })
  )

  it.live("keeps what the agent said before it crashed, and the next one resumes", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      yield* create(a)
      yield* prompt(a, first, "say partly; crash")
      const crashed = yield* ended(a, first)
      assert.strictEqual(statusOf(crashed, first), "failed")
      assert.strictEqual(messageText(crashed, first), "partly")
      yield* prompt(a, second, "say again")
      assert.strictEqual(statusOf(yield* ended(a, second), second), "completed")
      assert.deepStrictEqual(provider.starts[1]?.knownPrompts, ["say partly; crash"])
    })
  )

  it.live("is sent once although its agent had gone unnoticed", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      yield* create(a)
      yield* prompt(a, first, "say one")
      yield* ended(a, first)
      provider.loseAtNextPrompt.add(a)
      yield* prompt(a, second, "say two")
      const view = yield* ended(a, second)
      assert.strictEqual(statusOf(view, second), "completed")
      assert.deepStrictEqual(
        provider.prompts.map(({ turnId }) => turnId),
        [first, second]
      )
      assert.strictEqual(provider.starts.length, 2)
      assert.deepStrictEqual(provider.starts[1]?.knownPrompts, ["say one"])
    })
  )

  it.live("is not sent to a session that took the place of the one that it was meant for", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider, until } = yield* server
      yield* create(a)
      provider.forgetful.add(a)
      provider.loseAtNextPrompt.add(a)
      yield* prompt(a, first, "say one")
      assert.strictEqual(
        statusOf(yield* ended(a, first), first),
        "completed",
        "nothing had been said that could be lost"
      )
      provider.loseAtNextPrompt.add(a)
      yield* prompt(a, second, "say two")
      const view = yield* ended(a, second)
      assert.deepInclude(view.turns[1]?.problem, {
        code: "session-not-found",
        title: "Not sent: Fake has lost the session."
      })
      yield* prompt(a, third, "say two")
      assert.strictEqual((yield* until(a, ({ heldBy }) => heldBy !== undefined)).heldBy?.why, "forgotten")
      assert.deepStrictEqual(
        provider.prompts.map(({ turnId }) => turnId),
        [first]
      )
    })
  )

  it.live("fails when its agent can't be started, and the next one tries again", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      yield* create(a)
      provider.brokenStarts.add(a)
      yield* prompt(a, first, "say one")
      const failed = yield* ended(a, first)
      assert.strictEqual(failed.turns[0]?.problem?.code, "agent-start-failed")
      assert.strictEqual(failed.session.state, "exited")
      assert.deepStrictEqual(provider.prompts, [])
      provider.brokenStarts.delete(a)
      yield* prompt(a, second, "say two")
      assert.strictEqual(statusOf(yield* ended(a, second), second), "completed")
    })
  )

  it.effect("ends visibly even if its agent comes back without a result", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      yield* create(a)
      yield* prompt(a, first, "silent")
      const end = yield* Effect.forkChild(ended(a, first))
      while (!provider.returned.has(first)) yield* Effect.yieldNow
      yield* TestClock.adjust("31 seconds")
      const view = yield* Fiber.join(end)
      assert.strictEqual(statusOf(view, first), "failed")
      assert.strictEqual(view.turns[0]?.problem?.code, "protocol-violation")
    })
  )

  it.live("refuses an agent that is not the thread's", () =>
    Effect.gen(function* () {
      const { create, provider, send } = yield* server
      yield* create(a)
      const command = { type: "turn.start" as const, turnId: first, provider: ProviderId.make("cursor") }
      const refused = yield* Effect.flip(send(a, { ...command, prompt: [{ type: "text", text: "say hi" }] }))
      assert.strictEqual(refused.problem.title, "This thread belongs to Fake.")
      assert.include(refused.problem.cause, "cursor")
      assert.deepStrictEqual(provider.starts, [])
    })
  )
})

describe("an approval", () => {
  it.live("is answered with the agent's own option, once", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send, until } = running
      yield* create(a)
      yield* prompt(a, first, "ask; say done")
      const requestId = yield* openRequest(running, a)
      const waiting = yield* until(a, () => true)
      assert.strictEqual(statusOf(waiting, first), "waiting")
      const unknown = yield* Effect.flip(send(a, answer(requestId, "allow-once")))
      assert.strictEqual(unknown.problem.code, "option-unknown")
      yield* send(a, answer(requestId, "proceed_once"))
      const other = yield* Effect.flip(send(a, answer(requestId, "refuse")))
      assert.strictEqual(other.problem.code, "request-closed")
      const view = yield* ended(a, first)
      assert.deepStrictEqual(provider.answers.get(requestId), { type: "option", optionId: "proceed_once" })
      const item = view.items.find(({ type }) => type === "request")
      assert.deepInclude(item, {
        outcome: { type: "answered", response: { type: "option", optionId: "proceed_once" } }
      })
    })
  )

  it.live("that its agent no longer waits for is shown as expired, never as a dead button", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send, until } = running
      yield* create(a)
      yield* prompt(a, first, "ask; say done")
      const requestId = yield* openRequest(running, a)
      provider.answers.set(requestId, { type: "skip" })
      yield* send(a, answer(requestId, "proceed_once"))
      const view = yield* until(a, ({ requests }) => requests.length === 0)
      const item = view.items.find(({ type }) => type === "request")
      assert.deepInclude(item, { outcome: { type: "expired", reason: "This request is closed. It has an end." } })
      yield* send(a, { type: "turn.interrupt", turnId: first })
      assert.strictEqual(statusOf(yield* ended(a, first), first), "cancelled")
    })
  )

  it.live("of another kind is a question, answered by id", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send } = running
      yield* create(a)
      yield* prompt(a, first, "question; say thanks")
      const requestId = yield* openRequest(running, a)
      const reply = (questionId: string, optionId: string) =>
        send(a, {
          type: "request.respond",
          requestId,
          response: { type: "answers", answers: [{ questionId, optionIds: [optionId] }] }
        })
      assert.strictEqual((yield* Effect.flip(reply("x", "a"))).problem.code, "option-unknown")
      assert.strictEqual((yield* Effect.flip(reply("q", "b"))).problem.code, "option-unknown")
      yield* reply("q", "a")
      yield* ended(a, first)
      assert.strictEqual(provider.answers.get(requestId)?.type, "answers")
    })
  )
})

describe("a command", () => {
  it.live("sent twice is done once, and gets its first receipt again", () =>
    Effect.gen(function* () {
      const { create, ended, provider, send } = yield* server
      yield* create(a)
      const commandId = CommandId.make("the-command")
      const start = send(
        a,
        { type: "turn.start", turnId: first, prompt: [{ type: "text", text: "say hi" }] },
        commandId
      )
      const receipts = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      assert.strictEqual(new Set(receipts.map(({ sequence }) => sequence)).size, 1)
      yield* ended(a, first)
      assert.deepStrictEqual(yield* start, receipts[0])
      assert.strictEqual(provider.prompts.length, 1)
    })
  )

  it.live("that was refused stays refused, also after a restart and although it would now be possible", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      const commandId = CommandId.make("rename")
      const rename = { type: "thread.rename" as const, title: "Named" }
      const refused = yield* Effect.flip(before.send(a, rename, commandId))
      yield* before.create(a)
      yield* before.stop
      const after = yield* boot(file)
      assert.deepStrictEqual(yield* Effect.flip(after.send(a, rename, commandId)), refused)
      yield* after.send(a, rename)
    })
  )

  it.live("to a thread whose agent starts slowly, or to another, does not wait for it", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt, provider, send, until } = running
      const gate = yield* Latch.make()
      provider.startGates.set(a, gate)
      yield* create(a)
      yield* create(b)
      yield* prompt(a, first, "say slow")
      yield* until(a, ({ session }) => session.state === "starting")
      yield* prompt(b, second, "ask; say quick")
      yield* send(b, answer(yield* openRequest(running, b), "proceed_once"))
      assert.strictEqual(statusOf(yield* ended(b, second), second), "completed")
      yield* send(a, { type: "thread.rename", title: "Meanwhile" })
      yield* send(a, { type: "turn.interrupt", turnId: first })
      yield* prompt(a, third, "say after all")
      yield* gate.open
      const view = yield* ended(a, third)
      assert.strictEqual(view.title, "Meanwhile")
      assert.deepStrictEqual(
        provider.prompts.map(({ turnId }) => turnId),
        [second, third]
      )
    })
  )

  it.live("to create a thread is refused for an agent or a folder that is not there", () =>
    Effect.gen(function* () {
      const { create, send } = yield* server
      const unknown = yield* Effect.flip(
        send(a, { type: "thread.create", provider: ProviderId.make("nobody"), cwd: "/tmp" })
      )
      assert.strictEqual(unknown.problem.code, "agent-not-found")
      assert.strictEqual((yield* Effect.flip(create(a, "relative/path"))).problem.code, "cwd-unusable")
      assert.strictEqual((yield* Effect.flip(create(a, "/nonexistent/folder"))).problem.code, "cwd-unusable")
      assert.strictEqual((yield* Effect.flip(create(a, "/etc/passwd"))).problem.code, "cwd-unusable")
      yield* create(a)
      assert.strictEqual((yield* Effect.flip(create(a))).problem.title, "This thread exists already.")
    })
  )

  it.live("to go back is refused with the agent's reason", () =>
    Effect.gen(function* () {
      const { create, send } = yield* server
      yield* create(a)
      const refused = yield* Effect.flip(send(a, { type: "thread.rollback", turnId: first }))
      assert.strictEqual(refused.problem.code, "unsupported")
      assert.strictEqual(refused.problem.cause, "Fake never forgets.")
    })
  )
})

describe("a session", () => {
  it.live("is started and stopped without a prompt", () =>
    Effect.gen(function* () {
      const { create, send, until } = yield* server
      yield* create(a)
      yield* send(a, { type: "session.start" })
      const ready = yield* until(a, ({ settings }) => settings.length > 0)
      assert.strictEqual(ready.session.state, "ready")
      yield* send(a, { type: "session.stop" })
      yield* until(a, ({ session }) => session.state === "exited")
    })
  )

  it.effect("is left as it is when its thread was out of memory: the server was not restarted", () =>
    Effect.gen(function* () {
      const { create, provider, until } = yield* server
      yield* create(a)
      const request = { type: "question" as const, requestId: RequestId.make("r"), questions: [], at: 0 }
      yield* provider.emit(a, [{ type: "question.requested", request }])
      yield* until(a, ({ requests }) => requests.length === 1)
      yield* TestClock.adjust("6 minutes")
      const view = yield* until(a, () => true)
      assert.strictEqual(view.requests.length, 1)
    })
  )

  it.live("that can't be started says so in the thread", () =>
    Effect.gen(function* () {
      const { create, provider, send, until } = yield* server
      yield* create(a)
      provider.brokenStarts.add(a)
      yield* send(a, { type: "session.start" })
      const view = yield* until(a, ({ session }) => session.state === "exited")
      assert.deepInclude(view.items[0], { type: "problem" })
    })
  )

  it.live("is stopped although its agent does not answer a change of settings", () =>
    Effect.gen(function* () {
      const { create, send, until } = yield* server
      yield* create(a)
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ settings }) => settings.length > 0)
      yield* send(a, { type: "setting.set", settingId: "mode", value: "deaf" })
      yield* send(a, { type: "session.stop" })
      yield* until(a, ({ session }) => session.state === "exited")
    })
  )

  it.live("that was stopped is not started again for what waited then, but for what comes after", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider, send, until } = yield* server
      yield* create(a)
      yield* prompt(a, first, "hang")
      yield* until(a, (view) => statusOf(view, first) === "working")
      yield* prompt(a, second, "say never")
      yield* send(a, { type: "session.stop" })
      yield* ended(a, first)
      const stopped = yield* until(a, ({ session, turns }) => session.state === "exited" && turns.every(isOver))
      assert.strictEqual(statusOf(stopped, first), "cancelled")
      assertNotSent(stopped, second)
      assert.strictEqual(provider.starts.length, 1)
      yield* prompt(a, third, "say again")
      assert.strictEqual(statusOf(yield* ended(a, third), third), "completed")
      assert.strictEqual(provider.prompts.length, 2)
    })
  )

  it.live("that is stopped while it starts does not stay, and its prompt is not sent", () =>
    Effect.gen(function* () {
      const { create, prompt, provider, send, until } = yield* server
      const gate = yield* Latch.make()
      provider.startGates.set(a, gate)
      yield* create(a)
      yield* prompt(a, first, "say never")
      yield* until(a, ({ session }) => session.state === "starting")
      yield* send(a, { type: "session.stop" })
      yield* gate.open
      const view = yield* until(a, ({ session, turns }) => session.state === "exited" && turns.every(isOver))
      assertNotSent(view, first)
      assert.deepStrictEqual(provider.prompts, [])
    })
  )

  it.live("takes settings before, while and after it starts", () =>
    Effect.gen(function* () {
      const { create, provider, send, until } = yield* server
      yield* create(a)
      yield* send(a, { type: "setting.set", settingId: "mode", value: "plan" })
      yield* send(a, { type: "session.start" })
      yield* send(a, { type: "setting.set", settingId: "fast", value: true })
      const ready = yield* until(a, ({ settings }) => settings[0]?.type === "boolean" && settings[0].value)
      assert.deepInclude(ready.settings[1], { value: "plan" })
      assert.deepStrictEqual(provider.starts[0]?.settings.mode, "plan")
      const unknown = yield* Effect.flip(send(a, { type: "setting.set", settingId: "mode", value: "chess" }))
      assert.strictEqual(unknown.problem.code, "setting-rejected")
      yield* send(a, { type: "setting.set", settingId: "mode", value: "stubborn" })
      const refused = yield* until(a, ({ items }) => items.some(({ type }) => type === "problem"))
      assert.deepStrictEqual(refused.desired, { fast: true, mode: "plan" })
      yield* send(a, { type: "session.stop" })
      yield* until(a, ({ session }) => session.state === "exited")
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ session }) => session.state === "ready")
      assert.deepStrictEqual(provider.starts[1]?.settings, { fast: true, mode: "plan" })
    })
  )

  it.live("event that is not well-formed is kept as unknown, and the thread stays readable", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.provider.emit(a, [{ type: "usage.updated", used: Number.POSITIVE_INFINITY, size: 1 }])
      yield* before.until(a, ({ items }) => items.length > 0)
      yield* before.kill
      const view = yield* (yield* boot(file)).until(a, () => true)
      assert.deepInclude(view.items[0], { type: "unknown", kind: "usage.updated" })
      assert.notProperty(view, "usage")
    })
  )

  it.live("event of a thread that is not there harms nothing", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider } = yield* server
      yield* provider.emit(b, [{ type: "session.info.updated", title: "Ghost" }])
      yield* create(a)
      yield* prompt(a, first, "say hi")
      assert.strictEqual(statusOf(yield* ended(a, first), first), "completed")
    })
  )
})
