/** Prompts that wait: theirs to change and to order, one that comes between before all others. */
import { promptText } from "@signalbox/contracts/Content"
import { assert, describe, it } from "@effect/vitest"
import { ResumeToken } from "@signalbox/contracts/Ids"
import * as TurnQueue from "../src/TurnQueue.ts"
import { summary } from "../src/ThreadProjection.ts"
import type { TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import { type BareOrchestration, type BareRuntime, created, Log, ready, running, turn } from "./support/Log.ts"

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

const problem = { code: "auth-required", title: "Sign in.", cause: "It said so.", evidence: {}, nextSteps: [] } as const
const completed = (name: string, outcome: TurnOutcome): BareRuntime => ({
  type: "turn.completed",
  turnId: turn(name),
  outcome
})
const failed = (name: string): BareOrchestration => ({ type: "turn.failed", turnId: turn(name), problem })
const lost = (name: string): BareOrchestration => ({ type: "turn.lost", turnId: turn(name), reason: "restarted" })
const stop = (name: string): BareOrchestration => ({ type: "turn.interrupt.requested", turnId: turn(name) })
const withdrawn = (name: string): BareOrchestration => ({ type: "turn.withdrawn", turnId: turn(name) })
const makesWay = (name: string, into: string): ReadonlyArray<BareOrchestration> => [
  { type: "turn.steered", turnId: turn(name), way: "restart", into: turn(into) },
  stop(into)
]

/** Turn `one` runs, and two prompts wait behind it. */
const busy = () => running("one").said(queued("two"), queued("three"))
const hold = ({ view: { held, heldBy } }: Log) => (held ? (heldBy?.why ?? "a person") : "none")

const ends: ReadonlyArray<readonly [string, Log, string]> = [
  ["a turn that completed", busy().done(completed("one", "completed")), "none"],
  ["a turn that failed", busy().done(completed("one", "failed")), "failed"],
  ["a turn that the agent refused", busy().done(completed("one", "refused")), "refused"],
  ["a turn that met a limit", busy().done(completed("one", "limited")), "limited"],
  ["a turn that was cancelled without Stop", busy().done(completed("one", "cancelled")), "cancelled"],
  ["a turn that never reached the agent", busy().said(failed("one")), "failed"],
  ["a lost turn", busy().said(lost("one")), "lost"],
  ["Stop, before the turn has ended", busy().said(stop("one")), "stopped"],
  ["Stop, after the turn has ended", busy().said(stop("one")).done(completed("one", "cancelled")), "stopped"],
  [
    "Stop on a turn that completed all the same",
    busy().said(stop("one")).done(completed("one", "completed")),
    "stopped"
  ],
  ["a stopped turn that was lost", busy().said(stop("one"), held(false), lost("one")), "lost"],
  [
    "a login that was refused before the prompt was sent",
    ready().said(queued("one"), queued("two"), failed("one")),
    "failed"
  ],
  [
    "a turn that made way for another",
    busy()
      .said(queued("now", "now", true), ...makesWay("now", "one"))
      .done(completed("one", "cancelled")),
    "none"
  ],
  ["a turn before which a prompt was taken back", busy().said(withdrawn("two")), "none"],
  ["a turn that a person had held the queue in", busy().said(held(true), stop("one"), lost("one")), "a person"],
  [
    "a turn whose session was stopped",
    busy().said({ type: "session.stop.requested" }, failed("two"), failed("three")),
    "none"
  ]
]

describe("what waits behind", () => {
  for (const [what, log, expected] of ends) {
    it(`${what} is ${expected === "none" ? "not held" : `held: ${expected}`}`, () => {
      assert.strictEqual(hold(log), expected)
      const sendable = TurnQueue.next(log.view)
      if (expected !== "none") assert.isUndefined(sendable)
    })
  }

  it("a stopped turn is sent when it came after Stop and nothing was held", () => {
    const log = running("one").said(stop("one"), queued("two")).done(completed("one", "cancelled"))
    assert.strictEqual(hold(log), "none")
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("two"))
  })

  it("a stopped session is sent when it came after the stop", () => {
    const log = running("one")
      .said({ type: "session.stop.requested" }, queued("two"))
      .done(completed("one", "cancelled"))
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("two"))
  })

  it("held prompts joins them at the end", () => {
    const log = busy().said(stop("one")).done(completed("one", "cancelled")).said(queued("four"))
    assert.strictEqual(hold(log), "stopped")
    assert.deepStrictEqual(
      TurnQueue.holdable(log.view).map(({ turnId }) => turnId as string),
      ["two", "three", "four"]
    )
  })

  it("a stopped turn that people let go before it has ended stays let go", () => {
    const log = busy().said(stop("one"), held(false)).done(completed("one", "cancelled"))
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("two"))
  })

  it("is not held without a prompt: a hold ends with the last one, but not that of a person", () => {
    const log = running("one").said(lost("one"))
    assert.strictEqual(hold(log), "none")
    const emptied = busy().said(lost("one"), withdrawn("two"), withdrawn("three"))
    assert.strictEqual(hold(emptied), "none")
    assert.strictEqual(TurnQueue.next(emptied.said(queued("four")).view)?.turnId, turn("four"))
    assert.strictEqual(hold(busy().said(held(true), withdrawn("two"), withdrawn("three"))), "a person")
    assert.strictEqual(hold(busy().said(lost("one"), held(true), withdrawn("two"), withdrawn("three"))), "a person")
  })

  it("goes on to be held while what comes between is sent, whatever becomes of that", () => {
    const log = busy().said(lost("one"), queued("now", "now", true))
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("now"))
    log.said(dispatched("now")).done(completed("now", "completed"))
    assert.strictEqual(hold(log), "lost")
  })

  it("is held by a turn that is not the last one any more: the list says how the last one ended", () => {
    const log = busy().said(stop("one")).done(completed("one", "cancelled"))
    assert.deepInclude(summary(log.view), { status: "cancelled", held: true })
    log.said(queued("now", "now", true), dispatched("now")).done(completed("now", "completed"))
    assert.deepInclude(summary(log.view), { status: "completed", held: true })
    log.said(queued("then", "then", true), dispatched("then")).done(completed("then", "refused"))
    assert.deepInclude(summary(log.view), { status: "refused", held: true })
  })

  it("is sent in the log of an earlier server, which held nothing", () => {
    const log = busy().said(lost("one"), dispatched("two"))
    assert.strictEqual(hold(log), "none")
    log.done(completed("two", "completed"))
    assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("three"))
  })

  it("has the turn that holds it in the list, and that it is held", () => {
    assert.deepInclude(summary(busy().said(lost("one")).view), { status: "lost", held: true })
    assert.deepInclude(summary(busy().said(lost("one"), held(true)).view), { status: "queued", held: true })
    assert.deepInclude(summary(busy().said(stop("one")).view), { status: "cancelling", held: true })
  })
})

describe("a session that another one took the place of", () => {
  const replaced: BareRuntime = {
    type: "session.started",
    origin: "replaced",
    resumeToken: ResumeToken.make("another"),
    capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false }
  }
  const completed = (name: string): BareRuntime => ({
    type: "turn.completed",
    turnId: turn(name),
    outcome: "completed"
  })
  const talked = () => running("one").done(completed("one"))

  it("holds what waits for its start, and the first prompt that comes after it", () => {
    const waited = talked().said(queued("two")).done(replaced)
    const came = talked().done(replaced).said(queued("two"))
    for (const log of [waited, came]) {
      assert.deepStrictEqual(log.view.heldBy, { turnId: turn("one"), why: "forgotten" })
      assert.isUndefined(TurnQueue.next(log.view))
      // What comes now joins it, and one choice lets all of them go.
      log.said(queued("three"), held(false))
      assert.strictEqual(TurnQueue.next(log.view)?.turnId, turn("two"))
      log.said(dispatched("two")).done(completed("two")).said(queued("four"))
      assert.notProperty(log.view, "held")
    }
  })

  it("holds nothing where nothing was said in the one before, or people have chosen already", () => {
    assert.notProperty(ready().said(queued("one")).done(replaced).view, "held")
    const chosen = talked().said(queued("two")).done(replaced).said(held(false)).done(replaced)
    assert.notProperty(chosen.view, "held")
  })

  const hold = ({ view: { held, heldBy } }: Log) => (held ? (heldBy?.why ?? "a person") : "none")

  it("leaves a person's hold to that person, who chooses when it is over", () => {
    const log = talked().said(queued("two"), held(true)).done(replaced)
    assert.strictEqual(hold(log), "a person")
    assert.strictEqual(hold(log.said(held(false))), "forgotten", "the agent has lost the session all the same")
    assert.isUndefined(TurnQueue.next(log.view))
    assert.strictEqual(TurnQueue.next(log.said(held(false)).view)?.turnId, turn("two"))
    const crossed = talked().said(queued("two")).done(replaced).said(held(true), held(false))
    assert.strictEqual(hold(crossed), "forgotten", "a Hold that was on its way takes no choice away")
  })

  it("holds what comes between, too: it would come to a session that knows nothing", () => {
    const waited = talked()
      .said(queued("now", "now", true))
      .done(replaced)
    const came = talked()
      .done(replaced)
      .said(queued("two"), queued("now", "now", true))
    for (const log of [waited, came]) {
      assert.strictEqual(hold(log), "forgotten")
      assert.isUndefined(TurnQueue.next(log.view))
      assert.include(
        TurnQueue.holdable(log.view).map(({ turnId }) => turnId),
        turn("now")
      )
      assert.strictEqual(TurnQueue.next(log.said(held(false)).view)?.turnId, turn("now"))
    }
  })

  it("holds the first prompt also when the new session was itself taken up again before it", () => {
    const log = talked()
      .done(replaced, { ...replaced, origin: "loaded" })
      .said(queued("two"))
    assert.strictEqual(hold(log), "forgotten")
  })

  it("holds what came after Stop, when the agent had to be ended for that", () => {
    const log = running("one").said(stop("one"), queued("two"))
    log.done({ type: "turn.completed", turnId: turn("one"), outcome: "cancelled" }, replaced)
    assert.strictEqual(hold(log), "forgotten")
    const meanwhile = running("one").said(stop("one")).done(replaced).said(queued("two"), lost("one"))
    assert.strictEqual(hold(meanwhile), "forgotten")
  })

  it("holds the first prompt of a thread whose history is an earlier session's", () => {
    const log = new Log()
      .said({ ...created, from: { type: "import", sessionId: ResumeToken.make("theirs") } })
      .done({ ...replaced, origin: "loaded" }, replaced)
      .said(queued("one"))
    assert.deepStrictEqual(log.view.heldBy, { why: "forgotten" })
    assert.isUndefined(TurnQueue.next(log.view))
  })

  it("asks whatever the clock says", () => {
    const before = talked()
      .done({ ...replaced, at: 1 })
      .said(queued("two"))
    assert.strictEqual(hold(before), "forgotten")
    const after = before.said(held(false), { ...dispatched("two"), at: 0 }).done({ ...completed("two"), at: 0 })
    assert.strictEqual(hold(after.said(queued("three"))), "none", "the agent has had a prompt there")
    assert.strictEqual(hold(after.done({ ...replaced, at: 1000 })), "forgotten")
  })

  it("asks again where the prompt that was let go never came there", () => {
    const chosen = () => talked().done(replaced).said(queued("two"), queued("three"), held(false))
    assert.strictEqual(hold(chosen()), "none")
    assert.strictEqual(hold(chosen().said(withdrawn("two"))), "forgotten")
    assert.strictEqual(hold(chosen().said(failed("two"))), "forgotten")
    assert.strictEqual(hold(chosen().said(withdrawn("two"), withdrawn("three"), queued("four"))), "forgotten")
  })
})
