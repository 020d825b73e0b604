/** The bridge for MCP servers over ACP, as people name it in a chain: the last one before the agent. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BuiltInComponent, Run } from "../../BuiltInComponent.ts"

/** Loaded when it runs: a server over HTTP is large. */
export const run: Run = (link) =>
  Effect.flatMap(
    Effect.promise(() => import("../../bridge/Bridge.ts")),
    (bridge) => bridge.run(link)
  )

export const bridge: BuiltInComponent = {
  name: "bridge",
  summary: "Brings MCP servers of components to an agent that takes them by HTTP or as programs; stands last",
  offersServers: false,
  make: ({ args }) => (args.length === 0 ? Result.succeed(run) : Result.fail("It takes no arguments."))
}
