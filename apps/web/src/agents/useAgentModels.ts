import type { AgentModels } from "@signalbox/contracts/AgentModel"
import type { ProviderId } from "@signalbox/contracts/Provider"
import { useEffect, useState } from "react"
import { listAgentModels } from "../connection/agentModels.ts"

/**
 * Asks an agent for its models, once. Undefined until it lists some. A failure is shown when a thread starts, where
 * people can act.
 */
export const useAgentModels = (providerId: ProviderId): AgentModels | undefined => {
  const [models, setModels] = useState<AgentModels>()
  useEffect(() => {
    const abort = new AbortController()
    listAgentModels(providerId, abort.signal).then(
      (listed) => {
        if (!abort.signal.aborted) setModels(listed ?? undefined)
      },
      () => {}
    )
    return () => abort.abort()
  }, [providerId])
  return models
}
