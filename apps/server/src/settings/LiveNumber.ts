/** A number of `settings.json` that may change while the server runs. */
import type { Settings } from "@signalbox/contracts/Settings"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SettingsFile } from "./SettingsFile.ts"

/** Follows the settings as long as the scope lives. Returns a function that reads the current number. */
export const follow = Effect.fnUntraced(function* (
  valueOf: (settings: Partial<Settings>) => number
): Effect.fn.Return<() => number, never, SettingsFile | Scope.Scope> {
  const { changes } = yield* SettingsFile
  let value = valueOf({})
  yield* Effect.forkScoped(
    Stream.runForEach(changes, ({ settings }) => Effect.sync(() => (value = valueOf(settings)))),
    { startImmediately: true }
  )
  return () => value
})
