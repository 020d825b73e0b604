/** The audit log against what the agent itself received: each answer stands in both, and says the same. */
import { assert, describe, it } from "@effect/vitest"
import { type AgentRequest, optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { AuditRow } from "@signalbox/contracts/Audit"
import { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as AuditReader from "../../src/audit/AuditReader.ts"
import { play } from "../cli/support/Runs.ts"
import { call as signalbox, temporaryFolder } from "../cli/support/Signalbox.ts"
import { change, told } from "../support/ScriptedAgent.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

const asking = (toolCallId: string, command: string) => ({
  permission: { toolCall: { toolCallId, title: command, kind: "execute", rawInput: { command } }, options }
})

const ruled = (state: string) =>
  writeFileSync(
    join(state, "rules.json"),
    JSON.stringify({
      rules: [
        { effect: "allow", match: { command: "ls **" } },
        { effect: "deny", match: { command: "rm **" } },
        { effect: "deny", match: { path: "**/secret" } },
        { effect: "deny", match: { host: "bad.example" } }
      ]
    })
  )

const isOver = ({ turns }: ThreadView) => turns.length > 0 && turns.every(({ status }) => hasEnded(status))

/** What the agent received in answer to its requests, in the order of the requests. */
const answersIn = (log: string): ReadonlyArray<unknown> =>
  told(log)
    .filter((message) => !("method" in message))
    .toSorted((one, other) => Number(one["id"]) - Number(other["id"]))
    .map(({ error, result }) => (error === undefined ? result : "error"))

const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } })

const inShort = ({ decision: { by, effect, kind, outcome } }: AuditRow): string =>
  [kind, outcome, effect, by.type].join(" ")

const oldestFirst = (rows: ReadonlyArray<AuditRow>) =>
  rows.toSorted((one, other) => one.decision.sequence - other.decision.sequence)

interface Row {
  readonly asks: object
  /** The answer of a person, where one is asked. */
  readonly answer?: (request: AgentRequest) => RequestResponse
  readonly received: unknown
  readonly recorded: string
}

const option = (optionId: string) => (request: AgentRequest) => {
  assert.strictEqual(request.type, "approval")
  return request.type === "approval" ? optionOf(request, optionId) : { type: "skip" as const }
}

const elicitation = (params: object) => ({ request: { method: "elicitation/create", params } })
const form = elicitation({
  mode: "form",
  message: "Which name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } }
})
const address = (host: string, elicitationId: string) =>
  elicitation({ mode: "url", message: "Sign in", url: `https://${host}/login`, elicitationId })

describe("what the agent received", () => {
  it.live("is what the audit log says, whoever decided", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const log = join(temporaryFolder("log"), "log")
      const { client, open, prompt, send } = yield* served(state)
      const acp = { ...scriptedCommand, files: "write", terminals: true, env: { SCRIPTED_AGENT_LOG: log } } as const
      const { cwd, threadId, watcher } = yield* open("thread", acp)
      writeFileSync(join(cwd, "a"), "one")
      const wants = (method: string, params: object) => ({ request: { method, params } })
      const table: ReadonlyArray<Row> = [
        { asks: asking("a", "ls"), received: selected("yes"), recorded: "permission answered allow rule" },
        { asks: asking("b", "rm x"), received: selected("no"), recorded: "permission answered deny rule" },
        ...(["yes", "always"] as const).map((id) => ({
          asks: asking(id, `make ${id}`),
          answer: option(id),
          received: selected(id),
          recorded: "permission answered allow person"
        })),
        {
          asks: asking("e", "make no"),
          answer: option("no"),
          received: selected("no"),
          recorded: "permission answered deny person"
        },
        {
          asks: wants("fs/read_text_file", { path: join(cwd, "a") }),
          received: { content: "one" },
          recorded: "read answered allow settings"
        },
        {
          asks: wants("fs/read_text_file", { path: join(cwd, "secret") }),
          received: "error",
          recorded: "read answered deny rule"
        },
        {
          asks: wants("fs/write_text_file", { path: join(cwd, "b"), content: "two" }),
          received: {},
          recorded: "write answered allow settings"
        },
        {
          asks: wants("fs/write_text_file", { path: join(cwd, "secret"), content: "two" }),
          received: "error",
          recorded: "write answered deny rule"
        },
        {
          asks: wants("terminal/create", { command: "rm", args: ["x"] }),
          received: "error",
          recorded: "program answered deny rule"
        },
        {
          asks: form,
          answer: () => ({ type: "content", content: { name: "blog" } }),
          received: { action: "accept", content: { name: "blog" } },
          recorded: "form answered none person"
        },
        {
          asks: form,
          answer: () => ({ type: "reject" }),
          received: { action: "decline" },
          recorded: "form answered deny person"
        },
        {
          asks: address("good.example", "e1"),
          answer: () => ({ type: "accept" }),
          received: { action: "accept" },
          recorded: "address answered allow person"
        },
        {
          asks: address("good.example", "e2"),
          answer: () => ({ type: "reject" }),
          received: { action: "decline" },
          recorded: "address answered deny person"
        },
        {
          asks: address("bad.example", "e3"),
          received: { action: "decline" },
          recorded: "address answered deny rule"
        },
        {
          asks: asking("z", "make last"),
          received: { outcome: { outcome: "cancelled" } },
          recorded: "permission cancelled none nobody"
        }
      ]
      yield* prompt(threadId, "t1", ...table.map(({ asks }) => asks))
      let before: string | undefined
      const asked = Effect.gen(function* () {
        const { requests } = yield* watcher.until(
          (view) => view.requests.length > 0 && view.requests[0]?.request.requestId !== before
        )
        before = requests[0]?.request.requestId
        return requests[0]?.request
      })
      for (const { answer } of table) {
        if (answer === undefined) continue
        const request = yield* asked
        assert.isDefined(request)
        yield* send(threadId, {
          type: "request.respond",
          requestId: request.requestId,
          response: answer(request)
        })
      }
      yield* asked
      yield* send(threadId, { type: "turn.interrupt", turnId: TurnId.make("t1") })
      yield* watcher.until(isOver)
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.deepStrictEqual(
        answersIn(log),
        table.map(({ received }) => received)
      )
      assert.deepStrictEqual(
        oldestFirst(rows).map(inShort),
        table.map(({ recorded }) => recorded)
      )
    })
  )

  it.live("is its own answer for each request, where two have one tool call id", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const log = join(temporaryFolder("log"), "log")
      const { client, open, prompt, send } = yield* served(state)
      const { threadId, watcher } = yield* open("thread", { ...scriptedCommand, env: { SCRIPTED_AGENT_LOG: log } })
      const commands = ["make one", "rm y", "make two", "ls x"]
      yield* prompt(threadId, "t1", { together: commands.map((command) => [asking("a", command)]) })
      const { requests } = yield* watcher.until((view) => view.requests.length === 2)
      const shown = requests.flatMap(({ request }) => (request.type === "approval" ? [request] : []))
      assert.deepStrictEqual(
        shown.map(({ tool }) => tool.rawInput),
        ['{"command":"make one"}', '{"command":"make two"}']
      )
      for (const request of shown.toReversed())
        yield* send(threadId, {
          type: "request.respond",
          requestId: request.requestId,
          response: optionOf(request, request.tool.rawInput?.includes("one") === true ? "yes" : "no")
        })
      yield* watcher.until(isOver)
      assert.deepStrictEqual(answersIn(log), ["yes", "no", "no", "yes"].map(selected))
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.sameDeepMembers(
        rows.map((row) => [row.decision.asked, inShort(row)]),
        [
          ['{"input":{"command":"make one"}}', "permission answered allow person"],
          ['{"input":{"command":"rm y"}}', "permission answered deny rule"],
          ['{"input":{"command":"make two"}}', "permission answered deny person"],
          ['{"input":{"command":"ls x"}}', "permission answered allow rule"]
        ]
      )
      const digests = new Set(rows.map(({ decision }) => decision.digest))
      assert.strictEqual(digests.size, rows.length)
    })
  )

  it.live("changes both of them, where an update of that id comes", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      ruled(state)
      const log = join(temporaryFolder("log"), "log")
      const { open, prompt } = yield* served(state)
      const { cwd, threadId, watcher } = yield* open("thread", { ...scriptedCommand, env: { SCRIPTED_AGENT_LOG: log } })
      yield* prompt(threadId, "t1", {
        together: [
          [asking("a", "make one")],
          [asking("a", "make two")],
          [{ waitForFile: "go" }, change("a", { rawInput: { command: "rm z" } })]
        ]
      })
      yield* watcher.until((view) => view.requests.length === 2)
      writeFileSync(join(cwd, "go"), "")
      yield* watcher.until(isOver)
      assert.deepStrictEqual(answersIn(log), [selected("no"), selected("no")])
    })
  )

  it.live("is what was allowed, and a call that says another command afterwards is named in the thread", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "log")
      const { client, open, prompt, send } = yield* served(temporaryFolder("state"))
      const { threadId, watcher } = yield* open("thread", { ...scriptedCommand, env: { SCRIPTED_AGENT_LOG: log } })
      yield* prompt(threadId, "t1", asking("a", "make"), change("a", { rawInput: { command: "curl evil" } }))
      const { requests } = yield* watcher.until((view) => view.requests.length === 1)
      const request = requests[0]?.request
      assert.strictEqual(request?.type, "approval")
      if (request?.type !== "approval") return
      yield* send(threadId, {
        type: "request.respond",
        requestId: request.requestId,
        response: optionOf(request, "yes")
      })
      const { items } = yield* watcher.until(isOver)
      const warnings = items.flatMap((item) => (item.type === "warning" ? [item.message] : []))
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "changed a call after it was allowed")
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.lengthOf(rows, 1)
      assert.strictEqual(rows[0]?.decision.asked, '{"input":{"command":"make"}}')
      assert.strictEqual(rows[0]?.decision.digest, request.digest)
    })
  )

  it.live("is what the profile says, and nothing at all where it ended before", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const log = join(temporaryFolder("log"), "log")
      const { client, open, prompt } = yield* served(state)
      const env = { SCRIPTED_AGENT_LOG: log }
      const { threadId, watcher } = yield* open("thread", { ...scriptedCommand, permissions: "read-only", env })
      yield* prompt(
        threadId,
        "t1",
        asking("a", "make"),
        { permission: { toolCall: { toolCallId: "b", title: "Look", kind: "think" }, options } },
        { text: "never" }
      )
      const { session } = yield* watcher.until((view) => view.requests.length === 1)
      // The agent ends while its request is open.
      process.kill(session.pid ?? Number.NaN, "SIGKILL")
      yield* watcher.until(isOver)
      assert.deepStrictEqual(answersIn(log), [selected("no")])
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.deepStrictEqual(oldestFirst(rows).map(inShort), [
        "permission answered deny settings",
        "permission expired none nobody"
      ])
    })
  )

  it.live("is what a flag of run says", () =>
    Effect.gen(function* () {
      for (const [flag, effect, optionId] of [
        ["allow", "allow", "yes"],
        ["reject", "deny", "no"],
        ["rules", "deny", "no"]
      ] as const) {
        const state = temporaryFolder("state")
        const log = join(temporaryFolder("log"), "log")
        const env = { SIGNALBOX_STATE_DIR: state, SCRIPTED_AGENT_LOG: log }
        yield* signalbox(play([asking("a", "make")], "--approve", flag), { env })
        assert.deepStrictEqual(answersIn(log), [selected(optionId)])
        const { rows } = yield* AuditReader.page(join(state, "audit.sqlite"), { filter: {}, limit: 9 })
        assert.deepStrictEqual(rows.map(inShort), [`permission answered ${effect} flag`])
      }
    })
  )
})
