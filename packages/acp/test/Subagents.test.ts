import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { RequestFailure } from "../src/AcpError.ts"
import { connected, session, text, update } from "./ClientSide.ts"

const announce = (parent: string, sessionId: string, more: object = {}) =>
  update(parent, { sessionUpdate: "subagent_update", sessionId, ...more })

describe("Subagents", () => {
  it.effect("[123] a child is known by its parents before anything of it is handed over", () =>
    Effect.gen(function* () {
      const seen = yield* Queue.unbounded<unknown>()
      const { client, other } = yield* connected({
        onUpdates: (batch): Effect.Effect<void> =>
          Queue.offerAll(
            seen,
            batch.map(({ sessionId }) => [sessionId, client.subagent(sessionId ?? "")?.rootId])
          ).pipe(Effect.asVoid)
      })
      const words = { sessionUpdate: "agent_message_chunk", content: text("found") }
      yield* other.send(
        announce("top", "child", { title: "Search", state: { state: "running" } }),
        update("child", words),
        announce("child", "grandchild"),
        update("grandchild", words),
        update("stranger", words)
      )
      for (const each of [
        ["top", undefined],
        ["child", "top"],
        ["child", "top"],
        ["grandchild", "top"],
        ["stranger", undefined]
      ])
        assert.deepStrictEqual(yield* Queue.take(seen), each)
      assert.deepInclude(client.subagent("grandchild"), { parentId: "child", rootId: "top" })
      assert.deepStrictEqual(client.subagent("child"), {
        sessionId: "child",
        parentId: "top",
        rootId: "top",
        title: "Search",
        description: undefined,
        state: { state: "running" },
        meta: undefined,
        cancellable: false,
        cwd: undefined,
        additionalDirectories: undefined
      })
    })
  )

  it.effect(
    "[123] folders are those of the nearest parent that has some; what is left out stays, null takes it back",
    () =>
      Effect.gen(function* () {
        const { client, other, updates } = yield* connected()
        yield* other.send(
          announce("top", "a", { cwd: "/a", additionalDirectories: ["/lib"], title: "A", state: { state: "running" } }),
          announce("a", "b", { cwd: "/b" }),
          announce("b", "c"),
          announce("top", "a", { title: null, description: "still A" }),
          announce("top", "a", { state: null })
        )
        for (let i = 0; i < 5; i++) yield* Queue.take(updates)
        assert.deepInclude(client.subagent("c"), { rootId: "top", cwd: "/b", additionalDirectories: ["/lib"] })
        assert.deepInclude(client.subagent("a"), {
          cwd: "/a",
          title: undefined,
          description: "still A",
          state: undefined
        })
      })
  )

  it.effect(
    "[123] a session is not its own parent, and has one only: what can't be is reported, and nothing hangs",
    () =>
      Effect.gen(function* () {
        const { client, issues, other } = yield* connected()
        yield* other.send(
          announce("top", "a"),
          announce("a", "b"),
          announce("b", "b"),
          announce("b", "a"),
          announce("b", "top"),
          announce("top", "b")
        )
        for (let i = 0; i < 4; i++) {
          assert.deepInclude(yield* Queue.take(issues), { _tag: "MalformedNotification", method: "session/update" })
        }
        assert.deepInclude(client.subagent("b"), { parentId: "a", rootId: "top" })
        assert.isUndefined(client.subagent("top"))
      })
  )

  it.effect(
    "[123] a child is the agent's own: nothing is asked of it, and it is cancelled only if it offers that",
    () =>
      Effect.gen(function* () {
        const { client, other, updates } = yield* connected()
        yield* other.send(announce("top", "child"))
        yield* Queue.take(updates)
        const at = { sessionId: "child" }
        const calls: ReadonlyArray<Effect.Effect<unknown, RequestFailure>> = [
          client.prompt({ ...at, prompt: [text("hi")] }),
          client.loadSession({ ...session, ...at }),
          client.resumeSession({ ...session, ...at }),
          client.forkSession({ ...session, ...at }),
          client.closeSession(at),
          client.deleteSession(at),
          client.setTitle({ ...at, title: "t" }),
          client.setMode({ ...at, modeId: "m" })
        ]
        for (const call of calls) assert.strictEqual((yield* Effect.flip(call))._tag, "InvalidRequest")
        assert.strictEqual((yield* Effect.flip(client.cancel(at)))._tag, "CapabilityMissing")
        assert.strictEqual(yield* other.waiting, 0)
        yield* other.send(announce("top", "child", { capabilities: { cancel: {} } }))
        yield* Queue.take(updates)
        yield* client.cancel(at)
        assert.deepInclude(yield* other.next, { method: "session/cancel", params: at })
      })
  )

  it.effect("[50] the children of a session that was closed are forgotten with it", () =>
    Effect.gen(function* () {
      const { answered, client, other, updates } = yield* connected()
      yield* other.send(announce("top", "a"), announce("a", "b"), announce("other", "c"))
      for (let i = 0; i < 3; i++) yield* Queue.take(updates)
      yield* answered(client.closeSession({ sessionId: "top" }), null)
      assert.deepStrictEqual(
        ["a", "b", "c"].map((id) => client.subagent(id)?.rootId),
        [undefined, undefined, "other"]
      )
    })
  )
})
