import { ItemId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, test } from "vitest"
import { makeKeyLine } from "../src/signin/keyLine.ts"
import { bytesOf, pasted } from "../src/signin/terminalKeys.ts"
import { makeTerminalScreen } from "../src/signin/terminalScreen.ts"
import { wantedSignIn } from "../src/transcript/wantedSignIn.ts"
import { thread } from "./fixtures/thread.ts"

const key = (name: string, held: Partial<Record<"ctrlKey" | "altKey" | "metaKey" | "shiftKey", true>> = {}) => ({
  key: name,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  ...held
})

describe("keys in a terminal", () => {
  test("are what programs expect of them", () => {
    assert.strictEqual(bytesOf(key("Enter"), false), "\r")
    assert.strictEqual(bytesOf(key("Backspace"), false), "\x7f")
    assert.strictEqual(bytesOf(key("ArrowUp"), false), "\x1b[A")
    assert.strictEqual(bytesOf(key("ArrowUp"), true), "\x1bOA")
    assert.strictEqual(bytesOf(key("c", { ctrlKey: true }), false), "\x03")
    assert.strictEqual(bytesOf(key("d", { altKey: true }), false), "\x1bd")
  })
  test("that are text come as text, and Shift Tab and what the system has are the browser’s", () => {
    assert.isUndefined(bytesOf(key("a"), false))
    assert.isUndefined(bytesOf(key("v", { ctrlKey: true }), false))
    assert.isUndefined(bytesOf(key("c", { metaKey: true }), false))
    assert.isUndefined(bytesOf(key("Tab", { shiftKey: true }), false))
  })
  test("a paste can’t end itself early", () => {
    assert.strictEqual(pasted("a\nb", false), "a\rb")
    assert.strictEqual(pasted("a\x1b[201~rm", true), "\x1b[200~a[201~rm\x1b[201~")
  })
})

describe("keys on their way", () => {
  test("go one call after the other, in the order in which they were typed", async () => {
    const sent: Array<string> = []
    const arrivals: Array<() => void> = []
    const type = makeKeyLine((data) => {
      sent.push(data)
      return new Promise((resolve) => arrivals.push(resolve))
    })
    type("1")
    type("2")
    type("x\x7f")
    assert.deepStrictEqual(sent, ["1"])
    arrivals.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepStrictEqual(sent, ["1", "2x\x7f"])
  })
  test("one that nobody takes does not hold up the next", async () => {
    const sent: Array<string> = []
    const type = makeKeyLine((data) => {
      sent.push(data)
      return data === "a" ? Promise.reject(new Error("over")) : Promise.resolve()
    })
    type("a")
    await new Promise((resolve) => setImmediate(resolve))
    type("b")
    assert.deepStrictEqual(sent, ["a", "b"])
  })
})

/** What stands on the screen once all of it was read. */
const screenOf = (printed: string, columns = 20) =>
  new Promise<ReadonlyArray<string>>((resolve) => {
    const screen = makeTerminalScreen({
      columns,
      rows: 4,
      onAnswer: () => {},
      onChange: () => resolve(screen.lines().map((runs) => runs.map(({ text }) => text).join("")))
    })
    screen.write(printed)
  })

describe("the screen of a terminal", () => {
  test("is what a program left there, not what it wrote", async () => {
    assert.deepStrictEqual(await screenOf("one\r\ntwo\x1b[1A\r\x1b[2Kthree\r\n\n"), ["three", "two", " "])
    assert.deepStrictEqual(await screenOf("abcdefgh", 4), ["abcd", "efgh"])
  })
  test("keeps what has left it upwards, and wide characters whole", async () => {
    assert.deepStrictEqual(await screenOf("1\r\n2\r\n3\r\n4\r\n5日本"), ["1", "2", "3", "4", "5日本 "])
  })
  test("has colours, and the cursor", async () => {
    const runs = await new Promise((resolve) => {
      const screen = makeTerminalScreen({
        columns: 20,
        rows: 4,
        onAnswer: () => {},
        onChange: () => resolve(screen.lines()[0])
      })
      screen.write("\x1b[1;31mred\x1b[0m plain")
    })
    assert.deepStrictEqual(runs, [
      { text: "red", style: { colour: "red", bold: true } },
      { text: " plain", style: {} },
      { text: " ", style: { inverse: true } }
    ])
  })
  test("answers what programs ask of a terminal", async () => {
    const answer = await new Promise((resolve) => {
      makeTerminalScreen({ columns: 20, rows: 4, onAnswer: resolve, onChange: () => {} }).write("ab\x1b[6n")
    })
    assert.strictEqual(answer, "\x1b[1;3R")
  })
})

describe("whether somebody has to sign in", () => {
  const offer = { providerId: ProviderId.make("keeper"), methods: [] }
  const turnId = TurnId.make("t1")
  const problem = {
    type: "problem",
    itemId: ItemId.make("p1"),
    turnId,
    at: 10,
    problem: { code: "auth-required", title: "", cause: "", evidence: {}, nextSteps: [], signIn: offer }
  } as const satisfies ItemView
  const view = (items: ReadonlyArray<ItemView>, startedAt = 0): ThreadView => ({
    ...thread(),
    items,
    turns: [{ turnId, prompt: [{ type: "text", text: "hi" }], status: "failed", queuedAt: 1 }],
    session: { state: "ready", startedAt }
  })
  test("it is the last that was heard, with the turn that came to nothing", () => {
    assert.strictEqual(wantedSignIn(view([problem]))?.turn?.turnId, turnId)
  })
  test("its turn is shown also while prompts are held behind it", () => {
    const held = view([problem])
    const next = { turnId: TurnId.make("t2"), prompt: [], status: "queued", queuedAt: 2 } as const
    assert.strictEqual(wantedSignIn({ ...held, turns: [...held.turns, next] })?.turn?.turnId, turnId)
  })
  test("not once the agent has started after it, or another prompt went out", () => {
    assert.isUndefined(wantedSignIn(view([problem], 20)))
    const prompt = { type: "prompt", itemId: ItemId.make("p2"), at: 11, prompt: [] } as const
    assert.isUndefined(wantedSignIn(view([problem, prompt])))
  })
})
