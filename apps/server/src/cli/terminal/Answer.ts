import type { RequestResponse } from "@signalbox/contracts/AgentRequest"

/** A person's answer to an agent's request, and its name: of an option, the agent's own. */
export interface Answer {
  readonly response: RequestResponse
  readonly chosen: string
}
