/** Forms, addresses and questions through `signalbox acp`: in the editor where it offers them, and on the page. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const requestedSchema = {
  type: "object",
  title: "About you",
  properties: {
    name: { type: "string", title: "Name", minLength: 2 },
    age: { type: "integer", minimum: 0, default: 7 },
    kind: { type: "string", oneOf: [{ const: "a", title: "A" }] },
    more: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] }, maxItems: 1 },
    sure: { type: "boolean", default: true }
  },
  required: ["name"]
}

const form = { request: { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema } } }
const address = {
  request: {
    method: "elicitation/create",
    params: { mode: "url", message: "Look", elicitationId: "e", url: "https://example.com/x" }
  }
}

const stage = Effect.fnUntraced(function* (elicitation: object | undefined) {
  const state = SdkEditor.stateWithScripts()
  const page = yield* served(state)
  const capabilities = elicitation === undefined ? {} : { elicitation }
  const editor = yield* SdkEditor.start(state, { capabilities })
  const { sessionId } = yield* editor.newSession(temporaryFolder("project"))
  const threadId = ThreadId.make(sessionId)
  return { page, editor, sessionId, threadId, watcher: yield* page.watch(threadId) }
})

describe("forms in signalbox acp", () => {
  it.live("are put to an editor that offers them, with all their fields, and its answer is the agent's", () =>
    Effect.gen(function* () {
      const { editor, sessionId } = yield* stage({ form: {}, url: {} })
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, form, address))
      yield* editor.until(({ forms }) => forms.length === 1)
      const asked = editor.forms[0]?.params
      assert.deepInclude(asked, { mode: "form", message: "Who?", sessionId })
      assert.deepStrictEqual<unknown>(asked?.mode === "form" ? asked["requestedSchema"] : undefined, requestedSchema)
      editor.forms[0]?.answer({ action: "accept", content: { name: "Ada", more: ["x"], sure: false } })
      yield* editor.until(({ forms }) => forms.length === 2)
      assert.deepInclude(editor.forms[1]?.params, { mode: "url", url: "https://example.com/x" })
      editor.forms[1]?.answer({ action: "decline" })
      assert.strictEqual((yield* Fiber.join(turn)).stopReason, "end_turn")
      const said = SdkEditor.textOf(editor.updates)
      assert.include(said, '"content":{"name":"Ada","more":["x"],"sure":false}')
      assert.include(said, '"action":"decline"')
    }).pipe(Effect.scoped)
  )

  it.live("are withdrawn from the editor when the page answers, and wait on the page where the editor shows none", () =>
    Effect.gen(function* () {
      const { editor, page, sessionId, threadId, watcher } = yield* stage({ form: {} })
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, form, address))
      yield* editor.until(({ forms }) => forms.length === 1)
      const { requests } = yield* watcher.until((view) => view.requests.length === 1)
      const requestId = requests[0]?.request.requestId
      assert.isDefined(requestId)
      if (requestId === undefined) return
      yield* page.send(threadId, { type: "request.respond", requestId, response: { type: "reject" } })
      yield* Effect.promise(() => editor.forms[0]?.withdrawn ?? Promise.reject(new Error("not asked")))

      // This editor opens no addresses.
      yield* editor.says(/signalbox acp: A request waits for an answer on the page: http:\/\/127\.0\.0\.1:\d+\//)
      const next = yield* watcher.until((view) => view.requests.some(({ request }) => request.type === "url"))
      const second = next.requests.find(({ request }) => request.type === "url")?.request.requestId
      if (second !== undefined)
        yield* page.send(threadId, { type: "request.respond", requestId: second, response: { type: "accept" } })
      yield* Fiber.join(turn)
      assert.include(SdkEditor.textOf(editor.updates), '"action":"accept"')
      assert.strictEqual(editor.forms.length, 1)
    }).pipe(Effect.scoped)
  )
})
