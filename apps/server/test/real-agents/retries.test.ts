/** Answers that break off, and that their agents stream once more. */
import { assert, describe, it } from "@effect/vitest"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Retries from "../../src/provider/acp/projection/Retries.ts"
import { call as signalbox, scriptedAgent, temporaryFolder } from "../cli/support/Signalbox.ts"
import { cost } from "../support/Cost.ts"
import { call, change, projection, text, thought } from "../support/ProjectionHarness.ts"
import { scripted, seen } from "../support/ScriptedAgent.ts"
import { served } from "../support/ServedThreads.ts"
import { claudeRetries, claudeThoughtfulRetries } from "./scenarios/claude-retries.ts"
import { codexRetries } from "./scenarios/codex-retries.ts"
import { copilotRetries, piRetries } from "./scenarios/copilot-retries.ts"

const broken = "says: I looked at the tests [tried again]"

describe("an answer that is streamed once more", () => {
  it.live.each([
    ["claude", claudeRetries, [broken, broken, "says: I looked at the tests: two fail."]],
    [
      "claude, with thoughts",
      claudeThoughtfulRetries,
      ["thinks: hm", broken, "thinks: so", "says: I looked at the tests, and two fail."]
    ],
    [
      "codex",
      codexRetries,
      [broken, "says: I looked at the tests", "says: stream disconnected before completion: network error\n\n"]
    ],
    [
      "copilot",
      copilotRetries,
      [
        broken,
        "says: Info: Response was interrupted due to a server error. Retrying...",
        broken,
        "says: Info: Response was interrupted due to a server error. Retrying...",
        "says: I looked at the tests",
        "says: Error: Failed to get response from the AI model; retried 2 times"
      ]
    ],
    [
      "pi",
      piRetries,
      [
        broken,
        "says: Retrying (attempt 1/3, waiting 2s)...",
        "says: I looked at the tests, and two fail.",
        "says: Retry finished, resuming."
      ]
    ]
  ] as const)("marks what broke off as tried again, and keeps all of it: %s", ([, setup, transcript]) =>
    Effect.gen(function* () {
      const agent = yield* scripted(setup)
      yield* agent.start()
      yield* agent.turn("t1", "go")
      assert.deepEqual(yield* seen(agent), transcript)
    })
  )

  it.live("is printed once on the terminal, with a mark beside it", () =>
    Effect.gen(function* () {
      const ended = yield* signalbox(["run", "--agent", scriptedAgent, "go"], {
        env: { SCRIPTED_AGENT: JSON.stringify(claudeRetries) }
      })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.strictEqual(ended.stdout, "I looked at the tests: two fail.\n")
      assert.strictEqual(ended.stderr.match(/tried again/g)?.length, 2, ended.stderr)
    })
  )
})

describe("a thread with an answer that was streamed once more", () => {
  it.live("is the same for the page, live and after a restart of the server", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const messages = ({ items }: ThreadView) =>
        items.flatMap((item) => (item.type === "message" ? [[item.text, item.triedAgain === true]] : []))
      const expected = [
        ["I looked at the tests", true],
        ["I looked at the tests", true],
        ["I looked at the tests: two fail.", false]
      ]
      const { threadId, view } = yield* Effect.scoped(
        Effect.gen(function* () {
          const { open, prompt } = yield* served(state)
          const { threadId, watcher } = yield* open("retried")
          yield* prompt(threadId, "t1", ...(claudeRetries.prompts?.[0] ?? []))
          return { threadId, view: yield* watcher.until(({ turns }) => turns[0]?.status === "completed") }
        })
      )
      assert.deepEqual(messages(view), expected)
      const { watch } = yield* served(state)
      const watcher = yield* watch(threadId)
      assert.deepEqual(messages(yield* watcher.until(({ items }) => items.length > 0)), expected)
    }).pipe(Effect.scoped)
  )
})

const told = (events: ReadonlyArray<ProviderRuntimeEvent>) => ({
  text: events.flatMap((event) => (event.type === "message.delta" ? [event.text] : [])).join(""),
  retried: events.filter(({ type }) => type === "message.retried").length
})

const after = (...updates: ReadonlyArray<object>) => {
  const session = projection()
  session.begin("t1")
  for (const update of updates) session.feed(update)
  session.end()
  return told(session.events)
}

const as = (piece: string, messageId: string) => text(piece, { messageId })
const partial = "I looked at the tests"

describe("text that comes twice", () => {
  it.each([
    ["a sentence that was finished", [as("I looked at the tests.", "a"), as("I looked at the tests.", "b")]],
    ["a line that was finished", [as(`${partial}\n`, "a"), as(`${partial}\n`, "b")]],
    ["a short one", [as("Looking at it", "a"), as("Looking at it", "b")]],
    ["a periodic one", [as("abab".repeat(8), "a"), as("abab".repeat(8), "b")]],
    ["with a call between", [as(partial, "a"), call("c"), change("c", { status: "completed" }), as(partial, "b")]],
    ["with a thought of no answer between", [as(partial, "a"), thought("hm"), as(partial, "b")]],
    ["with another message between", [as(partial, "a"), as("It is time for lunch.", "b"), as(partial, "c")]],
    ["without ids and notes", [text(partial), text(partial)]],
    ["behind a note within a sentence", [text(`${partial}. `), text("Retrying..."), text(`${partial}. `)]],
    ["that goes another way", [as(partial, "a"), as("I looked at the docs", "b")]],
    ["that ends before it has caught up", [as(partial, "a"), as("I looked at", "b")]]
  ])("stays as it is: %s", (_, updates) => {
    const said = updates.flatMap((update) =>
      "content" in update && "messageId" in update ? [update.content.text] : []
    )
    const { retried, text: all } = after(...updates)
    assert.strictEqual(retried, 0)
    if (said.length > 0) assert.strictEqual(all, said.join(""))
  })

  it("goes on with a message that only its first piece names, and not with one that more of them name", () => {
    const items = (...updates: ReadonlyArray<object>) => {
      const session = projection()
      session.begin("t1")
      for (const update of updates) session.feed(update)
      return new Set(session.of("message.delta").map(({ itemId }) => itemId)).size
    }
    assert.strictEqual(items(as("one, ", "a"), text("still one, "), text("still one")), 1)
    assert.strictEqual(items(as("one, ", "a"), as("still one", "a"), text("another")), 2)
  })

  it("stays as it is in another turn", () => {
    const session = projection()
    session.begin("t1")
    session.feed(as(partial, "a"))
    session.end()
    session.begin("t2")
    session.feed(as(partial, "b"))
    session.end()
    assert.deepEqual(told(session.events), { text: partial + partial, retried: 0 })
  })

  it("is a retry also where one before it broke off earlier", () => {
    const session = projection()
    session.begin("t1")
    session.feed(as(partial, "a"), as("I looked", "b"), as(`${partial}: two fail.`, "c"))
    session.end()
    assert.deepEqual(told(session.events), { text: `${partial}I looked${partial}: two fail.`, retried: 2 })
  })

  it("is a retry where it takes several items", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(" ")
    const session = projection()
    session.begin("t1")
    session.feed(as(long, "a"), as(long.slice(0, 99_000), "b"), as(`${long.slice(99_000)}, and more.`, "b"))
    session.end()
    const retried = session.of("message.retried")
    assert.isAbove(retried.length, 1)
    assert.strictEqual(retried.at(-1)?.length, long.length)
    assert.strictEqual(told(session.events).text, `${long}${long}, and more.`)
  })

  it.prop(
    "is told whole and in its order, whatever it is",
    {
      pieces: Schema.Array(
        Schema.Struct({
          said: Schema.Literals([
            partial,
            "I looked ",
            "at the tests",
            ": two fail.",
            "Info: Retrying now...",
            "Retrying..."
          ]),
          named: Schema.Boolean,
          thinks: Schema.Literals([false, false, false, true])
        })
      )
    },
    ({ pieces }) => {
      // Each name is used once: what repeats its own message is left out.
      const updates = pieces.flatMap(({ named, said, thinks }, index) => {
        const more = named ? { messageId: `m${index}` } : {}
        return [...(thinks ? [{ ...thought("hm"), ...more }] : []), text(said, more)]
      })
      assert.strictEqual(after(...updates).text, pieces.map(({ said }) => said).join(""))
    },
    { arbitrary: { runs: 1000 } }
  )

  it("costs what each piece holds, however long the text is", () => {
    const long = Array.from({ length: 25_000 }, (_, index) => `word ${index} `).join("")
    const again = () => {
      const retries = Retries.make()
      Retries.ended(retries, `${long}end`, () => [], false)
      assert.isTrue(Retries.begin(retries, "b"))
      const { held } = retries
      assert(held !== undefined)
      for (const character of long) assert(Retries.take(retries, held, character) === undefined)
      assert.strictEqual(Retries.take(retries, held, "end")?.of.length, 1)
    }
    // Comparing all that is held with each character takes many times as long.
    assert.isBelow(cost(again), 1_500_000)
  })
})
