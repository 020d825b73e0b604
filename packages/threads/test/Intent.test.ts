/** What is to be done with a thread's agent: tables over the states of turns, session and queue, and over what happened. */
import { assert, describe, it } from "@effect/vitest"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import {
  type QueueHold,
  SessionView,
  type ThreadHead,
  TurnStatus,
  type TurnView
} from "@signalbox/contracts/ThreadView"
import * as Intent from "../src/Intent.ts"
import { hasEnded } from "../src/TurnState.ts"
import {
  approval,
  type BareOrchestration,
  type BareRuntime,
  created,
  Log,
  ready,
  request,
  turn
} from "./support/Log.ts"

/** Nothing has happened but that the thread is there. */
const occasion: Intent.Occasion = { type: "entered" }
const on = (standing: Partial<Intent.Standing> = {}): Intent.Standing => ({
  doing: new Set(),
  leaving: false,
  resume: "on-prompt",
  ...standing
})
const idle = on()
const atOnce = on({ resume: "at-once" })
const states = SessionView.fields.state.literals

/** Intents in one word each: what is done, and to which turn. */
const words = (intents: ReadonlyArray<Intent.Intent>): ReadonlyArray<string> =>
  intents.map((intent) => {
    if ("turn" in intent) return `${intent.type} ${intent.turn.turnId}`
    return "turnId" in intent ? `${intent.type} ${intent.turnId}` : intent.type
  })

const view = (name: string, status: TurnView["status"], steer?: true): TurnView => ({
  turnId: turn(name),
  prompt: [],
  status,
  queuedAt: 1,
  ...(steer && { steer })
})

/** Which prompts wait, in their order. */
const queues = {
  nothing: [],
  plain: [view("plain", "queued")],
  between: [view("between", "queued", true), view("plain", "queued")]
} as const satisfies Record<string, ReadonlyArray<TurnView>>

const byTurn: QueueHold = { turnId: turn("before"), why: "failed" }
const holds: Readonly<Record<string, Partial<Pick<ThreadHead, "held" | "heldBy" | "forgotten">>>> = {
  free: {},
  person: { held: true },
  turn: { held: true, heldBy: byTurn },
  forgotten: { held: true, heldBy: { ...byTurn, why: "forgotten" }, forgotten: "open" },
  chosen: { forgotten: "chosen" }
}

const steering = (head: ThreadHead): ThreadHead => ({
  ...head,
  session: {
    ...head.session,
    capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false, steering: "agent" }
  }
})

interface Case {
  readonly name: string
  readonly head: ThreadHead
  readonly before: TurnStatus | undefined
  readonly state: SessionView["state"]
  readonly queue: keyof typeof queues
  readonly hold: string
  readonly steers: boolean
}

/** Every combination of: status of the turn before, state of the session, queue, hold, whether the agent takes prompts between. */
const cases: ReadonlyArray<Case> = [undefined, ...TurnStatus.literals]
  .filter((before) => before !== "queued")
  .flatMap((before) =>
    states.flatMap((state) =>
      (["nothing", "plain", "between"] as const).flatMap((queue) =>
        Object.keys(holds).flatMap((hold) =>
          [false, true].map((steers) => {
            const plain = {
              ...ready().view,
              session: { ...ready().view.session, state },
              turns: [...(before === undefined ? [] : [view("before", before)]), ...queues[queue]],
              ...holds[hold]
            }
            const head = steers ? steering(plain) : plain
            const name = `${before}, ${state}, ${queue}, ${hold}${steers ? ", takes prompts between" : ""}`
            return { name, head, before, state, queue, hold, steers }
          })
        )
      )
    )
  )

/** What waits and may be sent, by queue and hold. */
const due: Readonly<Record<keyof typeof queues, Readonly<Record<string, string | undefined>>>> = {
  nothing: { free: undefined, person: undefined, turn: undefined, forgotten: undefined, chosen: undefined },
  plain: { free: "plain", person: undefined, turn: undefined, forgotten: undefined, chosen: "plain" },
  between: { free: "between", person: "between", turn: "between", forgotten: undefined, chosen: "between" }
}

/** What becomes of a prompt that is due, by the turn before it. */
const way: Readonly<Record<TurnStatus | "none", "run" | "between" | "wait">> = {
  none: "run",
  queued: "run",
  sent: "between",
  working: "between",
  waiting: "between",
  cancelling: "wait",
  completed: "run",
  cancelled: "run",
  refused: "run",
  limited: "run",
  failed: "run",
  lost: "run"
}

const expected = ({ before, hold, queue, state, steers }: Case): ReadonlyArray<string> => {
  const name = due[queue][hold]
  if (name === undefined) return []
  const how = way[before ?? "none"]
  if (how === "run") return [`turn.run ${name}`]
  return how === "between" && name === "between" && steers && state === "ready" ? ["turn.interject between"] : []
}

const logged = (...events: ReadonlyArray<BareOrchestration | BareRuntime>): ReadonlyArray<LoggedEvent> => {
  const log = new Log()
  for (const event of events) {
    if (isRuntime(event)) log.done(event)
    else log.said(event)
  }
  return log.events
}
const isRuntime = (event: BareOrchestration | BareRuntime): event is BareRuntime =>
  event.type === "session.exited" || event.type === "approval.requested"

const exited = (expected: boolean): BareRuntime => ({ type: "session.exited", expected })

describe("what is done about turns", () => {
  it(`is one thing in each of ${cases.length} states`, () => {
    for (const each of cases)
      assert.deepStrictEqual(words(Intent.next(each.head, occasion, idle)), expected(each), each.name)
  })

  it("is the same, whatever happened: it follows from the state", () => {
    const occasions: ReadonlyArray<Intent.Occasion> = [
      { type: "commanded", events: [] },
      { type: "received", events: logged(exited(true)) },
      { type: "reported", events: logged({ type: "session.start.requested" }) },
      { type: "attempted", turn: view("before", "completed") },
      { type: "recovered", wasOpen: false }
    ]
    for (const { head, name } of cases) {
      const now = Intent.next(head, occasion, atOnce)
      for (const each of occasions)
        assert.deepStrictEqual(Intent.next(head, each, atOnce), now, `${name}; ${each.type}`)
    }
  })

  it("is done once: what is under way is not begun again, and does not keep the other from being begun", () => {
    for (const each of cases) {
      const running = words(Intent.next(each.head, occasion, on({ doing: new Set(["turn.run"]) })))
      const interjecting = words(Intent.next(each.head, occasion, on({ doing: new Set(["turn.interject"]) })))
      const now = expected(each)
      assert.deepStrictEqual(running, now[0]?.startsWith("turn.run") ? [] : now, each.name)
      assert.deepStrictEqual(interjecting, now[0]?.startsWith("turn.interject") ? [] : now, each.name)
    }
  })

  it("is nothing for a prompt whose attempt changed nothing, until something else happens", () => {
    for (const { head, name } of cases) {
      const attempted = head.turns.find(({ status }) => status === "queued")
      if (attempted === undefined) continue
      assert.deepStrictEqual(Intent.next(head, { type: "attempted", turn: attempted }, idle), [], name)
      const changed = { type: "attempted", turn: { ...attempted } } as const
      assert.deepStrictEqual(Intent.next(head, changed, idle), Intent.next(head, occasion, idle), name)
    }
  })

  it("is never a second turn beside one that the agent has", () => {
    const beside = cases.filter(({ before }) => before !== undefined && !hasEnded(before))
    const run = beside.filter(({ head }) => Intent.next(head, occasion, idle).some(({ type }) => type === "turn.run"))
    assert.deepStrictEqual(
      run.map(({ name }) => name),
      []
    )
  })
})

describe("what people ask for", () => {
  const response = { type: "option", optionId: "yes" } as const
  const asked: ReadonlyArray<readonly [BareOrchestration, ReadonlyArray<string>]> = [
    [{ type: "turn.interrupt.requested", turnId: turn("one") }, ["turn.interrupt one"]],
    [{ type: "request.answered", requestId: request("one"), response }, ["request.answer"]],
    [{ type: "setting.requested", settingId: "mode", value: "plan" }, ["setting.change"]],
    [{ type: "profile.chosen", profile: "bypass" }, ["profile.apply"]],
    [{ type: "session.start.requested" }, ["session.start"]],
    [{ type: "session.stop.requested" }, ["session.stop"]],
    [{ type: "thread.renamed", title: "Other" }, []],
    [{ type: "queue.held", held: true }, []],
    [{ type: "mcp.chosen" }, []],
    [{ type: "turn.withdrawn", turnId: turn("one") }, []]
  ]

  it("is done, in every state of the session", () => {
    for (const state of states)
      for (const [event, intents] of asked) {
        const head = { ...new Log().said(created).view, session: { state } }
        const now = Intent.next(head, { type: "commanded", events: logged(event) }, idle)
        assert.deepStrictEqual(words(now), intents, `${event.type}, ${state}`)
      }
  })

  it("is done in the order of the events, behind the turn that is next", () => {
    const head = ready().said({ type: "turn.queued", turnId: turn("next"), prompt: [] }).view
    const events = logged(
      { type: "session.stop.requested" },
      { type: "turn.interrupt.requested", turnId: turn("one") },
      { type: "session.start.requested" }
    )
    assert.deepStrictEqual(words(Intent.next(head, { type: "commanded", events }, idle)), [
      "turn.run next",
      "session.stop",
      "turn.interrupt one",
      "session.start"
    ])
  })

  it("comes with all that the agent needs of it", () => {
    const events = logged(
      { type: "request.answered", requestId: request("one"), response },
      { type: "setting.requested", settingId: "mode", value: "plan", previous: "ask" }
    )
    const [answer, change] = Intent.next(ready().view, { type: "commanded", events }, idle)
    assert.isTrue(answer?.type === "request.answer" && answer.answered === events[0]?.event)
    assert.isTrue(change?.type === "setting.change" && change.requested === events[1]?.event)
  })

  it("is not done a second time where the reactor reports what it does", () => {
    for (const [event] of asked)
      assert.deepStrictEqual(
        Intent.next(ready().view, { type: "reported", events: logged(event) }, idle),
        [],
        event.type
      )
  })
})

describe("an agent that ended", () => {
  const gone = { ...ready().view, session: { state: "exited" as const } }
  const waits = { ...gone, turns: queues.plain }

  it("by itself is started again at once only where that is wished, once, and behind a prompt that waits", () => {
    const table: ReadonlyArray<readonly [BareRuntime, Intent.Standing, ThreadHead, ReadonlyArray<string>]> = [
      [exited(false), atOnce, gone, ["session.revive"]],
      [exited(false), atOnce, waits, ["turn.run plain", "session.revive"]],
      [exited(false), { ...atOnce, doing: new Set(["session.revive"]) }, gone, []],
      [exited(false), idle, gone, []],
      [exited(false), idle, waits, ["turn.run plain"]],
      [exited(true), atOnce, gone, []],
      [{ type: "approval.requested", request: approval("one") }, atOnce, gone, []]
    ]
    for (const [event, standing, head, intents] of table)
      assert.deepStrictEqual(words(Intent.next(head, { type: "received", events: logged(event) }, standing)), intents)
  })

  it("with an earlier server is opened again where that is wished and it was there, unless a prompt does so", () => {
    const table: ReadonlyArray<readonly [boolean, Intent.Standing, ThreadHead, ReadonlyArray<string>]> = [
      [true, atOnce, gone, ["session.reopen"]],
      [true, atOnce, { ...waits, held: true }, ["session.reopen"]],
      [true, atOnce, waits, ["turn.run plain"]],
      [false, atOnce, gone, []],
      [true, idle, gone, []]
    ]
    for (const [wasOpen, standing, head, intents] of table)
      assert.deepStrictEqual(words(Intent.next(head, { type: "recovered", wasOpen }, standing)), intents)
  })
})

describe("a thread that is being removed", () => {
  it("begins nothing, whatever its state and whatever happens", () => {
    const leaving = { ...atOnce, leaving: true }
    const events = logged({ type: "session.start.requested" })
    for (const { head, name } of cases) assert.deepStrictEqual(Intent.next(head, occasion, leaving), [], name)
    assert.deepStrictEqual(Intent.next(ready().view, { type: "commanded", events }, leaving), [])
    assert.deepStrictEqual(Intent.next(ready().view, { type: "received", events: logged(exited(false)) }, leaving), [])
    assert.deepStrictEqual(Intent.next(ready().view, { type: "recovered", wasOpen: true }, leaving), [])
  })
})
