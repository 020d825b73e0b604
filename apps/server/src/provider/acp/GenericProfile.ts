/** Any agent that speaks the protocol, started by the command line that it was given. Nothing is known of it but what it says. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ProviderCapabilities } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { providerError } from "../Services/ProviderError.ts"
import type { AgentProfile } from "./AgentProfile.ts"

export const capabilities: ProviderCapabilities = {
  rollback: {
    supported: false,
    reason: "The Agent Client Protocol has no way to take turns out of an agent's memory."
  },
  resume: true,
  images: true
}

export const GenericProfile: AgentProfile = {
  kind: "acp",
  name: "The agent",
  capabilities,
  launch: ({ providerOptions: { acp = {} } }) => {
    const { args = [], command = "", env = {}, url } = acp
    if (command.trim() !== "") return Effect.succeed({ command, args, env })
    const cause =
      url === undefined ? "No command was given for it." : `It is to be reached at ${url}, which can't be done yet.`
    return Effect.fail(
      providerError("config-invalid", "There is no agent to start.", cause, {
        nextSteps: [{ action: "set-option", label: "Give the command that starts the agent" }]
      })
    )
  },
  workspace: ({ providerOptions: { acp } }) => ({
    files: acp?.files ?? "off",
    terminals: acp?.terminals ?? false,
    shellLines: true
  }),
  clientMeta: {},
  // A method that is listed is not one that is needed, and some open a browser; the error of `session/new` tells.
  authenticate: () => undefined,
  isTransient: () => false,
  explain: () => undefined,
  explainExit: () => undefined,
  extensionRequest: (method) => Effect.fail(RpcError.methodNotFound(method)),
  extensionNotification: () => Effect.void,
  tidyTool: (tool) => tool,
  reportInTool: () => undefined,
  tidySetting: (setting) => setting,
  isGenericTitle: () => false,
  errorInText: () => undefined
}
