/** `signalbox acp` with the emulator of Cursor behind it: what only Cursor asks, as an editor gets it. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as acp from "@agentclientprotocol/sdk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const { session } = acp.methods.agent

describe("Cursor behind signalbox acp", () => {
  it.live("asks in the editor: a question, a plan, a command; its edits are diffs, its to-dos a plan", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const page = yield* served(state)
      const editor = yield* SdkEditor.start(state, { flags: ["--provider", "cursor-simulated"] })
      const cwd = temporaryFolder("project")
      const started = yield* editor.newSession(cwd)
      const { sessionId } = started
      assert.include(started.configOptions?.map(({ id }) => id) ?? [], "mode")
      const watcher = yield* page.watch(ThreadId.make(sessionId))
      const say = (text: string) =>
        Effect.forkScoped(
          editor.request((agent) => agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text }] }))
        )

      const question = yield* say("ask me")
      yield* editor.until(({ asked }) => asked.length === 1)
      const [first] = editor.asked
      const names = first?.params.options.map(({ name }) => name) ?? []
      assert.strictEqual(names.at(-1), "Skip this question")
      first?.answer(first.params.options[0]?.optionId ?? "")
      yield* Fiber.join(question)
      const answered = yield* watcher.until(({ items }) => items.some(({ type }) => type === "request"))
      const request = answered.items.find(({ type }) => type === "request")
      assert.strictEqual(request?.type === "request" ? request.outcome.type : undefined, "answered")

      const plan = yield* say("make a plan")
      yield* editor.until(({ asked }) => asked.length === 2)
      assert.deepStrictEqual(
        editor.asked[1]?.params.options.map(({ name }) => name),
        ["Accept the plan", "Reject the plan"]
      )
      editor.asked[1]?.answer("reject")
      yield* Fiber.join(plan)

      const demo = yield* say("demo")
      yield* editor.until(({ asked }) => asked.length === 3)
      editor.asked[2]?.answer(editor.asked[2].params.options[0]?.optionId ?? "")
      yield* Fiber.join(demo)
      assert.isTrue(existsSync(join(cwd, "demo-notes.md")))
      const { updates } = editor
      const changes = [...SdkEditor.ofKind(updates, "tool_call"), ...SdkEditor.ofKind(updates, "tool_call_update")]
      const diffs = changes.flatMap(({ content }) => (content ?? []).filter(({ type }) => type === "diff"))
      assert.isTrue(diffs.some((diff) => diff.type === "diff" && diff.path === join(cwd, "demo-notes.md")))
      const printed = changes.flatMap(({ content }) => content ?? [])
      assert.include(JSON.stringify(printed), "all checks passed (simulated)")
      assert.isTrue(
        SdkEditor.ofKind(updates, "plan")
          .at(-1)
          ?.entries.every(({ status }) => status === "completed")
      )

      // The editor has the words of the page.
      const view = yield* watcher.until(({ turns }) => turns.length === 3 && turns.at(-1)?.status === "completed")
      const said = view.items.flatMap((item) => (item.type === "message" ? [item.text] : [])).join("")
      assert.strictEqual(SdkEditor.textOf(updates), said)
    }).pipe(Effect.scoped)
  )
})
