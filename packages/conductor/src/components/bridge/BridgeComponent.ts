/** The bridge for MCP servers over ACP, as people name it in a chain: the last one before the agent. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"

export const bridge: BuiltInComponent = {
  name: "bridge",
  summary: "Brings MCP servers of components to an agent that takes them by HTTP or as programs; stands last",
  make: ({ args }) =>
    args.length === 0
      ? Result.succeed((link) =>
          // Loaded when it runs: a server over HTTP is large.
          Effect.flatMap(
            Effect.promise(() => import("../../bridge/Bridge.ts")),
            ({ run }) => run(link)
          )
        )
      : Result.fail("It takes no arguments.")
}
