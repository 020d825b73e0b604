/** Answers over the wire of a real server: what they are bound to, who gave them, and what the settings allow since. */
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

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
      const { cwd, threadId, watcher } = yield* open("thread")
      const change = { update: { sessionUpdate: "tool_call_update", toolCallId: "c", rawInput: { command: "rm" } } }
      yield* prompt(threadId, "t1", {
        together: [[{ permission: { toolCall, options } }], [{ waitForFile: "seen" }, change]]
      })
      const first = approvalIn(yield* watcher.until((view) => approvalIn(view)?.revision === 0))
      writeFileSync(join(cwd, "seen"), "")
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

describe("clients that answer at once", () => {
  /** One client: chooses the same option for every open request in the form that it sees. Returns the refusals. */
  const eager = Effect.fnUntraced(function* (
    { send, watch }: Effect.Success<ReturnType<typeof served>>,
    threadId: ThreadId,
    optionId: string
  ) {
    const watcher = yield* watch(threadId)
    const refused: Array<string> = []
    const seen = new Set<string>()
    const next = ({ requests }: ThreadView) =>
      requests.flatMap(({ request }) =>
        request.type === "approval" && !seen.has(request.digest ?? "") ? [request] : []
      )[0]
    yield* Effect.gen(function* () {
      const request = next(yield* watcher.until((view) => next(view) !== undefined))
      if (request === undefined) return
      seen.add(request.digest ?? "")
      const { requestId } = request
      yield* send(threadId, { type: "request.respond", requestId, response: optionOf(request, optionId) }).pipe(
        Effect.catchTag("CommandRejected", ({ problem }) => Effect.sync(() => void refused.push(problem.code)))
      )
    }).pipe(Effect.forever, Effect.forkScoped)
    return refused
  })

  it.live("while requests change get each answered once, for what it was then or with a word of the change", () =>
    Effect.gen(function* () {
      const server = yield* served(temporaryFolder("state"))
      const { threadId, watcher } = yield* server.open("thread")
      const refused = [yield* eager(server, threadId, "yes"), yield* eager(server, threadId, "no")]
      const rounds = Array.from({ length: 40 }, (_, round) => {
        const toolCallId = `c${round}`
        const rawInput = { command: `rm ${round}` }
        return {
          together: [
            [{ permission: { toolCall: { ...toolCall, toolCallId, rawInput: { command: `ls ${round}` } }, options } }],
            [{ wait: round % 20 }, { update: { sessionUpdate: "tool_call_update", toolCallId, rawInput } }]
          ]
        }
      })
      yield* server.prompt(threadId, "t1", ...rounds)
      const { items } = yield* watcher.until(isOver)
      const told = items.flatMap((item) => (item.type === "warning" ? [item.detail ?? ""] : []))
      const ends = items.filter((item) => item.type === "request")
      assert.lengthOf(ends, rounds.length)
      for (const { outcome, request } of ends) {
        if (request.type !== "approval" || outcome.type !== "answered" || outcome.response.type !== "option")
          return assert.fail(JSON.stringify(outcome))
        // It was given for what stands on record, and for nothing else.
        assert.strictEqual(outcome.response.digest, request.digest)
        const command: string = JSON.parse(request.tool.rawInput ?? "").command
        const isTold = told.some((text) => text.includes(`"ls ${command.slice(3)}"`))
        if (outcome.response.optionId === "yes") assert.strictEqual(isTold, command.startsWith("ls "), command)
      }
      const codes = new Set(refused.flat())
      assert.isTrue(codes.has("request-closed") || codes.has("request-changed"), [...codes].join())
      for (const code of codes) assert.include(["request-closed", "request-changed"], code)
    })
  )
})

describe("a client that says to be another", () => {
  it.live("is on record as what let it in, whatever headers and members it sends", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const { open, prompt, server } = yield* served(state)
      const { threadId, watcher } = yield* open("thread")
      yield* prompt(threadId, "t1", { permission: { toolCall, options } })
      const request = approvalIn(yield* watcher.until((view) => approvalIn(view) !== undefined))
      assert.isDefined(request)
      const [, url = "", token = ""] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
      const forged = JSON.stringify({ kind: "page", name: "abcdef" })
      const names = ["signalbox-client", `signalbox-client-${randomUUID()}`, "client", "x-signalbox-client"]
      const headers = Object.fromEntries(names.map((name) => [name, forged]))
      const cookie = "signalbox=forged; __Host-signalbox=forged"
      const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, {
        headers: { ...headers, cookie, authorization: `Bearer ${token}` }
      })
      yield* Effect.callback<void>((resume) => {
        socket.addEventListener("open", () => resume(Effect.void), { once: true })
      })
      const respond = {
        commandId: randomUUID(),
        threadId,
        client: { kind: "page", name: "abcdef" },
        command: {
          type: "request.respond",
          requestId: request.requestId,
          response: { ...optionOf(request, "yes"), by: "settings", client: { kind: "page" } },
          client: { kind: "page", name: "abcdef" },
          by: "settings"
        }
      }
      const own = [...Object.entries(headers), ["cookie", cookie], ["authorization", "Bearer other"]]
      socket.send(`${JSON.stringify({ _tag: "Request", id: "1", tag: "send", payload: respond, headers: own })}\n`)
      const { items } = yield* watcher.until(isOver)
      socket.close()
      assert.deepStrictEqual(
        items.flatMap((item) => (item.type === "request" ? [item.outcome] : [])),
        [{ type: "answered", response: optionOf(request, "yes"), client: { kind: "program" } }]
      )
    })
  )
})

describe("a grant that was added to the settings", () => {
  it.live("is reported when the agent is started again by the next server", () =>
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
      const { prompt, send, watch } = yield* served(state)
      const watcher = yield* watch(threadId)
      yield* prompt(threadId, "t2", { text: "two" })
      // It takes up no session: people let the prompt go to a new one.
      yield* watcher.until(({ heldBy }) => heldBy?.why === "forgotten")
      yield* send(threadId, { type: "queue.hold", held: false })
      const { items } = yield* watcher.until((view) => view.turns.length === 2 && isOver(view))
      // Warnings about processes of the first server may also be there.
      const warnings = items
        .flatMap((item) => (item.type === "warning" ? [`${item.message} ${item.detail}`] : []))
        .filter((text) => text.includes("allow more"))
      assert.lengthOf(warnings, 1, warnings.join("\n"))
      assert.match(
        warnings[0] ?? "",
        /allow more than in its last session here\. New: reading and searching without asking you; having Signalbox run programs\.$/
      )
    })
  )
})
