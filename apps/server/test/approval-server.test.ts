/** Answers over the wire of a real server: what they are bound to, who gave them, and what the settings allow since. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/contracts/TurnState"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "./cli-support/Signalbox.ts"
import { scriptedCommand, served } from "./support/ServedThreads.ts"

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]
const toolCall = { toolCallId: "c", title: "List", kind: "execute", rawInput: { command: "ls" } }

const approvalIn = ({ requests }: ThreadView) => {
  const [open] = requests
  return open?.request.type === "approval" ? open.request : undefined
}
const isOver = ({ turns }: ThreadView) => turns.length > 0 && turns.every(({ status }) => hasEnded(status))

describe("an answer over the wire", () => {
  it.live("counts for the request as it stands, and is on record with who gave it", () =>
    Effect.gen(function* () {
      const { open, prompt, send } = yield* served(temporaryFolder("state"))
      const { threadId, watcher } = yield* open("thread")
      const change = { update: { sessionUpdate: "tool_call_update", toolCallId: "c", rawInput: { command: "rm" } } }
      yield* prompt(threadId, "t1", { together: [[{ permission: { toolCall, options } }], [{ wait: 300 }, change]] })
      const first = approvalIn(yield* watcher.until((view) => approvalIn(view)?.revision === 0))
      const now = approvalIn(yield* watcher.until((view) => approvalIn(view)?.revision === 1))
      assert.isDefined(first)
      assert.isDefined(now)
      const { requestId } = now
      const respond = (response: ReturnType<typeof optionOf>) =>
        send(threadId, { type: "request.respond", requestId, response })
      for (const response of [optionOf(first, "yes"), { type: "option", optionId: "yes" } as const]) {
        const refused = yield* Effect.flip(respond(response))
        assert.strictEqual(refused._tag === "CommandRejected" ? refused.problem.code : refused._tag, "request-changed")
      }
      yield* respond(optionOf(now, "no"))
      const { items } = yield* watcher.until(isOver)
      const requests = items.filter((item) => item.type === "request")
      assert.deepStrictEqual(
        requests.map(({ outcome }) => outcome),
        [{ type: "answered", response: optionOf(now, "no"), client: { kind: "program" } }]
      )
      const text = items.map((item) => (item.type === "message" ? item.text : "")).join("")
      assert.strictEqual(text, "permission no")
    })
  )
})

describe("a grant that was added to the settings", () => {
  it.live("is told when the agent is started again by the next server", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const settle = (more: object) =>
        writeFileSync(
          join(state, "settings.json"),
          JSON.stringify({ agents: { mine: { ...scriptedCommand, ...more } } }),
          { mode: 0o600 }
        )
      const threadId = ThreadId.make("thread")
      settle({})
      yield* Effect.gen(function* () {
        const { prompt, send, watch } = yield* served(state)
        const cwd = temporaryFolder("project")
        yield* send(threadId, { type: "thread.create", provider: ProviderId.make("mine"), cwd })
        const watcher = yield* watch(threadId)
        yield* prompt(threadId, "t1", { text: "one" })
        const { session, turns } = yield* watcher.until(isOver)
        assert.deepStrictEqual(
          turns.map(({ problem, status }) => problem ?? status),
          ["completed"]
        )
        assert.deepInclude(session.grants, { permissions: "ask", files: "off", terminals: false })
      }).pipe(Effect.scoped)
      settle({ permissions: "allow-reads", terminals: true })
      const { prompt, watch } = yield* served(state)
      const watcher = yield* watch(threadId)
      yield* prompt(threadId, "t2", { text: "two" })
      const { items } = yield* watcher.until((view) => view.turns.length === 2 && isOver(view))
      const warnings = items.flatMap((item) => (item.type === "warning" ? [`${item.message} ${item.detail}`] : []))
      assert.lengthOf(warnings, 1)
      assert.match(
        warnings[0] ?? "",
        /allow more than in its last session here\. New: reading and searching without asking you; having Signalbox run programs\.$/
      )
    })
  )
})
