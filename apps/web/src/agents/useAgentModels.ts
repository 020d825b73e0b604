import type { AgentModels } from "@signalbox/contracts/AgentModel"
import type { ProviderId } from "@signalbox/contracts/Provider"
import { useEffect, useState } from "react"
import { listAgentModels } from "../connection/agentModels.ts"

/** Asks once. Undefined until the agent has listed some; why it can't is told when a thread starts, where people can do something. */
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
