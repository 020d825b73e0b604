/** The git component, as people name it in a chain. */
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"
import * as LateRun from "../../LateRun.ts"

export const git: BuiltInComponent = {
  name: "git",
  summary: "Gives the agent tools that read the history of a repository: git_log, git_blame, git_diff",
  offersServers: true,
  make: ComponentArguments.none(LateRun.of(() => import("./GitServer.ts")))
}
