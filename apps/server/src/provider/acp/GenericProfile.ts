/** Any agent that speaks the protocol, started by the command line that it was given. Nothing is known of it but what it says. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ProviderCapabilities } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { providerError } from "../Services/ProviderError.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import * as KnownPrograms from "./KnownPrograms.ts"
import * as PermissionPolicy from "./PermissionPolicy.ts"

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
    const { args = [], auth, command = "", cwd = "project", env = {}, url } = acp
    if (command.trim() !== "") {
      const methodId = auth?.methodId
      return Effect.succeed({
        command,
        args,
        env: { ...KnownPrograms.environmentOf(command, args), ...env },
        ...(cwd !== "project" && { cwd }),
        ...(methodId !== undefined && { methodId })
      })
    }
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
  authenticate: (methodIds, { methodId }) =>
    methodId === undefined || !methodIds.includes(methodId) ? undefined : { methodId, timeout: "30 seconds" },
  decide: (request, { additionalDirectories = [], cwd, providerOptions: { acp } }) =>
    PermissionPolicy.choose(acp?.permissions ?? "ask", request, [cwd, ...additionalDirectories]),
  stopGrace: { closeInput: "2 seconds", terminate: "5 seconds" },
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
