/** Judges a tool call that no agent has sent, as one in a folder of this machine. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import * as RequestLooking from "../../permission/RequestLooking.ts"
import * as Judging from "../../rules/Judging.ts"
import * as Containment from "../../workspace/Containment.ts"

export const judge = Effect.fn("CallJudging.judge")(function* (
  rules: ReadonlyArray<PlacedRule>,
  origin: Judging.Origin,
  call: ToolCall
) {
  const { agent, cwd, own } = origin
  const roots = yield* Containment.pin([cwd])
  const look = yield* RequestLooking.of(call, {
    folder: cwd,
    agent: { id: agent, program: "" },
    grant: { own, roots },
    base: cwd,
    isRemote: false
  })
  return yield* Judging.call(rules, origin, { base: cwd, shell: "bash" }, call, look)
})
