/** The registry of agents, and what installs them from it. */
import * as Layer from "effect/Layer"
import * as AgentInstaller from "../registry/AgentInstaller.ts"
import * as Registry from "../registry/Registry.ts"

/** `$SIGNALBOX_REGISTRY_URL`, where it is not the public one. `folder`: the state folder, absolute. Needs the settings. */
export const layer = (folder: string, env: NodeJS.ProcessEnv = process.env) => {
  const address = env["SIGNALBOX_REGISTRY_URL"] ?? ""
  return AgentInstaller.layer({ folder }).pipe(
    Layer.provideMerge(Registry.layer({ folder, ...(address !== "" && { address }) }))
  )
}
