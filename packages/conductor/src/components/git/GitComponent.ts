/** The git component, as people name it in a chain. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"

export const git: BuiltInComponent = {
  name: "git",
  summary: "Gives the agent tools that read the history of a repository: git_log, git_blame, git_diff",
  offersServers: true,
  make: ({ args }) =>
    args.length === 0
      ? Result.succeed((link) =>
          // Loaded when it runs: what tools stand on is large.
          Effect.flatMap(
            Effect.promise(() => import("./GitServer.ts")),
            ({ run }) => run(link)
          )
        )
      : Result.fail("It takes no arguments.")
}
