/** The report of what passes a chain counts messages by part, and measures how long each part holds one. */
import { assert, describe, it } from "@effect/vitest"
import * as ChainTraffic from "../../src/provider/chain/ChainTraffic.ts"

const words = (method: string) => ({ method, params: undefined })

/** A chain of one proxy and the agent, and a clock that the test moves. */
const chain = () => {
  let at = 0
  const { observer, report } = ChainTraffic.make(["proxy", "agent"], () => at)
  return {
    observer,
    report,
    wait: (ms: number) => {
      at += ms
    },
    /** The agent says something, and the proxy passes it on so much later. */
    pass: (ms: number) => {
      observer.notification(1, 0, words("session/update"))
      at += ms
      observer.notification(0, -1, words("session/update"))
    }
  }
}

describe("the traffic of a chain", () => {
  it("counts each message for the part that is farther from people, with answers", () => {
    const { observer, report } = chain()
    observer.request(-1, 0, "1", words("session/prompt"))
    observer.request(0, 1, "7", words("session/prompt"))
    observer.notification(1, 0, words("session/update"))
    observer.response(1, 0, "7", { result: "{}" })
    observer.response(0, -1, "1", { result: "{}" })
    assert.deepStrictEqual(report(), [
      { name: "proxy", messages: 2 },
      { name: "agent", messages: 3 }
    ])
  })

  it("says the median time from the tenth message on, and none for the agent", () => {
    const { pass, report } = chain()
    for (let count = 0; count < 9; count++) pass(2)
    assert.isUndefined(report()[0]?.heldMs)
    pass(900)
    assert.strictEqual(report()[0]?.heldMs, 2)
    assert.isUndefined(report()[1]?.heldMs)
    for (let count = 0; count < 101; count++) pass(5)
    assert.strictEqual(report()[0]?.heldMs, 5)
  })

  it("takes what a part says by itself for none, nor what it has kept", () => {
    const { observer, pass, report, wait } = chain()
    observer.notification(0, -1, words("session/update"))
    // Swallowed, and answered by the proxy itself.
    observer.notification(1, 0, words("session/update"))
    observer.request(-1, 0, "1", words("session/list"))
    observer.response(0, -1, "1", { result: "{}" })
    wait(60_000)
    observer.request(-1, 0, "2", words("session/list"))
    wait(1)
    observer.request(0, 1, "9", words("session/list"))
    for (let count = 0; count < 10; count++) pass(1)
    assert.strictEqual(report()[0]?.heldMs, 1)
  })

  it("counts no start of a part as its time", () => {
    const { observer, report, wait } = chain()
    for (let count = 0; count < 20; count++) {
      observer.request(-1, 0, `${count}`, words("initialize"))
      wait(500)
      observer.request(0, 1, `${count}`, words("initialize"))
    }
    assert.isUndefined(report()[0]?.heldMs)
  })
})
