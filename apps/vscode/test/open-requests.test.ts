import { assert, describe, it } from "@effect/vitest"
import { ProviderId, RequestId, ThreadId, Timestamp } from "@signalbox/contracts/Ids"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { newIn } from "../src/requests/OpenRequests.ts"

const waiting = (threadId: string, ...requests: ReadonlyArray<string>): WaitingThread => ({
  threadId: ThreadId.make(threadId),
  title: threadId,
  cwd: "/ledger",
  provider: { id: ProviderId.make("cursor"), name: "Cursor", kind: "cursor", simulated: false },
  requests: requests.map((id) => ({
    requestId: RequestId.make(id),
    type: "plan",
    at: Timestamp.make(0),
    answered: id.endsWith("!")
  }))
})

const namesOf = ({ requests }: ReturnType<typeof newIn>) =>
  requests.map(({ request, thread }) => `${thread.threadId}/${request.requestId}`)

describe("requests that are told", () => {
  it("are those that were not there before, each once", () => {
    const first = newIn([waiting("a", "1"), waiting("b", "1")], new Set())
    assert.deepStrictEqual(namesOf(first), ["a/1", "b/1"])
    const second = newIn([waiting("a", "1", "2"), waiting("b", "1")], first.known)
    assert.deepStrictEqual(namesOf(second), ["a/2"])
    assert.deepStrictEqual(namesOf(newIn([waiting("a", "1", "2")], second.known)), [])
  })

  it("are not those whose answer is on its way", () => {
    assert.deepStrictEqual(namesOf(newIn([waiting("a", "1!")], new Set())), [])
  })
})
