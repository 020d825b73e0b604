/** The component for knowledge of dependencies, as people name it in a chain. */
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"
import * as Settings from "./Settings.ts"

export const ecosystemKnowledge: BuiltInComponent = {
  name: "ecosystem-knowledge",
  summary: `Gives the agent skills, context and MCP servers that the project's dependencies bring: ${Settings.usage}`,
  offersServers: true,
  make: ({ args, log }) =>
    Result.map(Settings.of(args), (settings) => LateRun.hosted(() => import("./EcosystemKnowledge.ts"), settings, log))
}
