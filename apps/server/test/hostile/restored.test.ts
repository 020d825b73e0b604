/** Hostile inputs in a database whose rows somebody else wrote, after `signalbox restore`: as rows of the log, and of the transcript. */
import { assert, describe, layer } from "@effect/vitest"
import { type AgentRequest, optionOf, type RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { EventId, ItemId, ProviderSessionId, RequestId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderOptions } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { subjectOf, type ToolCall } from "@signalbox/contracts/ToolCall"
import { readTool } from "@signalbox/contracts/ToolReading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { call as command, temporaryFolder } from "../cli/support/Signalbox.ts"
import { restored } from "./ForgedDatabase.ts"
import * as Inputs from "./Inputs.ts"
import { served } from "../support/ServedThreads.ts"
import { assertSafe } from "../support/SteeringWords.ts"

type Served = Effect.Success<ReturnType<typeof served>>

type Visitor = Effect.Success<Served["connected"]>

/** What people have of one thread. */
interface Seen {
  readonly view: ThreadView
  readonly exported: string
  readonly visitor: Visitor
  readonly list: string
}

interface Check {
  /** The events after the beginning of the thread and its turn. */
  readonly events: (threadId: ThreadId) => ReadonlyArray<ThreadEvent>
  readonly title?: string
  readonly options?: ProviderOptions
  readonly holds: (seen: Seen) => void | Effect.Effect<void, unknown>
}

const turnId = TurnId.make("turn")
const runtimeOf = (threadId: ThreadId) => ({
  threadId,
  at: 1,
  turnId,
  eventId: EventId.make("event"),
  providerKind: "acp" as const,
  providerSessionId: ProviderSessionId.make("session")
})
const toolOf = (more: Partial<ToolCall>): ToolCall => ({
  toolCallId: "c",
  title: "List",
  kind: "execute",
  status: "pending",
  subject: { type: "command", command: "ls" },
  diffs: [],
  content: [],
  locations: [],
  rawInput: JSON.stringify(Inputs.ls.rawInput),
  startedAt: 1,
  ...more
})
type Approval = Extract<AgentRequest, { readonly type: "approval" }>
const approvalOf = (more: Partial<ToolCall>, over: Partial<Approval> = {}): Approval => ({
  type: "approval",
  requestId: RequestId.make("asked"),
  tool: toolOf(more),
  options: Inputs.options,
  digest: "digest",
  revision: 0,
  at: 1,
  ...over
})

const asked = (threadId: ThreadId, request: Approval): ProviderRuntimeEvent => ({
  type: "approval.requested",
  ...runtimeOf(threadId),
  request
})
const resolved = (threadId: ThreadId, outcome: RequestOutcome): ProviderRuntimeEvent => ({
  type: "approval.resolved",
  ...runtimeOf(threadId),
  requestId: RequestId.make("asked"),
  outcome
})
const told = (threadId: ThreadId, tool: ToolCall, type: "tool.updated" | "tool.completed" = "tool.completed") =>
  ({ type, ...runtimeOf(threadId), itemId: ItemId.make("turn:c"), tool }) satisfies ProviderRuntimeEvent
const says = (threadId: ThreadId, text: string, name = "assistant"): ProviderRuntimeEvent => ({
  type: "message.delta",
  ...runtimeOf(threadId),
  itemId: ItemId.make(`turn:${name}`),
  offset: 0,
  text
})

const itemsOf = <T extends ItemView["type"]>({ items }: ThreadView, type: T) =>
  items.filter((item): item is Extract<ItemView, { readonly type: T }> => item.type === type)
const approvals = (view: ThreadView) =>
  itemsOf(view, "request").flatMap((item) =>
    item.request.type === "approval" ? [{ ...item, request: item.request }] : []
  )
const said = (view: ThreadView) =>
  itemsOf(view, "message")
    .map(({ text }) => text)
    .join("")

/** Nothing is open, and no answer is taken. */
const closed = ({ view, visitor }: Seen) =>
  Effect.gen(function* () {
    assert.isEmpty(view.requests)
    const { threadId } = view
    const [item] = approvals(view)
    assert.strictEqual(item?.outcome.type, "expired")
    const requestId = RequestId.make("asked")
    for (const response of [optionOf(approvalOf({}), "yes"), { type: "option", optionId: "yes" } as const]) {
      const refused = yield* Effect.flip(visitor.send(threadId, { type: "request.respond", requestId, response }))
      assert.strictEqual(refused._tag === "CommandRejected" ? refused.problem.code : refused._tag, "request-closed")
    }
  })

const hiding = { rawInput: JSON.stringify(Inputs.hiding), subject: { type: "command", command: "git" } } as const
const quoting = { title: Inputs.quoting, subject: { type: "command", command: "fix" } } as const
const { rawInput: _, ...untold } = toolOf(quoting)
const between = TurnId.make("between")
const trace = join(temporaryFolder("trace"), "ran")

const way: Inputs.Way<Check> = {
  "a request that changes while it is open": {
    events: (id) => [
      asked(id, approvalOf({})),
      {
        type: "approval.changed",
        ...runtimeOf(id),
        request: approvalOf({ rawInput: JSON.stringify(Inputs.wipe) }, { revision: 1, changed: ["input"] })
      }
    ],
    holds: closed
  },
  "a call that changes after the answer": {
    events: (id) => [
      asked(id, approvalOf({})),
      resolved(id, { type: "answered", response: optionOf(approvalOf({}), "yes") }),
      told(id, toolOf({ status: "completed", rawInput: JSON.stringify(Inputs.wipe) }))
    ],
    holds: ({ view }) => {
      assert.include(approvals(view)[0]?.request.tool.rawInput, '"ls"')
      assert.include(itemsOf(view, "tool")[0]?.tool.rawInput, "rm -rf /")
    }
  },
  "a request with two options of one id": {
    events: (id) => [asked(id, approvalOf({}, { options: Inputs.twice }))],
    holds: closed
  },
  "members that hide in the input of a request": {
    events: (id) => [asked(id, approvalOf(hiding))],
    holds: ({ view }) => {
      const [item] = approvals(view)
      const reading = JSON.stringify(item && readTool(item.request.tool, "/project"))
      for (const part of Inputs.hidden) assert.include(reading, part)
    }
  },
  "a title with a command in it": {
    events: (id) => [told(id, { ...untold, status: "completed" }), asked(id, { ...approvalOf({}), tool: untold })],
    holds: ({ view }) => {
      const [tool] = itemsOf(view, "tool")
      assert.deepStrictEqual(tool && subjectOf(tool.tool), { type: "none" })
      const [item] = approvals(view)
      assert.deepStrictEqual(item && readTool(item.request.tool, "/project").subject, { type: "none" })
    }
  },
  "a command of 20,000 brackets": {
    events: (id) => [
      asked(id, approvalOf({ rawInput: JSON.stringify({ command: Inputs.brackets }), title: Inputs.brackets })),
      says(id, "still here")
    ],
    holds: ({ list, view }) => {
      assert.include(approvals(view)[0]?.request.tool.rawInput, Inputs.brackets)
      assert.strictEqual(said(view), "still here")
      assert.include(list, view.threadId.slice(0, 8))
    }
  },
  "words that steer a terminal": {
    title: Inputs.steers,
    events: (id) => [
      says(id, Inputs.steers),
      {
        type: "message.content",
        ...runtimeOf(id),
        itemId: ItemId.make("turn:assistant"),
        content: { type: "image", mimeType: `image/png${Inputs.steers}`, data: "aGk=" }
      },
      asked(
        id,
        approvalOf({ title: Inputs.steers }, { options: [{ optionId: "x", name: Inputs.steers, kind: "allow_once" }] })
      )
    ],
    holds: ({ list, view }) => {
      assertSafe(list)
      assert.notInclude(list, "\n✓ $ forged")
      assert.include(said(view), "erased")
    }
  },
  "a plan that was rejected": {
    events: (id) => {
      const requestId = RequestId.make("plan")
      const entries = [{ content: "Drop it all", status: "pending" as const }]
      return [
        { type: "plan.proposed", ...runtimeOf(id), request: { type: "plan", requestId, plan: "x", entries, at: 1 } },
        {
          type: "plan.resolved",
          ...runtimeOf(id),
          requestId,
          outcome: { type: "answered", response: { type: "reject" } }
        }
      ]
    },
    holds: ({ view }) => assert.deepStrictEqual(view.plan, [])
  },
  "a sub-agent that loses its name": {
    events: (id) =>
      (["running", "completed"] as const).map((state, index) => ({
        type: "subagent.updated",
        ...runtimeOf(id),
        itemId: ItemId.make("turn:subagent"),
        name: index === 0 ? "child" : "Cleaner",
        state
      })),
    holds: ({ view }) =>
      assert.deepStrictEqual(
        itemsOf(view, "subagent").map(({ name, state }) => [name, state]),
        [["Cleaner", "completed"]]
      )
  },
  "output that is sent twice": {
    never: "It is drawn once by the page, from the same entry: apps/web/test/unit-repeated-output.test.ts."
  },
  "200 KB of dots beside a secret word": {
    events: (id) => [
      says(id, Inputs.dots),
      { type: "runtime.error", ...runtimeOf(id), problem: problemOf(Inputs.dots) },
      says(id, "end", "assistant:2")
    ],
    holds: ({ exported }) => assert.isAbove(exported.length, 2 * Inputs.dots.length - 2000)
  },
  "200,000 short paragraphs": {
    events: (id) => [says(id, Inputs.paragraphs)],
    holds: ({ view }) => assert.strictEqual(said(view).length, Inputs.paragraphs.length)
  },
  "a flood beyond the limit of a turn": {
    events: (id) => Array.from({ length: 160 }, (_, index) => says(id, "x".repeat(65_536), `assistant:${index + 2}`)),
    holds: ({ exported, view }) => {
      // What is stored stays. A page gets a window of it.
      assert.isAbove(exported.length, 160 * 65_536)
      assert.isBelow(JSON.stringify(view).length, 8 * 1024 * 1024)
      assert.isDefined(view.earlier)
    }
  },
  "one message beyond the limit of a line": {
    events: (id) => [says(id, "x".repeat(33 * 1024 * 1024)), says(id, "still here", "assistant:2")],
    holds: ({ view }) => assert.isTrue(said(view).endsWith("still here"))
  },
  "damage in the middle": {
    never: "A damaged file is refused: cli/backup.test.ts. A row that is no entry is told: storage/state.test.ts."
  },
  "secrets in last words and errors": {
    events: (id) => [
      { type: "runtime.error", ...runtimeOf(id), problem: problemOf(Inputs.lastWords) },
      says(id, Inputs.lastWords)
    ],
    holds: ({ exported }) => {
      for (const value of Object.values(Inputs.env)) assert.notInclude(exported, value)
      assert.include(exported, "failed with [redacted] and [redacted]")
      assert.include(exported.split("\n")[0], "No rule knows every secret")
    }
  },
  "prompts that wait behind a stop": {
    options: { acp: { command: "/bin/sh", args: ["-c", `touch '${trace}'`] } },
    events: (id) => {
      const waiting = { threadId: id, at: 1, turnId: TurnId.make("waiting") }
      const end = { ...runtimeOf(id), outcome: "completed" as const }
      return [
        { type: "turn.completed", ...end },
        { type: "turn.queued", ...waiting, prompt: [{ type: "text", text: "go on" }] },
        { type: "turn.queued", ...waiting, turnId: between, steer: true, prompt: [{ type: "text", text: "at once" }] }
      ]
    },
    holds: ({ view }) => {
      assert.isTrue(view.held)
      const statuses = view.turns.map((turn) => [turn.turnId, turn.status] as const)
      assert.deepStrictEqual(
        new Map<string, string>(statuses),
        new Map([
          ["between", "failed"],
          ["turn", "completed"],
          ["waiting", "queued"]
        ])
      )
      assert.isFalse(existsSync(trace))
    }
  },
  "threads that were read": {
    events: (id) => [{ type: "turn.completed", ...runtimeOf(id), outcome: "completed" }],
    holds: ({ view }) => assert.strictEqual(view.updatedAt, 1)
  }
}

const problemOf = (cause: string) =>
  ({ code: "agent-exited", title: "It ended.", cause, evidence: { stderrTail: [cause] }, nextSteps: [] }) as const

const idOf = (name: string, folded: boolean) =>
  ThreadId.make(`${folded ? "rows" : "log"}-${name.replaceAll(/[^\w]+/g, "-")}`)

const forgedOf = (name: string, { events, options, title = name }: Check, folded: boolean) => {
  const threadId = idOf(name, folded)
  const common = { threadId, at: 1 }
  const begin: ReadonlyArray<ThreadEvent> = [
    {
      type: "thread.created",
      ...common,
      provider: { id: ProviderId.make("scripted"), kind: "acp", name: title, simulated: true },
      cwd: "/project",
      title,
      providerOptions: options ?? {},
      settings: {}
    },
    { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: title }] },
    { type: "turn.dispatched", ...common, turnId }
  ]
  return { threadId, folded, events: [...begin, ...events(threadId)], ...(options && { options }) }
}

class Restored extends Context.Service<Restored, { readonly connected: Served["connected"]; readonly list: string }>()(
  "Restored"
) {}

const rows = Inputs.checks(way).flatMap(([name, check]) =>
  [false, true].map((folded) => [name, folded ? "the transcript" : "the log", check, folded] as const)
)

/** One server with all of them: none harms another. */
const live = Layer.effect(
  Restored,
  Effect.gen(function* () {
    const { state } = yield* restored(rows.map(([name, , check, folded]) => forgedOf(name, check, folded)))
    const { connected } = yield* served(state, { env: Inputs.env })
    const { code, stderr, stdout } = yield* command(["threads", "list", "--state-dir", state])
    assert.strictEqual(code, 0, stderr)
    return { connected, list: stdout + stderr }
  })
)

describe("in a database that was restored", () => {
  layer(live, { timeout: "2 minutes", excludeTestServices: true })((test) => {
    test.effect.each(rows)("%s does what it does live, from rows of %s", ([name, , { holds }, folded]) =>
      Effect.gen(function* () {
        const { connected, list } = yield* Restored
        const threadId = idOf(name, folded)
        // A connection that breaks fails one test, and not those after it.
        const visitor = yield* connected
        const watcher = yield* visitor.watch(threadId)
        const view = yield* watcher.until(() => true)
        const exported = yield* Stream.mkString(visitor.client.exportThread({ threadId }))
        const result = holds({ view, exported, list, visitor })
        if (result !== undefined) yield* result
      }).pipe(Effect.scoped)
    )
  })
})
