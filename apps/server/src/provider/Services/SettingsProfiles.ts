/** Who answers the requests of an agent that no rule answers, as the settings say it now. */
import type { PermissionProfile, ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface SettingsProfiles {
  /** Undefined where the settings know no such agent. */
  readonly of: (id: ProviderId) => Effect.Effect<PermissionProfile | undefined>
  /** Emits after each change of the settings. */
  readonly changes: Stream.Stream<void>
}

/** Without settings, a session keeps the profile that it was started with. */
export const SettingsProfiles = Context.Reference<SettingsProfiles>("@signalbox/server/provider/SettingsProfiles", {
  defaultValue: () => ({ of: () => Effect.succeed(undefined), changes: Stream.empty })
})
