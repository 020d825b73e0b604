/** What streams in pieces is kept as the text that it amounts to. */
import { EventId, ItemId, ProviderSessionId } from "@signalbox/contracts/Ids"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { joinAdjacent, joinLogged } from "../../src/orchestration/EventJoining.ts"
import { fake } from "../support/FakeProvider.ts"
import { created, logged, threadId, told, toolCall, turnId } from "../support/ThreadEvents.ts"

const runtime = {
  threadId,
  at: 1,
  eventId: EventId.make("event"),
  providerKind: fake.kind,
  providerSessionId: ProviderSessionId.make("session")
}

const piece = (name: string, offset: number, text: string): RuntimeEventOf<"message.delta"> => ({
  type: "message.delta",
  ...runtime,
  turnId,
  itemId: ItemId.make(name),
  offset,
  text
})

describe("joining", () => {
  it("joins neighbouring pieces of one text, and nothing else", () => {
    const joined = joinAdjacent([
      piece("m", 0, "a"),
      piece("m", 1, "b"),
      piece("n", 0, "c"),
      piece("m", 2, "d"),
      piece("m", 9, "gap"),
      piece("m", 9, "repeat"),
      { ...piece("m", 15, "late"), late: true },
      { type: "message.completed", ...runtime, turnId, itemId: ItemId.make("m"), length: 3 }
    ])
    assert.deepStrictEqual(
      joined.map((event) => (event.type === "message.delta" ? `${event.offset} ${event.text}` : event.type)),
      ["0 ab", "0 c", "2 d", "9 gap", "9 repeat", "15 late", "message.completed"]
    )
  })

  it("keeps the place of the last piece, so that the log goes on behind it", () => {
    const joined = joinLogged(logged(7, [piece("m", 0, "a"), piece("m", 1, "b"), piece("n", 0, "c")]))
    assert.deepStrictEqual(
      joined.map(({ sequence }) => Number(sequence)),
      [9, 10]
    )
  })

  it.prop(
    "amounts to the same state, in stretches of any length",
    {
      choices: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))),
      stretch: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
    },
    ({ choices, stretch }) => {
      const log = logged(0, [
        created,
        { type: "turn.queued", threadId, at: 1, turnId, prompt: [{ type: "text", text: "hi" }] },
        { type: "turn.dispatched", threadId, at: 1, turnId },
        ...play(choices),
        { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
      ])
      const joined: Array<LoggedEvent> = []
      for (let start = 0; start < log.length; start += stretch)
        joined.push(...joinLogged(log.slice(start, start + stretch)))
      assert.deepStrictEqual(ThreadProjection.apply(undefined, joined), ThreadProjection.apply(undefined, log))
      assert.isAtMost(joined.length, log.length)
    },
    { arbitrary: { runs: 300, size: 100 } }
  )
})

/** Events of one running turn: texts that come in pieces, and a call that changes. */
const play = (choices: ReadonlyArray<number>): ReadonlyArray<ThreadEvent> => {
  const lengths = new Map<string, number>()
  return choices.map((choice, index): ThreadEvent => {
    if (choice > 7) return { ...told("tool.updated", toolCall({ title: `state ${index}` })), at: index }
    const name = choice < 6 ? "m" : "n"
    const offset = lengths.get(name) ?? 0
    lengths.set(name, offset + 1)
    return { ...piece(name, offset, String(choice)), at: index }
  })
}
