/** The reference's conductors with our proxies, agents and conductor behind them, and its client before ours. */
import { assert, describe, it } from "vitest"
import { execFileSync } from "node:child_process"
import { type Heard, withAgent } from "../../../packages/stand-in-agents/test/support/WholeClient.ts"
import * as Caller from "./Caller.ts"
import * as Chains from "./Chains.ts"
import { isMissing, reference } from "./Reference.ts"

const done = { stopReason: "end_turn" }

describe.skipIf(isMissing("conductor"))("Their conductor", () => {
  it("brings a turn through our proxies to our agent", async () => {
    const chain = [Chains.signalbox("component", "pass"), Chains.standIn("arrow"), Chains.standIn("eliza")]
    const { answer, ended, initialized, text } = await Chains.turn(Chains.theirs(...chain), "Hello")
    assert.deepStrictEqual([answer.result, ended.code], [done, 0], ended.stderr)
    assert.strictEqual(Caller.member(initialized.result, "agentInfo", "name"), "eliza")
    assert.match(text, /^>[^>]/)
  })

  it("has our conductor as one of its proxies", async () => {
    const inner = Chains.oursAsProxy(Chains.standIn("arrow"), Chains.standIn("arrow"))
    const words = Chains.theirs(Chains.standIn("arrow"), inner, Chains.standIn("eliza"))
    const { answer, ended, text } = await Chains.turn(words, "Hello")
    assert.deepStrictEqual([answer.result, ended.code], [done, 0], ended.stderr)
    assert.match(text, /^>>>[^>]/)
  })

  it("has our conductor as its agent", async () => {
    const inner = Chains.ours(Chains.standIn("arrow"), Chains.standIn("eliza"))
    const { answer, text } = await Chains.turn(Chains.theirs(Chains.standIn("arrow"), inner), "Hello")
    assert.deepStrictEqual(answer.result, done)
    assert.match(text, /^>>[^>]/)
  })

  it("brings the tools of our components to our agent by our bridge", async () => {
    const components = [Chains.signalbox("component", "git"), Chains.signalbox("component", "bridge")]
    const { text } = await Chains.turn(Chains.theirs(...components, Chains.standIn("eliza")), "List tools from git")
    assert.include(text, "git_log")
  })
})

describe.skipIf(isMissing("conductor"))("Testy behind their conductor", () => {
  it("makes every request of a client through our proxies", async () => {
    const heardBehind = async (words: Chains.Words): Promise<Heard> => {
      const all: Heard = { asked: [], updates: [] }
      await withAgent(words, async ({ heard, newSession, prompt }) => {
        const { sessionId } = await newSession("/")
        assert.deepStrictEqual(await prompt(sessionId, "full"), done)
        all.asked.push(...heard.asked)
        all.updates.push(...heard.updates)
      })
      return all
    }
    const testy = Chains.standIn("testy")
    const direct = await heardBehind(testy)
    const behind = await heardBehind(
      Chains.theirs(Chains.standIn("arrow"), Chains.signalbox("component", "pass"), testy)
    )
    assert.sameMembers(behind.asked, direct.asked)
    // The reference promises no order between the last update and the answer.
    const kinds = ({ updates }: Heard) => new Set(updates.map(({ sessionUpdate }) => sessionUpdate))
    assert.deepStrictEqual(kinds(behind), kinds(direct))
  })
})

describe.skipIf(isMissing("conductor11"))("Their conductor of version 11", () => {
  it("brings a turn through our proxies, which learn its spelling, to our agent", async () => {
    const line = (words: Chains.Words) => words.join(" ")
    const components = [Chains.signalbox("component", "pass"), Chains.standIn("arrow"), Chains.standIn("eliza")]
    const caller = Caller.start([reference("conductor11"), "agent", ...components.map(line)], { staysBehind: true })
    await Chains.initialize(caller)
    const { result } = await caller.request("session/new", { cwd: "/", mcpServers: [] })
    const sessionId = Caller.member(result, "sessionId")
    const prompt = [{ type: "text", text: "Hello" }]
    assert.deepStrictEqual((await caller.request("session/prompt", { sessionId, prompt })).result, done)
    const { params } = await caller.hears(({ method }) => method === "session/update")
    assert.match(String(Caller.member(params, "update", "content", "text")), /^>[^>]/)
  })
})

describe.skipIf(isMissing("client"))("Their client", () => {
  const says = (...agent: Chains.Words): string =>
    execFileSync(reference("client"), ["Hello", "--", ...agent], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })

  it("takes our conductor for an agent", () => {
    assert.match(says(...Chains.ours(Chains.standIn("arrow"), Chains.standIn("eliza"))), /^>[^>]+\n$/)
  })

  it("takes a component that comes with Signalbox in its chain", () => {
    const arguments_ = ["--component", "pass", "--", ...Chains.standIn("eliza")]
    assert.match(says(...Chains.signalbox("conductor", "agent", ...arguments_)), /^[^>]+\n$/)
  })
})
