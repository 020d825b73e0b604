/** What real agents say, as they cut it up. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { play, scripted, seen } from "../support/ScriptedAgent.ts"
import { kiloText } from "./scenarios/kilo-text.ts"

describe("text of an agent", () => {
  it.live("of kilo is a thought and an answer, though both have one id, in each turn anew", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({})
      yield* agent.start()
      const turn = ["thinks: Look first.", "says: There are two."]
      yield* play(agent, "t1", ...kiloText("msg_1f8820dfa001"))
      yield* play(agent, "t2", ...kiloText("msg_1f8821c07001"))
      assert.deepEqual(yield* seen(agent), [...turn, ...turn])
      assert.deepInclude(agent.of("usage.updated").at(-1), { used: 1000, size: 200_000 })
    })
  )
})
