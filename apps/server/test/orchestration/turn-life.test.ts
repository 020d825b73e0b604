/** What holds for turns whatever happens to them: agents, commands, crashes and restarts in any order. */
import { isOpen } from "@signalbox/threads/OpenItem"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { hasEnded, isRunning } from "@signalbox/threads/TurnState"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { choices, type Seen, ThreadLife } from "../support/ThreadLife.ts"

const Choice = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: choices - 1 }))
const dealt = { moves: Schema.Array(Choice), how: Choice }
/** Enough for every kind of move to meet every other. */
const thorough = { arbitrary: { runs: 200, size: 250 } }

const live = (input: { readonly moves: ReadonlyArray<number>; readonly how: number }, seen: Seen = () => undefined) => {
  const life = new ThreadLife(seen)
  for (const move of input.moves) life.move(move)
  life.settle(input.how)
  return life
}

/** The turn that an event is about: its own, or that of the request that it settles. */
const turnOf = (event: ThreadEvent, before: ThreadView): string | undefined => {
  if (event.type === "session.stop.requested") return ThreadProjection.runningTurn(before)?.turnId
  if ("turnId" in event) return event.turnId
  if (!("requestId" in event)) return undefined
  return before.requests.find(({ request }) => request.requestId === event.requestId)?.turnId
}

describe("every turn", () => {
  it.prop(
    "ends, and leaves nothing open",
    dealt,
    (input) => {
      const { view } = live(input)
      const over = new Set<string | undefined>()
      for (const { endedAt, status, turnId } of view.turns) {
        assert.isTrue(hasEnded(status))
        assert.isDefined(endedAt)
        over.add(turnId)
      }
      for (const entry of view.items) if (over.has(entry.turnId)) assert.isFalse(isOpen(entry), entry.itemId)
      for (const { turnId } of view.requests) assert.isFalse(over.has(turnId))
    },
    thorough
  )

  it.prop(
    "goes one way: one runs at a time, and one that is over stays as it is",
    dealt,
    (input) => {
      live(input, (event, before, after) => {
        assert.isAtMost(after.turns.filter(({ status }) => isRunning(status)).length, 1)
        for (const turn of before.turns) {
          const now = after.turns.find(({ turnId }) => turnId === turn.turnId)
          // A late event of the agent is counted, and changes nothing else.
          if (hasEnded(turn.status) && now !== turn)
            assert.deepStrictEqual({ ...now, totals: undefined }, { ...turn, totals: undefined })
          else if (hasEnded(turn.status)) continue
          else if (now === undefined) assert.deepStrictEqual([turn.status, event.type], ["queued", "turn.withdrawn"])
          else if (turn.status !== "queued") assert.notStrictEqual(now.status, "queued")
        }
      })
    },
    thorough
  )

  it.prop(
    "is given to an agent at most once, after that was put on record; what is lost was given or about to be",
    dealt,
    (input) => {
      const dispatched = new Set<string>()
      const life = live(input, (event) => {
        if (event.type === "turn.dispatched") {
          assert.isFalse(dispatched.has(event.turnId), "It was dispatched twice.")
          dispatched.add(event.turnId)
        }
        if (event.type === "turn.lost") assert.isTrue(dispatched.has(event.turnId))
      })
      assert.strictEqual(new Set(life.given).size, life.given.length)
      for (const turnId of life.given) assert.isTrue(dispatched.has(turnId))
    },
    thorough
  )

  it.prop(
    "waits in people's order, and is the next when it is sent; what is held is not, and what comes between is no less",
    dealt,
    (input) => {
      let expected: Array<string> = []
      live(input, (event, before, after) => {
        if (event.type === "turn.queued") {
          const steered = before.turns.filter(({ status, steer }) => status === "queued" && steer).length
          expected.splice(event.steer ? steered : expected.length, 0, event.turnId)
        } else if (event.type === "turn.moved") {
          const others = expected.filter((turnId) => turnId !== event.turnId)
          const index = event.before === undefined ? others.length : others.indexOf(event.before)
          expected = others.toSpliced(index, 0, event.turnId)
        } else if (event.type === "turn.dispatched") {
          assert.strictEqual(expected.shift(), event.turnId)
          const turn = before.turns.find(({ turnId }) => turnId === event.turnId)
          assert.isTrue(before.held === undefined || turn?.steer)
        } else if ("turnId" in event) {
          const turn = after.turns.find(({ turnId }) => turnId === event.turnId)
          if (turn?.status !== "queued") expected = expected.filter((turnId) => turnId !== event.turnId)
        }
        const waiting = after.turns.filter(({ status }) => status === "queued")
        assert.deepStrictEqual(
          waiting.map(({ turnId }) => turnId as string),
          expected
        )
        if (event.type === "turn.steered") return
        // A turn is being stopped when another one is to take its place.
        for (const { steered } of waiting) {
          const into = after.turns.find(({ turnId }) => turnId === steered?.into)
          if (into) assert.isFalse(into.status === "working" || into.status === "waiting")
        }
      })
    },
    thorough
  )

  it.prop(
    "keeps to itself: what happens in it changes nothing of another, and its text is its own",
    dealt,
    (input) => {
      const { view } = live(input, (event, before, after) => {
        const owner = turnOf(event, before)
        for (const turn of before.turns) {
          if (turn.turnId === owner) continue
          assert.strictEqual(
            after.turns.find(({ turnId }) => turnId === turn.turnId),
            turn,
            event.type
          )
        }
        before.items.forEach((entry, index) => {
          if (entry.turnId !== owner) assert.strictEqual(after.items[index], entry, `${event.type} ${entry.itemId}`)
        })
        for (const entry of after.items.slice(before.items.length))
          assert.strictEqual<string | undefined>(entry.turnId, owner)
      })
      for (const entry of view.items) {
        if (entry.type !== "message" && entry.type !== "thought") continue
        const pieces = new Set(entry.text.match(/<[^>]*>/g))
        assert.deepStrictEqual([...pieces], [`<${entry.turnId ?? ""}>`])
      }
    },
    thorough
  )

  it.prop(
    "is sent by nobody while it is held, and waits held behind one that ended badly",
    dealt,
    (input) => {
      live(input, (event, before, after) => {
        const turn = before.turns.find(({ turnId }) => "turnId" in event && turnId === event.turnId)
        if (event.type === "turn.dispatched") assert.isTrue(before.held === undefined || turn?.steer === true)
        const waits = TurnQueue.holdable(after).length > 0
        if (event.type === "turn.lost" && waits) assert.isTrue(after.held)
        // A turn that is over stays as it is: a second end of it, behind a failed start, holds nothing.
        const surprise = turn?.interruptedAt === undefined && turn !== undefined && !hasEnded(turn.status)
        if (event.type === "turn.completed" && event.outcome !== "completed" && waits && surprise)
          assert.isTrue(after.held)
        if (after.heldBy !== undefined) assert.isTrue(waits && after.held)
      })
    },
    thorough
  )

  it.prop(
    "keeps what came in late, and marks what began late",
    dealt,
    (input) => {
      const { log, view } = live(input)
      const entries = new Map<string, ItemView>(view.items.map((entry) => [entry.itemId, entry]))
      const over = new Set<string>()
      const begun = new Set<string>()
      const texts = new Map<string, string>()
      for (const { event } of log) {
        if (event.type === "turn.completed" || event.type === "turn.failed" || event.type === "turn.lost")
          over.add(event.turnId)
        if (!("itemId" in event)) continue
        const entry = entries.get(event.itemId)
        assert.isDefined(entry, `${event.itemId} is not kept.`)
        if (!begun.has(event.itemId)) {
          const late = event.turnId !== undefined && over.has(event.turnId)
          assert.strictEqual(entry.late, late ? true : undefined, `${event.itemId}, ${entry.late}`)
        }
        begun.add(event.itemId)
        if ("text" in event) texts.set(event.itemId, (texts.get(event.itemId) ?? "") + event.text)
      }
      for (const [itemId, text] of texts) {
        const entry = entries.get(itemId)
        assert.strictEqual(entry && "text" in entry ? entry.text : undefined, text)
      }
    },
    thorough
  )
})

describe("the lives in these tests", () => {
  it("hold every end of every stage, late events of all kinds, and text that a crash cut off", () => {
    const met = new Set<string>()
    const seeded = generator()
    const next = () => Math.floor(seeded() * choices)
    for (let lives = 0; lives < 200; lives++) {
      const moves = Array.from({ length: 200 }, next)
      const { view } = live({ moves, how: next() }, (event, before, after) => {
        if ("late" in event) met.add(`late ${event.type}`)
        for (const { status, turnId } of after.turns) {
          const was = before.turns.find((turn) => turn.turnId === turnId)?.status
          if (was !== undefined && was !== status) met.add(`${was}, ${status}`)
        }
      })
      for (const entry of view.items) if ("cut" in entry) met.add("cut")
    }
    const ends = ["completed", "cancelled", "failed", "refused", "limited", "lost"]
    const stages = ["sent", "working", "cancelling"].flatMap((stage) => ends.map((end) => `${stage}, ${end}`))
    const late = ["message.delta", "thought.delta", "tool.started", "tool.updated", "tool.completed"]
    const others = [
      "queued, failed",
      "queued, sent",
      "working, waiting",
      "waiting, cancelling",
      "waiting, working",
      "cut"
    ]
    const expected = [...stages, ...late.map((type) => `late ${type}`), ...others]
    assert.deepStrictEqual(
      expected.filter((one) => !met.has(one)),
      []
    )
  })
})

/** Numbers in [0, 1), the same in every run. */
const generator = () => {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}
