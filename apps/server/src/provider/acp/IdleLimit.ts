/** How long an agent may have nothing to do before it ends, in milliseconds; 0: for ever. Read anew, so that a change counts at once. */
import { defaultIdleMinutes } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { SettingsFile } from "../../settings/SettingsFile.ts"

const minute = 60_000

export const IdleLimit = Context.Reference<() => number>("@signalbox/server/provider/IdleLimit", {
  defaultValue: () => () => defaultIdleMinutes * minute
})

/** The limit of the settings file, which may change while the server runs. */
export const layer = Layer.effect(
  IdleLimit,
  Effect.gen(function* () {
    const { changes } = yield* SettingsFile
    let limit = defaultIdleMinutes * minute
    yield* Effect.forkScoped(
      Stream.runForEach(changes, ({ settings }) =>
        Effect.sync(() => (limit = (settings.idleMinutes ?? defaultIdleMinutes) * minute))
      ),
      { startImmediately: true }
    )
    return () => limit
  })
)
