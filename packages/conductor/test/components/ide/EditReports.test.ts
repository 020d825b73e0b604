/** What an agent's edits have broken, on the entry of the tool and with the next prompt. */
import type * as RawConnection from "@signalbox/acp/RawConnection"
import { assert, describe, it } from "@effect/vitest"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import { type Ide, IdeFailure } from "@signalbox/ide/Ide"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { project } from "../../../../lsp/test/support/Servers.ts"
import * as EditReports from "../../../src/components/ide-operations/EditReports.ts"
import { byHand } from "../../Parts.ts"
import * as IdeParts from "./IdeParts.ts"

const finding = (message: string, severity = "error") => ({
  severity,
  message,
  at: { path: "a.ts", start: { line: 2, column: 3 }, end: { line: 2, column: 4 } }
})

/** A session whose agent says what it is made to say; `findings` is what the client finds. */
const start = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const cwd = yield* project({ "a.ts": "const X = 1\n" })
  const state: { findings: ReadonlyArray<object> | Error; prompts: Array<unknown> } = { findings: [], prompts: [] }
  let connection: RawConnection.RawConnection | undefined
  const agent = byHand("agent", (made) => {
    connection = made
    return {
      onRequest: ({ method, params = "null" }, respond) => {
        if (method === "session/prompt") state.prompts.push(JSON.parse(params).prompt)
        const capabilities = { mcpCapabilities: { acp: true } }
        const answers: { readonly [method: string]: object } = {
          initialize: { protocolVersion: 1, agentCapabilities: capabilities },
          "session/new": { sessionId: "s" },
          "session/prompt": { stopReason: "end_turn" },
          "session/set_mode": {}
        }
        respond({ result: JSON.stringify(answers[method] ?? null) })
      },
      onNotification: () => {}
    }
  })
  const client = yield* IdeParts.start({
    args,
    agent,
    answer: ({ method }) => {
      if (method !== "_ide/diagnostics") return null
      return state.findings instanceof Error ? state.findings : { diagnostics: state.findings }
    }
  })
  yield* client.request("session/new", { cwd, mcpServers: [] })
  const path = join(cwd, "a.ts")
  const diff = { type: "diff", path, oldText: "const X = 1\n", newText: "const X: string = 1\n" }
  const say = (update: object) =>
    connection?.notify({ side: "client", method: "session/update", params: JSON.stringify({ sessionId: "s", update }) })
  /** The next update that is not the agent's own. */
  const report = Effect.gen(function* () {
    for (;;) {
      const { update } = yield* client.next("session/update")
      const last = update.content?.at(-1)
      if (last?.type === "content") return { id: update.toolCallId, content: update.content, text: last.content.text }
    }
  })
  const prompt = (text: string) =>
    client.request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text }] })
  /** Returns when all that was said before has been heard and answered. */
  const settled = client.request("session/set_mode", { sessionId: "s", modeId: "code" })
  const call = { sessionUpdate: "tool_call", toolCallId: "t", title: "Edit a.ts", kind: "edit", status: "pending" }
  const ended = { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" }
  return { call, diff, ended, next: client.next, path, prompt, report, say, settled, state }
})

describe("Errors that an edit has left", () => {
  it.live("stand on the entry of the tool, without those that were there before", () =>
    Effect.gen(function* () {
      const { call, diff, ended, next, prompt, report, say, settled, state } = yield* start()
      state.findings = [finding("Old.")]
      say({ ...call, content: [diff] })
      // What was wrong before is known when a later question has been answered.
      yield* next("_ide/diagnostics")
      yield* settled
      state.findings = [finding("Old."), finding("New.\nMore of it."), finding("Unused.", "warning")]
      say(ended)
      const { content, id, text } = yield* report
      assert.strictEqual(id, "t")
      assert.strictEqual(text, "After this edit, there is 1 new error:\na.ts:2:3: New.")
      assert.deepStrictEqual(content[0], diff)
      // The agent learns of it only where settings say so.
      yield* prompt("Second")
      assert.deepStrictEqual(state.prompts.at(-1), [{ type: "text", text: "Second" }])
    })
  )

  it.live("are all named where the file was written before anybody could look", () =>
    Effect.gen(function* () {
      const { call, diff, ended, next, path, report, say, settled, state } = yield* start()
      state.findings = [finding("Wrong.")]
      writeFileSync(path, diff.newText)
      say({ ...call, content: [diff] })
      yield* next("_ide/diagnostics")
      yield* settled
      say(ended)
      assert.strictEqual((yield* report).text, "After this edit, there is 1 error:\na.ts:2:3: Wrong.")
    })
  )

  it.live("are all named after an edit without a diff that says its places", () =>
    Effect.gen(function* () {
      const { call, ended, path, report, say, state } = yield* start()
      state.findings = [finding("Wrong.")]
      say({ ...call, toolCallId: "read", kind: "read", locations: [{ path }] })
      say({ ...ended, toolCallId: "read" })
      // The kind comes first, and the place later.
      say(call)
      say({ sessionUpdate: "tool_call_update", toolCallId: "t", locations: [{ path, line: 2 }] })
      say(ended)
      const { id, text } = yield* report
      assert.deepStrictEqual([id, text], ["t", "After this edit, there is 1 error:\na.ts:2:3: Wrong."])
    })
  )

  it.live("are found however many calls never end, and those are forgotten with the turn", () =>
    Effect.gen(function* () {
      const { call, diff, ended, prompt, report, say, state } = yield* start()
      state.findings = [finding("Wrong.")]
      for (let index = 0; index <= 100; index += 1) say({ ...call, toolCallId: `open-${index}`, content: [diff] })
      say({ ...ended, toolCallId: "open-100" })
      assert.strictEqual((yield* report).id, "open-100")
      yield* prompt("First")
      say({ ...ended, toolCallId: "open-99" })
      say({ ...call, toolCallId: "last", content: [diff], status: "completed" })
      assert.strictEqual((yield* report).id, "last")
    })
  )

  it.live("are told when the server is ready, unless the file is another one by then", () =>
    Effect.gen(function* () {
      const { call, diff, next, path, report, say, state } = yield* start()
      state.findings = new Error("The server still reads its project.")
      say({ ...call, toolCallId: "first", content: [diff], status: "completed" })
      yield* next("_ide/diagnostics")
      writeFileSync(path, diff.newText)
      say({ ...call, toolCallId: "second", content: [diff], status: "completed" })
      yield* next("_ide/diagnostics")
      state.findings = [finding("Wrong.")]
      const { id, text } = yield* report
      assert.deepStrictEqual([id, text], ["second", "After this edit, there is 1 error:\na.ts:2:3: Wrong."])
    })
  )

  it.live("reach the agent as far as they are left then, each once, also if a later edit has not made them", () =>
    Effect.gen(function* () {
      const { call, diff, next, path, prompt, report, say, settled, state } = yield* start("--report-errors")
      const edit = (toolCallId: string, ...messages: ReadonlyArray<string>) => {
        state.findings = messages.map((message) => finding(message))
        say({ ...call, toolCallId, content: [diff], status: "completed" })
      }
      const told = Effect.andThen(
        prompt("Go on"),
        Effect.sync(() => JSON.stringify(state.prompts.at(-1)))
      )
      edit("breaks", "First.", "Second.")
      yield* report
      edit("says it once more", "First.", "Second.")
      yield* report
      edit("mends one", "Second.")
      yield* report
      const words = yield* told
      assert.include(words, String.raw`After your edits, there is 1 error:\na.ts:2:3: Second.`)
      edit("breaks again", "First.")
      yield* report
      edit("mends all")
      yield* next("_ide/diagnostics")
      yield* settled
      assert.notInclude(yield* told, "First.")
      edit("breaks once more", "First.")
      yield* report
      writeFileSync(path, "another text\n")
      assert.notInclude(yield* told, "First.")
    })
  )

  it.live("reach the agent with its next prompt where that is switched on, and once", () =>
    Effect.gen(function* () {
      const { call, diff, ended, prompt, report, say, state } = yield* start("--report-errors")
      state.findings = [finding("Wrong.")]
      // An edit that is named only when it is done: nobody knows what was wrong before.
      say({ ...call, content: [diff], status: "completed" })
      const { text } = yield* report
      assert.strictEqual(text, "After this edit, there is 1 error:\na.ts:2:3: Wrong.")
      const left = text.replace("this edit", "your edits")
      yield* prompt("/compact")
      yield* prompt("Go on")
      yield* prompt("And on")
      assert.deepStrictEqual(state.prompts, [
        [{ type: "text", text: "/compact" }],
        [
          { type: "text", text: "Go on" },
          { type: "text", text: left }
        ],
        [{ type: "text", text: "And on" }]
      ])
      // What ends without an edit, or outside of the folder, is not asked about.
      say({ ...ended, toolCallId: "other" })
      say({ ...call, toolCallId: "far", content: [{ ...diff, path: "/etc/hostname" }], status: "completed" })
      state.findings = [finding("Again.")]
      say({ ...call, toolCallId: "u", content: [diff], status: "completed" })
      assert.strictEqual((yield* report).id, "u")
    })
  )

  it.effect("are asked for once where nobody knows the language", () =>
    Effect.gen(function* () {
      const cwd = yield* project({ "a.txt": "one\n" })
      let asked = 0
      const nobody = Effect.suspend(() => {
        asked += 1
        return Effect.fail(new IdeFailure({ message: "Nobody can be asked about it.", isForGood: true }))
      })
      const ide: Ide = {
        resolveSymbol: () => nobody,
        references: () => nobody,
        lsp: () => nobody,
        diagnostics: () => nobody,
        selection: nobody
      }
      const reports = EditReports.make(ide, yield* SessionFolder.open(cwd), yield* Effect.scope)
      const content = [{ type: "diff", path: join(cwd, "a.txt"), oldText: "none\n", newText: "one\n" }]
      const update = { sessionUpdate: "tool_call", toolCallId: "t", kind: "edit", status: "completed", content }
      const question = (yield* reports.heard(update)) ?? Effect.die("no question")
      // The clock stands still, so waiting for another try would never end.
      assert.isUndefined(yield* question)
      assert.strictEqual(asked, 1)
    })
  )
})
