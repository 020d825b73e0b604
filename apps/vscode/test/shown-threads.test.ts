import { assert, describe, it } from "@effect/vitest"
import { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as ShownThreads from "../src/services/ShownThreads.ts"

const threadId = ThreadId.make("thread-a")
const cwd = "/home/ada/ledger"
const workspace = { folders: [cwd], isTrusted: true }
const row: ThreadSummary = {
  threadId,
  sequence: Sequence.make(1),
  title: "A",
  provider: { id: ProviderId.make("eliza"), kind: "eliza", name: "Eliza", simulated: true },
  cwd,
  createdAt: 1,
  updatedAt: 1
}

describe("the threads that a window has shown", () => {
  it("are served by what the view says, before the list has them", () => {
    const threads = ShownThreads.make()
    threads.show(threadId)
    assert.deepStrictEqual([...threads.served(workspace).values()], [])
    threads.show(threadId, { cwd, agent: "Eliza" })
    assert.deepStrictEqual([...threads.served(workspace).values()], [{ threadId, cwd, agent: "Eliza" }])
    assert.deepStrictEqual([...threads.served({ ...workspace, folders: ["/elsewhere"] }).keys()], [])
  })

  it("are served no more when the list has lost them", () => {
    const threads = ShownThreads.make()
    threads.show(threadId, { cwd, agent: "Eliza" })
    threads.take([row])
    assert.deepStrictEqual([...threads.served(workspace).keys()], [threadId])
    threads.take([])
    assert.deepStrictEqual([...threads.served(workspace).keys()], [])
  })
})
