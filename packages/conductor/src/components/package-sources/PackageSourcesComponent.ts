/** The component for sources of packages, as people name it in a chain. */
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"
import * as Settings from "./Settings.ts"

export const packageSources: BuiltInComponent = {
  name: "package-sources",
  summary: "Answers an agent's questions about packages from their source, by researchers of its own",
  usage: Settings.usage,
  offersServers: true,
  make: ({ args, log }) =>
    Result.map(Settings.of(args), (settings) => LateRun.hosted(() => import("./PackageSources.ts"), settings, log))
}
