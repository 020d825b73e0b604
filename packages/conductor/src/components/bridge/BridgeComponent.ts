/** The bridge for MCP servers over ACP, as people name it in a chain: the last one before the agent. */
import * as Result from "effect/Result"
import type { Options } from "../../bridge/Bridge.ts"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"

const runWith = (options: Options) => LateRun.of(() => import("../../bridge/Bridge.ts"), options)

export const run = runWith({ legacy: false })

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
