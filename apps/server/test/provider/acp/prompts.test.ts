import { assert, describe, it } from "@effect/vitest"
import type { PromptPart } from "@signalbox/contracts/Content"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { toPromptPart } from "../../../src/provider/acp/projection/ContentMapping.ts"
import { agentHarness, temporaryFolder, thread } from "../../support/AgentHarness.ts"

const scripted = fileURLToPath(new URL("../../../../../packages/stand-in-agents/src/scripted/main.ts", import.meta.url))

const text: PromptPart = { type: "text", text: "look" }
const link: PromptPart = { type: "resource_link", uri: "file:///p/a.ts", name: "a.ts" }
const image: PromptPart = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=", name: "shot.png" }
const audio: PromptPart = { type: "audio", mimeType: "audio/wav", data: "UklGRg==" }
const file: PromptPart = { type: "resource", uri: "attachment:notes.txt", text: "one\ntwo", mimeType: "text/plain" }

/** An agent that says it takes these, and what it was sent. */
const agentThatTakes = Effect.fnUntraced(function* (promptCapabilities: Readonly<Record<string, boolean>>) {
  const log = join(yield* temporaryFolder, "log.ndjson")
  const agent = yield* agentHarness(process.execPath, [scripted], {
    env: {
      SCRIPTED_AGENT: JSON.stringify({
        initialize: { agentCapabilities: { promptCapabilities } },
        prompts: [[{ text: "Thank you." }]]
      }),
      SCRIPTED_AGENT_LOG: log
    }
  })
  yield* agent.start()
  const send = Effect.fnUntraced(function* (prompt: ReadonlyArray<PromptPart>) {
    const turnId = TurnId.make("t1")
    yield* agent.adapter.sendTurn(thread, { turnId, prompt })
    return yield* agent.next("turn.completed", (event) => event.turnId === turnId)
  })
  const sent = (): unknown =>
    readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).message)
      .find(({ method }) => method === "session/prompt")?.params.prompt
  return { agent, send, sent }
})

describe("what a person sends", () => {
  it.live("[57] is sent as it is to an agent that takes it", () =>
    Effect.gen(function* () {
      const { agent, send, sent } = yield* agentThatTakes({ image: true, audio: true, embeddedContext: true })
      const [{ capabilities } = assert.fail("no session")] = agent.of("session.started")
      assert.deepStrictEqual(capabilities.prompt, { image: true, audio: true, embeddedContext: true })
      yield* send([text, link, image, audio, file])
      assert.deepStrictEqual(sent(), [
        text,
        link,
        { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
        audio,
        { type: "resource", resource: { uri: "attachment:notes.txt", text: "one\ntwo", mimeType: "text/plain" } }
      ])
      assert.isEmpty(agent.of("runtime.warning"))
    })
  )

  it.live("[57] is put into words, or left out, for an agent that does not, and the turn says so", () =>
    Effect.gen(function* () {
      const { agent, send, sent } = yield* agentThatTakes({})
      const [{ capabilities } = assert.fail("no session")] = agent.of("session.started")
      assert.deepStrictEqual(capabilities.prompt, { image: false, audio: false, embeddedContext: false })
      const end = yield* send([text, link, image, audio, file])
      assert.strictEqual(end.outcome, "completed")
      assert.deepStrictEqual(sent(), [text, link, { type: "text", text: "attachment:notes.txt:\n\none\ntwo" }])
      assert.deepStrictEqual(
        agent.of("runtime.warning").map(({ message, turnId }) => [turnId, message]),
        [
          ["t1", "Agent takes no images: one was left out."],
          ["t1", "Agent takes no sound: a recording was left out."],
          ["t1", "Agent takes no embedded files: the content of one was sent as text."]
        ]
      )
    })
  )

  it.live("[57] is refused in words when the agent takes nothing of it, and the next prompt works", () =>
    Effect.gen(function* () {
      const { agent, send } = yield* agentThatTakes({})
      const { problem } = yield* Effect.flip(
        agent.adapter.sendTurn(thread, { turnId: TurnId.make("t0"), prompt: [image] })
      )
      assert.strictEqual(problem.code, "unsupported")
      assert.include(problem.cause, "Nothing was sent.")
      assert.strictEqual((yield* send([text])).outcome, "completed")
    })
  )

  it("is read again from what the agent was sent", () => {
    assert.deepStrictEqual(toPromptPart({ type: "resource", resource: { uri: "attachment:notes.txt", text: "one" } }), {
      type: "resource",
      uri: "attachment:notes.txt",
      text: "one"
    })
    assert.isUndefined(toPromptPart({ type: "resource", resource: { uri: "x:y", blob: "AA==" } }))
    assert.deepStrictEqual(toPromptPart(audio), audio)
  })
})
