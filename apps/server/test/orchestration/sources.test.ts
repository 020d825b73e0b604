import { ResumeToken } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tmpdir } from "node:os"
import { fake } from "../support/FakeProvider.ts"
import { boot, databaseFile, threadId, turnId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const sessionId = ResumeToken.make("theirs")

describe("a thread that begins with a session of its agent", () => {
  it.live(
    "has the agent's title, says where it comes from, and starts with it until there is a session on record",
    () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const from = { type: "import", sessionId, title: "Parsers" } as const
        const first = yield* boot(file)
        yield* first.send(a, { type: "thread.create", provider: fake.id, cwd: "/tmp", from })
        yield* first.prompt(a, turnId("turn-1"), "say more")
        const view = yield* first.ended(a, turnId("turn-1"))
        assert.strictEqual(view.title, "Parsers")
        assert.deepStrictEqual(view.from, from)
        assert.isDefined(view.session.sessionId)
        assert.deepStrictEqual(first.provider.starts[0]?.from, from)
        yield* first.stop
        const second = yield* boot(file)
        yield* second.prompt(a, turnId("turn-2"), "say more")
        yield* second.ended(a, turnId("turn-2"))
        assert.isDefined(second.provider.starts[0])
        assert.isUndefined(second.provider.starts[0].from)
      })
  )
})

describe("a thread with more folders than one", () => {
  it.live("hands each of them to its agent, once and without its own", () =>
    Effect.gen(function* () {
      const { ended, prompt, provider, send } = yield* Effect.flatMap(databaseFile, boot)
      const additionalDirectories = ["/usr", "/tmp", "/etc", "/usr"]
      yield* send(a, { type: "thread.create", provider: fake.id, cwd: "/tmp", additionalDirectories })
      yield* prompt(a, turnId("turn-1"), "say hello")
      const view = yield* ended(a, turnId("turn-1"))
      assert.deepStrictEqual(view.additionalDirectories, ["/usr", "/etc"])
      assert.deepStrictEqual(provider.starts[0]?.additionalDirectories, ["/usr", "/etc"])
    })
  )

  it.live("is refused if one of them is not there, or not named by its whole path", () =>
    Effect.gen(function* () {
      const { send } = yield* Effect.flatMap(databaseFile, boot)
      for (const folder of [`${tmpdir()}/not/there`, "relative"]) {
        const { problem } = yield* Effect.flip(
          send(a, { type: "thread.create", provider: fake.id, cwd: "/tmp", additionalDirectories: [folder] })
        )
        assert.strictEqual(problem.code, "cwd-unusable")
        assert.strictEqual(problem.evidence.path, folder)
      }
    })
  )
})
