/** The walkthrough component, as people name it in a chain. */
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"
import * as LateRun from "../../LateRun.ts"

export const walkthrough: BuiltInComponent = {
  name: "walkthrough",
  summary: "Gives the agent a tool that presents an explanation step by step, with places in files",
  offersServers: true,
  make: ComponentArguments.none(LateRun.hosted(() => import("./WalkthroughServer.ts")))
}
