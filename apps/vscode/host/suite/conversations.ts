/** Conversations with real agents, over the same handler as the chat's own messages. */
import * as assert from "node:assert"
import { randomUUID } from "node:crypto"
import { extension, logged, test, until } from "./Extension.ts"

const newTab = async (agent = "eliza"): Promise<string> => {
  const tabId = randomUUID()
  await test("simulateNewTab", tabId, agent)
  return tabId
}

const answerTo = async (tabId: string, text: string): Promise<unknown> => {
  await test("startCapturingResponses", tabId)
  assert.strictEqual(await test("sendPrompt", tabId, text), "completed")
  const answer = await test("getResponse", tabId)
  await test("stopCapturingResponses", tabId)
  return answer
}

export const conversations: Readonly<Record<string, () => Promise<void>>> = {
  "Eliza answers": async () => {
    const log = logged()
    const tabId = await newTab()
    const answer = await answerTo(tabId, "I am sad about tests")
    assert.match(String(answer), /\w{3}/)
    const messages = log.events.map(({ message }) => message)
    assert.ok(messages.indexOf("Thread created") < messages.indexOf("Received prompt"))
    log.dispose()
  },

  "two tabs with three prompts have two sessions, and answers of their own": async () => {
    const [one, other] = [await newTab(), await newTab()]
    const answers = [
      await answerTo(one, "I am sad"),
      await answerTo(other, "Hello"),
      await answerTo(one, "My mother hates computers")
    ]
    assert.strictEqual(new Set(answers).size, 3, JSON.stringify(answers))
    const sessions = await Promise.all([test("getSession", one), test("getSession", other)])
    assert.notDeepStrictEqual(sessions[0], sessions[1])
  },

  "tabs survive being hidden, killed and shown": async () => {
    const tabId = await newTab()
    await answerTo(tabId, "I am here")
    const before = await test("getResponse", tabId)
    for (const way of ["hide", "crash"]) {
      await test(way)
      assert.strictEqual(await test("getResponse", tabId), "")
      await test("show")
      await until("its words are back", async () => (await test("getResponse", tabId)) === before)
    }
  },

  "Stop ends a turn": async () => {
    const tabId = await newTab("cursor-simulated")
    const ended = test("sendPrompt", tabId, "Run sleep 60")
    await test("stop", tabId)
    assert.strictEqual(await ended, "cancelled")
    assert.strictEqual(await test("hasActivePrompt", tabId), false)
  },

  "the status bar says what is": async () => {
    await until("idle", () => extension().exports.statusText() === "Signalbox: idle")
  }
}
