/** What waits for people, over the wire of a real server: the open requests of all threads, and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { withFrame } from "@signalbox/client/ListFrames"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { served } from "../support/ServedThreads.ts"

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]
const permission = (rawInput: object) => ({
  permission: { toolCall: { toolCallId: "c", title: "Run", kind: "execute", rawInput }, options }
})

const setUp = Effect.gen(function* () {
  const threads = yield* served(temporaryFolder("state"))
  const lists = yield* Queue.unbounded<ReadonlyArray<WaitingThread>>()
  let rows: ReadonlyArray<WaitingThread> = []
  yield* threads.client.watchRequests().pipe(
    Stream.runForEach((frame) => {
      rows = withFrame(rows, frame)
      return Queue.offer(lists, rows)
    }),
    Effect.forkScoped
  )
  /** The first list that is so. */
  const until = (is: (rows: ReadonlyArray<WaitingThread>) => boolean) => Effect.repeat(Queue.take(lists), { until: is })
  return { ...threads, until }
})

describe("the open requests of all threads", () => {
  it.live("come with their thread, and go with their answer", () =>
    Effect.gen(function* () {
      const { open, prompt, send, until } = yield* setUp
      assert.deepStrictEqual(yield* until(() => true), [])
      const one = yield* open("one")
      const two = yield* open("two")
      yield* prompt(one.threadId, "t1", permission({ command: "ls" }))
      yield* prompt(two.threadId, "t1", permission({ command: "pwd" }))
      const both = yield* until((rows) => rows.length === 2 && rows.every(({ requests }) => requests.length === 1))
      for (const { cwd, threadId, watcher } of [one, two]) {
        const row = both.find((each) => each.threadId === threadId)
        const view = yield* watcher.until(({ requests }) => requests.length === 1)
        assert.deepStrictEqual(row, {
          threadId,
          title: view.title,
          provider: view.provider,
          cwd,
          requests: view.requests.map(({ answered, request }) => ({
            requestId: request.requestId,
            type: request.type,
            at: request.at,
            answered,
            request
          }))
        })
      }
      yield* send(two.threadId, { type: "thread.rename", title: "Renamed" })
      const rows = yield* until((rows) => rows.some(({ title }) => title === "Renamed"))
      // Which of the two has asked first is open.
      const waiting = rows.find(({ threadId }) => threadId === two.threadId)?.requests[0]?.request
      assert.strictEqual(waiting?.type, "approval")
      if (waiting?.type !== "approval") return
      const { requestId } = waiting
      yield* send(two.threadId, { type: "request.respond", requestId, response: optionOf(waiting, "no") })
      const left = yield* until((rows) => rows.length === 1)
      assert.strictEqual(left[0]?.threadId, one.threadId)
    })
  )

  it.live("go with their thread", () =>
    Effect.gen(function* () {
      const { client, open, prompt, until } = yield* setUp
      const { threadId } = yield* open("one")
      yield* prompt(threadId, "t1", permission({ command: "ls" }))
      yield* until((rows) => rows.length === 1)
      yield* client.deleteThread({ threadId })
      assert.deepStrictEqual(yield* until((rows) => rows.length === 0), [])
    })
  )

  it.live("stay in their thread where they are too long for a list", () =>
    Effect.gen(function* () {
      const { open, prompt, until } = yield* setUp
      const { threadId, watcher } = yield* open("one")
      yield* prompt(threadId, "t1", permission({ command: `echo ${"x".repeat(300_000)}` }))
      const [row] = yield* until((rows) => rows.length === 1)
      const view = yield* watcher.until(({ requests }) => requests.length === 1)
      const [request] = row?.requests ?? []
      assert.isUndefined(request?.request)
      assert.deepStrictEqual([request?.requestId, request?.type], [view.requests[0]?.request.requestId, "approval"])
    })
  )
})
