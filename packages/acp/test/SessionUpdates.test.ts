/** A piece of plain text is taken by a look at it; whatever else is for its schema to judge, and both have to agree. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { sessionUpdates } from "../src/AcpSchema.ts"
import { read } from "../src/SessionUpdates.ts"

/** Every choice of one value for each member; `undefined` leaves it out. */
const choices = (
  members: Readonly<Record<string, ReadonlyArray<unknown>>>
): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Object.entries(members).reduce<ReadonlyArray<Readonly<Record<string, unknown>>>>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}]
  )

const oddities = [undefined, null, "", 1, {}, []]
const contents = choices({
  type: [undefined, "text", "image", "Text", null],
  text: [undefined, "words", "", 7, null],
  annotations: [...oddities, { priority: 1 }, { priority: "high" }],
  _meta: [undefined, null, {}, "x"]
})
const chunks = choices({
  content: [...contents, ...oddities],
  messageId: [undefined, null, "m", 1],
  _meta: [undefined, null, {}, "x"]
})
const kinds = ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"] as const

describe("a chunk", () => {
  it.each(kinds)("is taken as it is exactly when its schema would take it: %s", (sessionUpdate) => {
    const passes = Schema.is(sessionUpdates[sessionUpdate])
    const counts = { taken: 0, repaired: 0, unknown: 0 }
    for (const chunk of chunks) {
      const update = { sessionUpdate, ...chunk }
      const dropped: Array<unknown> = []
      const incoming = read({ method: "session/update", params: { sessionId: "s", update }, line: 1 }, (parts) =>
        dropped.push(...parts)
      )
      const asItIs = incoming._tag === "Known" && incoming.update === incoming.raw
      assert.strictEqual(asItIs, passes(update), JSON.stringify(update))
      if (incoming._tag === "Unknown") counts.unknown++
      else if (asItIs) counts.taken++
      else {
        counts.repaired++
        assert.isTrue(passes(incoming.update), JSON.stringify(update))
        assert.isNotEmpty(dropped)
      }
    }
    assert.isTrue(
      Object.values(counts).every((count) => count > 100),
      JSON.stringify(counts)
    )
  })
})
