import { assert, describe, it } from "@effect/vitest"
import { badgeOf } from "../src/status/Badge.ts"

describe("the number on the icon of the chat", () => {
  it("is missing without a connection, and where nothing is left to do", () => {
    assert.isUndefined(badgeOf(undefined))
    assert.isUndefined(badgeOf([{}, {}]))
  })

  it("counts what waits and what was not sent, and says each", () => {
    assert.deepStrictEqual(badgeOf([{ draft: true }, {}]), { value: 1, tooltip: "1 prompt not sent" })
    assert.deepStrictEqual(badgeOf([{ waitingFor: "approval", draft: true }, { draft: true }]), {
      value: 3,
      tooltip: "1 waiting for you, 2 prompts not sent"
    })
  })
})
