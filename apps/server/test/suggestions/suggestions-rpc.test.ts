/** Suggestions for a page over the wire of a real server, by the reference agent. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { at, given, insert, page, setUp } from "./Page.ts"

const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n"

describe("suggestions over the wire", { timeout: 60_000 }, () => {
  it.live("a page opens a file, types, gets its line completed, and accepts", () =>
    Effect.gen(function* () {
      const { client } = yield* setUp()
      const mine = yield* page(client)
      assert.deepInclude(mine.first, { type: "on", agent: { id: "nes", name: "Nes" }, debounceMs: 0 })
      assert.deepStrictEqual(yield* mine.open("src/a.ts", text), { withheld: [], again: [], elsewhere: [] })
      yield* mine.report(
        { type: "focused", path: "src/a.ts", position: at(2, 8), visible: [] },
        { type: "changed", path: "src/a.ts", version: 2, changes: [insert(2, 8, "e")] }
      )
      const answer = given(yield* mine.suggest("src/a.ts", 2, 2, 9, "automatic"))
      assert.deepInclude(answer, { version: 2, dropped: [], isKnown: false })
      const [edit] = answer.suggestions
      assert.deepInclude(edit, {
        kind: "edit",
        path: "src/a.ts",
        edits: [{ range: { start: at(2, 9), end: at(2, 9) }, newText: ".log(first)" }]
      })
      assert.isTrue(yield* mine.end(edit?.id ?? "", "accepted"))
      assert.isFalse(yield* mine.end(edit?.id ?? "", "accepted"))
      yield* mine.next("state", ({ state }) => state.type === "starting")
      yield* mine.next("state", ({ state }) => state.type === "asking")
      yield* mine.next("state", ({ state }) => state.type === "idle")
    }).pipe(Effect.scoped)
  )
})
