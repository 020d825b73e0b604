/** Prompts that wait: theirs to change and to order, one that comes between before all others. */
import { promptText } from "../src/Content.ts"
import { assert, describe, it } from "@effect/vitest"
import * as TurnQueue from "../src/TurnQueue.ts"
import { summary } from "../src/ThreadProjection.ts"
import { type BareOrchestration, ready, running, turn } from "./support/Log.ts"

const queued = (name: string, text = name, steer?: true): BareOrchestration => ({
  type: "turn.queued",
  turnId: turn(name),
  prompt: [{ type: "text", text }],
  ...(steer && { steer })
})
const edited = (name: string, text: string): BareOrchestration => ({
  type: "turn.edited",
  turnId: turn(name),
  prompt: [{ type: "text", text }]
})
const moved = (name: string, before?: string): BareOrchestration => ({
  type: "turn.moved",
  turnId: turn(name),
  ...(before !== undefined && { before: turn(before) })
})
const held = (held: boolean): BareOrchestration => ({ type: "queue.held", held })
const dispatched = (name: string): BareOrchestration => ({ type: "turn.dispatched", turnId: turn(name) })

const order = (log: ReturnType<typeof ready>) => log.view.turns.map(({ turnId }) => turnId as string)

describe("the queue", () => {
  it("is in the order in which prompts came, until somebody moves one", () => {
    const log = running("one").said(queued("two"), queued("three"), queued("four"))
    assert.deepStrictEqual(order(log), ["one", "two", "three", "four"])
    assert.deepStrictEqual(order(log.said(moved("four", "two"))), ["one", "four", "two", "three"])
    assert.deepStrictEqual(order(log.said(moved("four"))), ["one", "two", "three", "four"])
    assert.deepStrictEqual(order(log.said(moved("three", "two"))), ["one", "three", "two", "four"])
  })

  it("has what comes between in front, one behind the other, whatever waits", () => {
    const log = running("one").said(queued("two"), queued("now", "now", true), queued("then", "then", true))
    assert.deepStrictEqual(order(log), ["one", "now", "then", "two"])
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("now"))
  })

  it("sends nothing while it is held but what comes between, and says so in the list", () => {
    const log = ready().said(queued("one"), held(true))
    assert.isUndefined(TurnQueue.next(log.view))
    assert.isTrue(summary(log.view).held)
    assert.strictEqual(TurnQueue.next(log.said(queued("now", "now", true)).view)?.turnId, turn("now"))
    log.said({ type: "turn.withdrawn", turnId: turn("now") }, held(false))
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("one"))
    assert.notProperty(log.view, "held")
    assert.notProperty(summary(log.view), "held")
  })

  it("takes no change of a prompt that was sent, wherever that comes from", () => {
    const log = ready().said(queued("one"), queued("two"), dispatched("one"))
    const before = log.view.turns
    log.said(edited("one", "other"), moved("one"), moved("nobody", "two"))
    assert.deepStrictEqual(log.view.turns, before)
  })

  it("gives the thread its name, also when the first prompt is changed, until somebody else names it", () => {
    const log = ready().said(queued("one", "Do this"), queued("two", "And that"), edited("one", "Do it\nwell"))
    assert.strictEqual(log.view.title, "Do it")
    assert.strictEqual(promptText(log.view.turns[0]?.prompt ?? []), "Do it\nwell")
    log.said(edited("two", "Other"))
    assert.strictEqual(log.view.title, "Do it")
    log.done({ type: "session.info.updated", title: "A title" }).said(edited("one", "Something else"))
    assert.strictEqual(log.view.title, "A title")
  })

  it("lets go of a prompt that the agent took into its running turn: that one goes on", () => {
    const log = running("one")
    log.done({ type: "plan.updated", turnId: turn("one"), entries: [] })
    log.said(queued("two", "now", true), dispatched("two"), {
      type: "turn.steered",
      turnId: turn("two"),
      way: "agent",
      into: turn("one")
    })
    const [one, two] = log.view.turns
    assert.strictEqual(one?.status, "working")
    assert.deepInclude(two, { status: "completed", steered: { way: "agent", into: turn("one") } })
    assert.isDefined(two?.endedAt)
  })
})
