import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Settings from "../../../src/components/collaboration/Settings.ts"

describe("The arguments of the collaboration component", () => {
  it("have neutral defaults", () => {
    const { folder, ...rest } = Result.getOrThrow(Settings.of([]))
    assert.match(folder, /^\/.*\/signalbox\/collaboration$/)
    assert.deepStrictEqual(rest, { way: "prompt", hasTools: true, text: undefined, persona: "default", seconds: 120 })
  })

  it("that are wrong are refused with the cause and the usage", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--way", "loud"], "--way is one of prompt, turn, none."],
      [["--persona", "../x"], "--persona is a name. A name has lower-case letters"],
      [["--timeout", "-1"], "--timeout"],
      [["--timeout", "1e3"], "--timeout is a number of seconds above 0"],
      [["--timeout", "3601"], "at most 3600"],
      [["--tools"], "Unknown option '--tools'"],
      [["loose"], "Unexpected argument 'loose'"]
    ]
    for (const [args, words] of cases) {
      const problem = Result.match(Settings.of(args), { onFailure: (one) => one, onSuccess: () => "none" })
      assert.include(problem, words)
      assert.include(problem, `Its arguments are: ${Settings.usage}`)
    }
  })
})
