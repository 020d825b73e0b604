/** The build component, as people name it in a chain. */
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"
import * as Settings from "./Settings.ts"

export const build: BuiltInComponent = {
  name: "build",
  summary: "Gives the agent a tool that runs the project's own commands, such as build and test, and no others",
  usage: Settings.usage,
  offersServers: true,
  make: ({ args }) => Result.map(Settings.of(args), (settings) => LateRun.hosted(() => import("./Build.ts"), settings))
}
