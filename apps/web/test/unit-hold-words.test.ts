/** What the page says of prompts that are held. */
import type { Problem } from "@signalbox/contracts/Problem"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import { heldWords, holdReason, joining } from "../src/composer/holdWords.ts"
import { nowState } from "../src/composer/nowState.ts"
import { at, dispatched, ended, queued, stopped, thread, threadId, turnId } from "./fixtures/thread.ts"

const signIn = { providerId: ProviderId.make("cursor"), methods: [] }
const refused: Problem = { code: "auth-required", title: "", cause: "", evidence: {}, nextSteps: [], signIn }
const held: ThreadEvent = { type: "queue.held", threadId, at: at(3), held: true }
const lost: ThreadEvent = { type: "turn.lost", threadId, at: at(3), turnId, reason: "" }
const behind = (event: ThreadEvent) =>
  thread(queued(0), dispatched(1), queued(2, "One", "one"), queued(2, "Two", "two"), event)

describe("prompts that are held", () => {
  it.each([
    ["you pressed Stop", stopped(3)],
    ["the turn failed", ended(3, "failed")],
    ["Cursor wants you to sign in", ended(3, "failed", refused)],
    ["Cursor refused the turn", ended(3, "refused")],
    ["the turn met a limit", ended(3, "limited")],
    ["the turn was cancelled, not by you", ended(3, "cancelled")],
    ["the turn is lost", lost],
    ["by you", held]
  ])("are counted, and it is said that %s", (reason, event) => {
    const view = behind(event)
    assert.deepStrictEqual([heldWords(view), holdReason(view)], ["2 prompts held", reason])
  })

  it("are what the now-line tells once nothing runs; how many and why is told at the queue only", () => {
    const { lamp, what, word } = nowState(behind(lost), at(4))
    assert.deepStrictEqual([lamp, word, what], ["queued", "Held", "until you resume"])
  })

  it("are joined by the next one, and it says so before", () => {
    assert.strictEqual(joining(behind(lost)), "Joins 2 held prompts")
    assert.strictEqual(joining(thread(held)), "Is held until you resume")
    assert.isUndefined(joining(behind(ended(3, "completed"))))
  })
})
