/** The component for sources of packages, as people name it in a chain. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as Settings from "./Settings.ts"

export const packageSources: BuiltInComponent = {
  name: "package-sources",
  summary: `Answers an agent's questions about packages from their source, by researchers of its own: ${Settings.usage}`,
  offersServers: true,
  make: ({ args, log }) =>
    Result.map(
      Settings.of(args),
      (settings) => (link) =>
        // Loaded when it runs: what tools stand on is large.
        Effect.flatMap(
          Effect.promise(() => import("./PackageSources.ts")),
          ({ run }) => run(link, settings, log)
        )
    )
}
