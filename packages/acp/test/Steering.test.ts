import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Acp from "../src/AcpSchema.ts"
import * as Steering from "../src/Steering.ts"
import { connect, start, text } from "./ClientSide.ts"

const sessionId = "s"
const hello = { sessionId, prompt: [text("hello")] }

describe("Steering", () => {
  const offered = { protocolVersion: 1, _meta: { steering: { supported: true } } }

  it.effect("[127] is refused here unless it is advertised", () =>
    Effect.gen(function* () {
      for (const _meta of [undefined, null, {}, { steering: true }, { steering: { supported: "yes" } }]) {
        const { client, initialize, other } = yield* connect()
        yield* initialize({ protocolVersion: 1, ...(_meta !== undefined && { _meta }) })
        assert.isFalse(Steering.isOffered(client.initialized()))
        const error = yield* Effect.flip(Steering.steer(client, hello))
        assert.deepInclude(error, { _tag: "CapabilityMissing", capability: "_meta.steering.supported" })
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("[127] says what became of it, beside the prompt that runs", () =>
    Effect.gen(function* () {
      const { answered, client, initialize, other } = yield* connect()
      yield* initialize(offered)
      assert.isTrue(Steering.isOffered(client.initialized()))
      yield* start(client.prompt(hello))
      yield* other.next
      const steer = Steering.steer(client, hello)
      const { message, value } = yield* answered(steer, { outcome: "injected" })
      assert.strictEqual(message.method, "_session/steering")
      assert.deepStrictEqual(message.params, { ...hello, _meta: { steering: { idleBehavior: "promptRequired" } } })
      assert.strictEqual(value, "injected")
      const idle = yield* answered(steer, { outcome: "promptRequired", reason: "noRunningTurn" })
      assert.strictEqual(idle.value, "promptRequired")
      assert.strictEqual((yield* answered(steer, { outcome: "startedNewTurn" })).value, "startedNewTurn")
    })
  )

  it.effect(
    "[127] an agent that answers with nothing has not been steered, and one that takes no images gets none",
    () =>
      Effect.gen(function* () {
        const { answered, client, initialize, other } = yield* connect()
        yield* initialize(offered)
        for (const nothing of [{}, null, { outcome: "perhaps" }]) {
          const { value } = yield* answered(Effect.flip(Steering.steer(client, hello)), nothing)
          assert.strictEqual(value._tag, "MalformedResult")
        }
        const image: Acp.ContentBlock = { type: "image", data: "", mimeType: "image/png" }
        const error = yield* Effect.flip(Steering.steer(client, { sessionId, prompt: [image] }))
        assert.deepInclude(error, { _tag: "CapabilityMissing", capability: "promptCapabilities.image" })
        assert.strictEqual(yield* other.waiting, 0)
      })
  )
})
