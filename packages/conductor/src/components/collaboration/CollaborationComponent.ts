/** The collaboration component, as people name it in a chain. */
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"
import * as Settings from "./Settings.ts"

export const collaboration: BuiltInComponent = {
  name: "collaboration",
  summary: "Opens each session with a text of yours, and gives the agent a memory that lasts between sessions",
  usage: Settings.usage,
  offersServers: true,
  make: ({ args, log }) =>
    Result.map(Settings.of(args), (settings) => LateRun.of(() => import("./Collaboration.ts"), settings, log))
}
