/** The bridge for MCP servers over ACP, as people name it in a chain: the last one before the agent. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Options } from "../../bridge/Bridge.ts"
import type { BuiltInComponent, Run } from "../../BuiltInComponent.ts"

/** Loaded when it runs: a server over HTTP is large. */
const runWith =
  (options: Options): Run =>
  (link) =>
    Effect.flatMap(
      Effect.promise(() => import("../../bridge/Bridge.ts")),
      (bridge) => bridge.run(link, options)
    )

export const run: Run = runWith({ legacy: false })

export const bridge: BuiltInComponent = {
  name: "bridge",
  summary:
    "Brings MCP servers of components to an agent that takes them by HTTP or as programs; stands last; --legacy for older components",
  offersServers: false,
  make: ({ args }) => {
    const [first, ...others] = args
    if (first === undefined) return Result.succeed(run)
    return first === "--legacy" && others.length === 0
      ? Result.succeed(runWith({ legacy: true }))
      : Result.fail("It takes --legacy, and no other argument.")
  }
}
