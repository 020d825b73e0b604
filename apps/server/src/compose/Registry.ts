/** The registry of agents, and its installer. */
import * as Layer from "effect/Layer"
import * as AgentInstaller from "../registry/AgentInstaller.ts"
import * as Registry from "../registry/Registry.ts"

/**
 * Reads the registry from `$SIGNALBOX_REGISTRY_URL`, or else from the public address. `folder`: the absolute state
 * folder. Needs the settings.
 */
export const layer = (folder: string, env: NodeJS.ProcessEnv = process.env) => {
  const address = env["SIGNALBOX_REGISTRY_URL"] ?? ""
  return AgentInstaller.layer({ folder }).pipe(
    Layer.provideMerge(Registry.layer({ folder, ...(address !== "" && { address }) }))
  )
}
