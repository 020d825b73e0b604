/** The book of requests by itself: no agent, no fiber. */
import { assert, describe, it } from "@effect/vitest"
import { RequestId, TurnId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as SessionAudit from "../../../src/audit/SessionAudit.ts"
import type { EventDraft } from "../../../src/provider/acp/profile/EventDraft.ts"
import * as RequestBook from "../../../src/provider/acp/requests/RequestBook.ts"

const book = () => {
  const told: Array<ReadonlyArray<EventDraft["type"]>> = []
  const made = RequestBook.make({
    emit: (...drafts) => {
      told.push(drafts.map(({ type }) => type))
    },
    onDecided: () => {},
    audit: SessionAudit.none
  })
  return { book: made, told }
}

const url = (id: string, turnId: string, shown = true): RequestBook.OpenOther => ({
  type: "other",
  request: {
    type: "url",
    requestId: RequestId.make(id),
    at: 0,
    message: "Look there.",
    elicitationId: `e-${id}`,
    url: "https://a.example"
  },
  place: { turnId: TurnId.make(turnId) },
  shown,
  outcome: Deferred.makeUnsafe()
})

describe("the book of requests", () => {
  it.effect("ends a request once, and its first end counts", () =>
    Effect.gen(function* () {
      const { book: requests, told } = book()
      const entry = url("a", "t1")
      RequestBook.add(requests, entry)
      RequestBook.answer(requests, entry, { type: "accept" }, {})
      RequestBook.closeAll(requests, { type: "cancelled" })
      RequestBook.settle(requests, entry, { type: "cancelled" })
      assert.deepStrictEqual(told, [["elicitation.resolved"]])
      assert.deepInclude(yield* Deferred.await(entry.outcome), { type: "answered" })
    })
  )

  it("reports a request that nobody has heard of together with its end", () => {
    const { book: requests, told } = book()
    const entry = url("a", "t1", false)
    RequestBook.add(requests, entry)
    RequestBook.settle(requests, entry, { type: "cancelled" })
    assert.deepStrictEqual(told, [["elicitation.requested", "elicitation.resolved"]])
  })

  it("ends those of one turn, and no others", () => {
    const { book: requests, told } = book()
    const [one, other] = [url("a", "t1"), url("b", "t2")]
    RequestBook.add(requests, one)
    RequestBook.add(requests, other)
    RequestBook.closeTurn(requests, TurnId.make("t1"))
    assert.isFalse(RequestBook.isOpen(requests, one))
    assert.isTrue(RequestBook.isOpen(requests, other))
    assert.strictEqual(told.length, 1)
  })

  it("reports once that the purpose of an address is fulfilled", () => {
    const { book: requests, told } = book()
    const entry = url("a", "t1")
    RequestBook.add(requests, entry)
    RequestBook.answer(requests, entry, { type: "accept" }, {})
    RequestBook.complete(requests, "e-a")
    RequestBook.complete(requests, "e-a")
    assert.deepStrictEqual(told, [["elicitation.resolved"], ["elicitation.completed"]])
  })
})
