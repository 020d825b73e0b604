/** Hostile inputs in the history of an agent's own session, which becomes a thread by `session/load`. */
import { assert, describe, layer } from "@effect/vitest"
import { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { subjectOf } from "@signalbox/contracts/ToolCall"
import { readTool } from "@signalbox/contracts/ToolReading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call as command, temporaryFolder } from "../cli/support/Signalbox.ts"
import * as Inputs from "./Inputs.ts"
import { call, change } from "../support/ScriptedAgent.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"
import { assertSafe } from "../support/SteeringWords.ts"

interface Seen {
  readonly view: ThreadView
  readonly exported: string
  readonly list: string
}

interface Check {
  /** The updates that the agent sends while it loads the session. */
  readonly steps: ReadonlyArray<object>
  /** The title of the session. */
  readonly title?: string
  /** The load is refused in the end. */
  readonly error?: { readonly code: number; readonly message: string }
  readonly holds: (seen: Seen) => void
}

const itemsOf = <T extends ItemView["type"]>({ items }: ThreadView, type: T) =>
  items.filter((item): item is Extract<ItemView, { readonly type: T }> => item.type === type)
const said = (view: ThreadView) =>
  itemsOf(view, "message")
    .map(({ text }) => text)
    .join("")
const warnings = (view: ThreadView) =>
  itemsOf(view, "warning").map(({ detail = "", message }) => `${message} ${detail}`)
const tools = (view: ThreadView) => itemsOf(view, "tool").map(({ tool }) => tool)

const mebibyte = 1024 * 1024
/** An agent that asks in its history waits for nobody. */
const asks = (toolCall: object, options: ReadonlyArray<object> = Inputs.options) => ({
  message: {
    jsonrpc: "2.0",
    id: "asked",
    method: "session/request_permission",
    params: { sessionId: "kept", toolCall, options }
  }
})

const way: Inputs.Way<Check> = {
  "a request that changes while it is open": {
    steps: [asks(Inputs.ls), change("c", { rawInput: Inputs.wipe }), { text: "end" }],
    holds: ({ view }) => {
      const inputs = view.requests.map(({ request }) => (request.type === "approval" ? request.tool.rawInput : ""))
      assert.deepStrictEqual(inputs, [JSON.stringify(Inputs.wipe)])
      assert.strictEqual(said(view), "end")
    }
  },
  "a call that changes after the answer": {
    never: "Nobody answers here: what a history tells was answered elsewhere."
  },
  "a request with two options of one id": {
    steps: [asks(Inputs.ls, Inputs.twice), { text: "end" }],
    holds: ({ view }) => {
      assert.isEmpty(view.requests)
      assert.include(warnings(view).join(), "two answers of one id")
    }
  },
  "members that hide in the input of a request": {
    steps: [call("c", { kind: "execute", rawInput: Inputs.hiding }), change("c", { status: "completed" })],
    holds: ({ view }) => {
      const reading = JSON.stringify(tools(view).map((tool) => readTool(tool, "/project")))
      for (const part of Inputs.hidden) assert.include(reading, part)
    }
  },
  "a title with a command in it": {
    steps: [call("c", { kind: "execute", title: Inputs.quoting }), change("c", { status: "completed" })],
    holds: ({ view }) => assert.deepStrictEqual(tools(view).map(subjectOf), [{ type: "none" }])
  },
  "a command of 20,000 brackets": {
    steps: [
      call("c", { kind: "execute", title: Inputs.brackets, rawInput: { command: Inputs.brackets } }),
      { text: "still here" }
    ],
    holds: ({ view }) => assert.strictEqual(said(view), "still here")
  },
  "words that steer a terminal": {
    title: Inputs.steers,
    steps: [{ user: Inputs.steers }, { text: Inputs.steers }, call(Inputs.steers, { title: Inputs.steers })],
    holds: ({ list, view }) => {
      assertSafe(list)
      assert.notInclude(list, "\n✓ $ forged")
      assert.include(said(view), "erased")
    }
  },
  "a plan that was rejected": { never: "Plans that are proposed are requests. A history holds none." },
  "a sub-agent that loses its name": {
    steps: [
      {
        update: { sessionUpdate: "subagent_update", sessionId: "child", title: "Cleaner", state: { state: "running" } }
      },
      {
        update: {
          sessionUpdate: "subagent_update",
          sessionId: "child",
          state: { state: "idle", stopReason: "end_turn" }
        }
      }
    ],
    holds: ({ view }) =>
      assert.deepStrictEqual(
        itemsOf(view, "subagent").map(({ name }) => name),
        ["Cleaner"]
      )
  },
  "output that is sent twice": {
    steps: [
      call("c", { kind: "execute" }),
      call("c", { kind: "execute", status: "completed", rawOutput: { stdout: "x" } })
    ],
    holds: ({ view }) => assert.lengthOf(tools(view), 1)
  },
  "200 KB of dots beside a secret word": {
    steps: [{ stderr: Inputs.dots }, { text: Inputs.dots }],
    holds: ({ exported }) => assert.isAbove(exported.length, Inputs.dots.length)
  },
  "200,000 short paragraphs": {
    steps: [{ text: Inputs.paragraphs }],
    holds: ({ view }) => {
      assert.strictEqual(said(view).length, Inputs.paragraphs.length)
      for (const { text } of itemsOf(view, "message")) assert.isAtMost(text.length, 65_536)
    }
  },
  "a flood beyond the limit of a turn": {
    steps: [{ repeat: 40, steps: [{ text: "x".repeat(100_000) }] }],
    holds: ({ exported, view }) => {
      assert.match(warnings(view).join(), /are left out here\. Signalbox keeps 2 MiB of a turn/)
      assert.isBelow(exported.length, 3 * mebibyte)
    }
  },
  "one message beyond the limit of a line": {
    steps: [{ raw: "x".repeat(mebibyte), times: 33 }, { raw: "\n" }, { text: "still here" }],
    holds: ({ view }) => {
      assert.strictEqual(said(view), "still here")
      assert.isNotEmpty(warnings(view))
    }
  },
  "damage in the middle": {
    steps: [{ text: "before " }, { raw: '{"jsonrpc":\u0000\n' }, { rawBase64: "//6ACg==" }, { text: "behind" }],
    holds: ({ view }) => {
      assert.strictEqual(said(view), "before behind")
      assert.isNotEmpty(warnings(view))
    }
  },
  "secrets in last words and errors": {
    steps: [{ stderr: Inputs.lastWords }, { wait: 50 }],
    error: { code: -32603, message: Inputs.lastWords },
    holds: ({ exported, view }) => {
      const shown = JSON.stringify(view) + exported
      for (const value of Object.values(Inputs.env)) assert.notInclude(shown, value)
      assert.include(shown, "[redacted]")
    }
  },
  "prompts that wait behind a stop": { never: "A history has no queue." },
  "threads that were read": { never: "An imported thread is new in the list." }
}

class Imported extends Context.Service<
  Imported,
  { readonly connected: Effect.Success<ReturnType<typeof served>>["connected"]; readonly list: string }
>()("Imported") {}

const rows = Inputs.checks(way)
const idOf = (name: string) => ThreadId.make(name.replaceAll(/[^\w]+/g, "-"))

/** The last update of each history. */
const end = {
  update: { sessionUpdate: "available_commands_update", availableCommands: [{ name: "end", description: "" }] }
}
const isThere = (refused: boolean) => (view: ThreadView) =>
  refused ? itemsOf(view, "problem").length > 0 : view.commands.length > 0

/** One server that imports all of them, one after the other. */
const live = Layer.effect(
  Imported,
  Effect.gen(function* () {
    const state = temporaryFolder("state")
    writeFileSync(join(state, "settings.json"), '{ "turnLimitMiB": 2 }', { mode: 0o600 })
    const server = yield* served(state, { env: Inputs.env })
    for (const [name, { error, steps, title }] of rows) {
      const script = join(temporaryFolder("script"), "setup.json")
      const setup = JSON.stringify({ load: { replay: [...steps, end], ...(error && { error }) } })
      writeFileSync(script, setup.replaceAll('"kept"', JSON.stringify(idOf(name))))
      const acp = { ...scriptedCommand, env: { SCRIPTED_AGENT: script } }
      const threadId = idOf(name)
      const provider = ProviderId.make("scripted")
      const from = { type: "import" as const, sessionId: ResumeToken.make(threadId), ...(title && { title }) }
      const cwd = temporaryFolder("project")
      yield* server.send(threadId, { type: "thread.create", provider, cwd, from, providerOptions: { acp } })
      yield* server.send(threadId, { type: "session.start" })
    }
    const { code, stderr, stdout } = yield* command(["threads", "list", "--state-dir", state])
    assert.strictEqual(code, 0, stderr)
    return { connected: server.connected, list: stdout + stderr }
  })
)

describe("in a history that is imported", () => {
  layer(live, { timeout: "2 minutes", excludeTestServices: true })((test) => {
    test.effect.each(rows)("%s does what it does live", ([name, { error, holds }]) =>
      Effect.gen(function* () {
        const { connected, list } = yield* Imported
        const threadId = idOf(name)
        // A connection that breaks fails one test, and not those after it.
        const visitor = yield* connected
        const watcher = yield* visitor.watch(threadId)
        const view = yield* watcher.until(isThere(error !== undefined))
        const exported = yield* Stream.mkString(visitor.client.exportThread({ threadId }))
        holds({ view, exported, list })
      }).pipe(Effect.scoped)
    )
  })
})
