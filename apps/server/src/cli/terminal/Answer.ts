import type { RequestResponse } from "@signalbox/contracts/AgentRequest"

/** A person's answer to an agent's request, and its name. An option has the agent's name for it. */
export interface Answer {
  readonly response: RequestResponse
  readonly chosen: string
}
