/** The profile of any ACP agent, started by its command line. Only its own reports are known. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ProviderCapabilities } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { providerError } from "../../../base/ProviderError.ts"
import type { AgentProfile } from "../../acp/profile/AgentProfile.ts"
import * as KnownPrograms from "../../acp/profile/KnownPrograms.ts"

const capabilities: ProviderCapabilities = {
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
    const {
      args = [],
      auth: { methodId } = {},
      command = "",
      cwd = "project",
      env = {},
      environment,
      headers,
      keeps = [],
      protocol = 1,
      url
    } = acp
    const chosen = {
      protocol,
      keeps,
      ...(environment !== undefined && { environment }),
      ...(methodId !== undefined && { methodId })
    }
    if (command.trim() !== "") {
      const given = { ...KnownPrograms.environmentOf(command, args), ...env }
      return Effect.succeed({ ...chosen, command, args, env: given, ...(cwd !== "project" && { cwd }) })
    }
    if (url !== undefined) {
      return Effect.succeed({ ...chosen, command: url, args: [], env: {}, remote: { url, headers } })
    }
    return Effect.fail(
      providerError("config-invalid", "There is no agent to start.", "No command was given for it.", {
        nextSteps: [{ action: "set-option", label: "Give the command that starts the agent" }]
      })
    )
  },
  workspace: ({ providerOptions: { acp } }) => ({
    files: acp?.files ?? "off",
    hardLinks: acp?.hardLinks,
    terminals: acp?.terminals ?? false,
    shellLines: true,
    environment: acp?.environment ?? "all",
    missingFile: KnownPrograms.agentOf(acp?.command ?? "", acp?.args ?? [])?.missingFile
  }),
  clientMeta: {},
  // Listed methods are often not needed, and some open a browser. The error of `session/new` shows a missing sign-in.
  authenticate: (methodIds, { methodId }) =>
    methodId === undefined || !methodIds.includes(methodId) ? undefined : { methodId, timeout: "30 seconds" },
  stopGrace: { closeInput: "2 seconds", terminate: "5 seconds" },
  isTransient: () => false,
  explain: () => undefined,
  explainExit: () => undefined,
  extensionRequest: (method) => Effect.fail(RpcError.methodNotFound(method)),
  extensionNotification: () => Effect.void,
  tidyTool: (tool) => tool,
  reportInTool: () => undefined,
  callOfSubagent: () => undefined,
  tidySetting: (setting) => setting,
  isGenericTitle: () => false,
  errorInText: () => undefined
}
