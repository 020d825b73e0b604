/** What holds for every log, however its events fall. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { hasEnded } from "../src/TurnState.ts"
import * as ThreadProjection from "../src/ThreadProjection.ts"
import { ThreadSummary, ThreadView } from "@signalbox/contracts/ThreadView"
import { approval, item, type Log, ready, request, tool, turn } from "./support/Log.ts"

/** One decision after the other; each is read as what can happen next. */
const Choices = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })))

/**
 * A log that could be: prompts wait for each other, and one turn runs at a time. What the agent does belongs to the running turn, to an
 * ended one (late) or to none. Every turn that was dispatched ends before the log does.
 */
const play = (choices: ReadonlyArray<number>): Log => {
  const log = ready()
  const queue: Array<string> = []
  const past: Array<string> = []
  let running: string | undefined
  let turns = 0
  let requests = 0
  let calls = 0

  const end = (name: string, how: number) => {
    if (how % 3 === 0) log.said({ type: "turn.lost", turnId: turn(name), reason: "test" })
    else log.done({ type: "turn.completed", turnId: turn(name), outcome: how % 3 === 1 ? "completed" : "cancelled" })
    past.push(name)
    running = undefined
  }

  for (const choice of choices) {
    const late = choice % 7 === 0 && past.length > 0 ? past[choice % past.length] : undefined
    const owner = late ?? running
    const whose = owner === undefined ? {} : { turnId: turn(owner), ...(late !== undefined && { late: true as const }) }
    const name = owner ?? "none"
    switch (choice % 10) {
      case 0:
        queue.push(`turn-${++turns}`)
        log.said({ type: "turn.queued", turnId: turn(`turn-${turns}`), prompt: [{ type: "text", text: "go" }] })
        break
      case 1:
        if (running !== undefined) end(running, choice)
        else if (queue.length > 0) {
          running = queue.shift()!
          log.said({ type: "turn.dispatched", turnId: turn(running) })
        }
        break
      case 2:
        if (running !== undefined && choice > 50) log.said({ type: "turn.interrupt.requested", turnId: turn(running) })
        else if (queue.length > 0) log.said({ type: "turn.withdrawn", turnId: turn(queue.pop()!) })
        break
      case 3:
        log.done({ type: "approval.requested", ...whose, request: approval(`request-${++requests}`) })
        break
      case 4:
        if (requests > 0)
          log.said({
            type: "request.answered",
            requestId: request(`request-${1 + (choice % requests)}`),
            response: { type: "option", optionId: "yes" }
          })
        break
      case 5:
        if (requests > 0)
          log.done({
            type: "approval.resolved",
            ...whose,
            requestId: request(`request-${1 + (choice % requests)}`),
            outcome: { type: "cancelled" }
          })
        break
      case 6:
        log.done({
          type: "tool.started",
          ...whose,
          itemId: item(`${name}:call-${++calls}`),
          tool: tool("c", "pending")
        })
        break
      case 7:
        log.done({
          type: choice > 50 ? "tool.updated" : "tool.completed",
          ...whose,
          itemId: item(`${name}:call-${calls}`),
          tool: tool("c", choice > 50 ? "in_progress" : "completed")
        })
        break
      default:
        log.done({ type: "message.delta", ...whose, itemId: item(`${name}:assistant`), offset: 0, text: `${choice} ` })
    }
  }
  if (running !== undefined) end(running, choices.length)
  return log
}

/** Enough for every kind of step to meet every other. */
const thorough = { arbitrary: { runs: 300, size: 120 } }

describe("every log", () => {
  it.prop(
    "amounts to the same state whether applied at once, one by one or in batches",
    { choices: Choices, size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })) },
    ({ choices, size }) => {
      const { events, view } = play(choices)
      let stepwise: ThreadView | undefined
      for (let start = 0; start < events.length; start += size) {
        stepwise = ThreadProjection.apply(stepwise, events.slice(start, start + size))
      }
      assert.deepStrictEqual(stepwise, view)
    },
    thorough
  )

  it.prop(
    "leaves no turn, tool, text or request going on that belongs to an ended turn",
    { choices: Choices },
    ({ choices }) => {
      const log = play(choices)
      const { items, turns } = log.view
      const over = new Set(turns.filter(({ status }) => hasEnded(status)).map(({ turnId }) => turnId))
      const ended = log.events.flatMap(({ event }) =>
        event.type === "turn.completed" || event.type === "turn.lost" ? [event.turnId] : []
      )
      for (const turnId of ended) assert.isTrue(over.has(turnId))
      for (const entry of items) {
        if (entry.turnId === undefined || !over.has(entry.turnId)) continue
        if (entry.type === "message") assert.isDefined(entry.endedAt)
        if (entry.type === "tool") assert.notInclude(["pending", "in_progress"], entry.tool.status)
      }
    },
    thorough
  )

  it.prop(
    "keeps every item with its own turn, and every id once",
    { choices: Choices },
    ({ choices }) => {
      const { items } = play(choices).view
      for (const entry of items) {
        if (entry.type === "message" || entry.type === "tool")
          assert.isTrue(entry.itemId.startsWith(`${entry.turnId ?? "none"}:`), `${entry.itemId} in ${entry.turnId}`)
      }
      const ids = items.map(({ itemId }) => itemId)
      assert.strictEqual(new Set(ids).size, ids.length)
    },
    thorough
  )

  it.prop(
    "has at most one turn that runs, and its state and summary are what their schemas say",
    { choices: Choices },
    ({ choices }) => {
      const { view } = play(choices)
      const going = view.turns.filter(({ status }) => status !== "queued" && !hasEnded(status))
      assert.isAtMost(going.length, 1)
      assert.isTrue(Schema.is(ThreadView)(view))
      assert.isTrue(Schema.is(ThreadSummary)(ThreadProjection.summary(view)))
    },
    thorough
  )
})

describe("every event", () => {
  it.prop(
    "is the same after a journey as JSON, without help",
    { event: ThreadEvent },
    ({ event }) => {
      const json: unknown = JSON.parse(JSON.stringify(event))
      assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(ThreadEvent)(json), json)
    },
    { arbitrary: { runs: 300 } }
  )
})
