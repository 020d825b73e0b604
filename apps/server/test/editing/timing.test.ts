/** When questions are sent: the pure table, against all orders of events. */
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as SuggestionTiming from "../../src/editing/SuggestionTiming.ts"

const { initial, step } = SuggestionTiming

/** Steps through events, and gathers the commands. */
const play = (events: ReadonlyArray<SuggestionTiming.Event>, debounceMs = 100) => {
  let state = initial(debounceMs)
  const commands = events.map((event) => {
    const next = step(state, event)
    state = next.state
    return next.commands
  })
  return { state, commands }
}

const asked = (ticket: number, now: number, isAtOnce = false): SuggestionTiming.Event => ({
  type: "asked",
  ticket,
  isAtOnce,
  now
})
const due = (ticket: number, now: number): SuggestionTiming.Event => ({ type: "due", ticket, now })
const ended = (ticket: number, now: number): SuggestionTiming.Event => ({ type: "ended", ticket, now })

describe("SuggestionTiming", () => {
  it("waits for a pause in typing, and sends the last question only", () => {
    const { commands } = play([asked(1, 0), asked(2, 50), due(1, 100), due(2, 150)])
    assert.deepStrictEqual(commands, [
      [{ type: "wake", ticket: 1, afterMs: 100 }],
      [
        { type: "overtake", ticket: 1 },
        { type: "wake", ticket: 2, afterMs: 100 }
      ],
      [],
      [{ type: "send", ticket: 2 }]
    ])
  })

  it("sends what a person asks for at once", () => {
    assert.deepStrictEqual(play([asked(1, 0, true)]).commands, [[{ type: "send", ticket: 1 }]])
  })

  it("has one request on its way: the next one is sent when the cancelled one has ended, not before it is due", () => {
    const { commands } = play([asked(1, 0, true), asked(2, 10), ended(1, 30), due(2, 110)])
    assert.deepStrictEqual(commands.slice(1), [
      [
        { type: "overtake", ticket: 1 },
        { type: "cancel", ticket: 1 }
      ],
      [{ type: "wake", ticket: 2, afterMs: 80 }],
      [{ type: "send", ticket: 2 }]
    ])
    assert.deepStrictEqual(play([asked(1, 0, true), asked(2, 10), ended(1, 500)]).commands.at(-1), [
      { type: "send", ticket: 2 }
    ])
  })

  it("cancels what is out of date after a change, and sends nothing for it", () => {
    const { commands, state } = play([asked(1, 0, true), asked(2, 10), { type: "changed" }, ended(1, 20)])
    assert.deepStrictEqual(commands.slice(2), [[{ type: "overtake", ticket: 2 }], []])
    assert.deepStrictEqual(state.phase, { type: "resting" })
    assert.deepStrictEqual(play([asked(1, 0), { type: "changed" }, due(1, 100)]).commands.slice(1), [
      [{ type: "overtake", ticket: 1 }],
      []
    ])
  })

  it("waits longer for a slow agent, up to a limit, and less again when it is quick", () => {
    let state = initial(100)
    const extra = (tookMs: number): number => {
      state = step(state, asked(1, 0, true)).state
      state = step(state, ended(1, tookMs)).state
      return state.slowMs
    }
    assert.deepStrictEqual(
      Arr.makeBy(7, () => extra(1001)),
      [250, 500, 1000, 2000, 4000, 5000, 5000]
    )
    assert.deepStrictEqual(step(state, asked(2, 0)).commands, [{ type: "wake", ticket: 2, afterMs: 5100 }])
    assert.deepStrictEqual(
      Arr.makeBy(3, () => extra(1000)),
      [2500, 1250, 625]
    )
    // What was cancelled before a second says nothing about the agent.
    state = step(step(state, asked(3, 0, true)).state, { type: "changed" }).state
    assert.strictEqual(step(state, ended(3, 5)).state.slowMs, 625)
  })

  it("ends each question once, with one at most on its way, whatever happens in which order", () => {
    let seed = 1
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let run = 0; run < 300; run++) {
      let state = initial(random(2) === 0 ? 0 : 50)
      let now = 0
      let last = 0
      const sent = new Set<number>()
      const over = new Map<number, number>()
      const wakes = new Map<number, number>()
      const end = (ticket: number) => over.set(ticket, (over.get(ticket) ?? 0) + 1)
      const happen = (event: SuggestionTiming.Event) => {
        const next = step(state, event)
        state = next.state
        for (const command of next.commands) {
          if (command.type === "wake") wakes.set(command.ticket, now + command.afterMs)
          if (command.type === "overtake") end(command.ticket)
          if (command.type === "send") {
            sent.add(command.ticket)
            assert.strictEqual(sent.size, 1)
          }
        }
      }
      const answer = () => {
        for (const ticket of sent) {
          sent.delete(ticket)
          if (!over.has(ticket)) end(ticket)
          happen(ended(ticket, now))
        }
      }
      for (let move = 0; move < 40; move++) {
        now += random(40)
        for (const [ticket, at] of wakes)
          if (at <= now) {
            wakes.delete(ticket)
            happen(due(ticket, now))
          }
        const what = random(10)
        if (what < 5) happen(asked(++last, now, random(4) === 0))
        else if (what < 7) answer()
        else if (what < 9) happen({ type: "changed" })
        else happen({ type: "withdrawn", ticket: last })
      }
      for (let rest = 0; rest < 4; rest++) {
        now += 100_000
        for (const ticket of wakes.keys()) {
          wakes.delete(ticket)
          happen(due(ticket, now))
        }
        answer()
      }
      assert.deepStrictEqual(state.phase, { type: "resting" })
      for (let ticket = 1; ticket <= last; ticket++) assert.strictEqual(over.get(ticket), 1, `run ${run}, ${ticket}`)
    }
  })
})
