/** How much is kept of one turn, in bytes. Read at each turn, so that a change of the settings counts from the next turn on. */
import { defaultTurnLimitMiB } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { SettingsFile } from "../settings/SettingsFile.ts"

export const mebibyte = 1024 * 1024

export const TurnLimit = Context.Reference<() => number>("@signalbox/server/orchestration/TurnLimit", {
  defaultValue: () => () => defaultTurnLimitMiB * mebibyte
})

/** The limit of the settings file, which may change while the server runs. */
export const layer = Layer.effect(
  TurnLimit,
  Effect.gen(function* () {
    const { changes } = yield* SettingsFile
    let limit = defaultTurnLimitMiB * mebibyte
    yield* Effect.forkScoped(
      Stream.runForEach(changes, ({ settings }) =>
        Effect.sync(() => (limit = (settings.turnLimitMiB ?? defaultTurnLimitMiB) * mebibyte))
      ),
      { startImmediately: true }
    )
    return () => limit
  })
)
