/** The permission profiles of agents in the settings: read anew each time, and chosen. */
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import { Refused } from "@signalbox/contracts/Refused"
import type { Settings } from "@signalbox/contracts/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import { SettingsProfiles } from "../Services/SettingsProfiles.ts"

const profileIn = ({ agents, providerOptions }: Settings, id: string): PermissionProfile | undefined => {
  const agent = Object.hasOwn(agents, id) ? agents[id] : undefined
  if (agent !== undefined) return agent.permissions ?? "ask"
  return id === "cursor" ? (providerOptions?.cursor?.permissions ?? "ask") : undefined
}

export const layer = Layer.effect(
  SettingsProfiles,
  Effect.map(SettingsFile, ({ changes, read }) => ({
    of: (id) => Effect.map(read, ({ settings }) => profileIn(settings, id)),
    changes: Stream.map(changes, () => undefined)
  }))
)

/** Writes the profile of an agent. Everything else in the file stays. Fails for an agent that the settings can't have. */
export const put = Effect.fn("ProfilesOfSettings.put")(function* (
  { path, put, read }: SettingsFile["Service"],
  id: string,
  permissions: PermissionProfile
) {
  const { faults, settings } = yield* read
  const agent = Object.hasOwn(settings.agents, id) ? settings.agents[id] : undefined
  if (agent !== undefined) return yield* put("agents", id, { ...agent, permissions })
  const isReadable = faults.every(({ entry: [section] }) => section !== undefined && section !== "providerOptions")
  if (id === "cursor" && isReadable)
    return yield* put("providerOptions", id, { ...settings.providerOptions?.cursor, permissions })
  return yield* new Refused({
    problem: {
      code: "config-invalid",
      title: "The profile was not changed.",
      cause:
        id === "cursor"
          ? `The options of Cursor in ${path} have a fault.`
          : `There is no agent ${id} in ${path}, or its entry has a fault.`,
      evidence: { path },
      nextSteps: [{ action: "set-option", label: "Correct the file, or add the agent with signalbox agents add" }]
    }
  })
})
