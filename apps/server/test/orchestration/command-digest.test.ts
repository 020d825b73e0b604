/** Commands are known again by what they ask for. */
import { ThreadCommand } from "@signalbox/contracts/Command"
import { TurnId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { isDeepStrictEqual } from "node:util"
import { digestOf } from "../../src/orchestration/CommandDigest.ts"

/** The value with the members of all its objects the other way round. */
const turnedRound = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turnedRound(member)])
  )
}

const asSent = (command: ThreadCommand): unknown => JSON.parse(JSON.stringify(command))

describe("the digest of a command", () => {
  it.prop(
    "does not depend on the order of members",
    { command: ThreadCommand },
    ({ command }) => {
      const other = Schema.decodeUnknownSync(ThreadCommand)(turnedRound(asSent(command)))
      assert.strictEqual(digestOf(other), digestOf(command))
      assert.match(digestOf(command), /^[\w-]{22}$/)
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "is another one for another command",
    { one: ThreadCommand, other: ThreadCommand },
    ({ one, other }) =>
      assert.strictEqual(digestOf(one) === digestOf(other), isDeepStrictEqual(asSent(one), asSent(other))),
    { arbitrary: { runs: 300 } }
  )

  it("depends on the order of the parts of a prompt, and on each letter", () => {
    const prompt = (...texts: readonly [string, ...ReadonlyArray<string>]): string => {
      const [first, ...rest] = texts.map((text) => ({ type: "text" as const, text }))
      return digestOf({ type: "turn.start", turnId: TurnId.make("turn"), prompt: [first!, ...rest] })
    }
    const digests = [prompt("a", "b"), prompt("b", "a"), prompt("ab"), prompt("a", "b "), prompt("a", "B")]
    assert.strictEqual(new Set(digests).size, digests.length)
  })

  it("is the same in every run of the server: receipts outlive it", () => {
    assert.strictEqual(digestOf({ type: "thread.rename", title: "Käse" }), "pPtEa7vj-9J25dGGKJD6MX")
  })
})
