/** The state folder of a command, after the check that nobody else can write to it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { stateDirectory } from "@signalbox/system/StateDirectory"
import { guardedIn } from "../../base/StateDirectory.ts"
import * as Exposure from "../../base/Exposure.ts"
import { failedWith } from "../terminal/Failure.ts"

/** Fails if others can write to the folder, or to what is in it. */
export const checked = Effect.fn("StateFolder.checked")(function* (flag: Option.Option<string>) {
  const directory = stateDirectory(Option.getOrUndefined(flag))
  const exposure = Exposure.find(guardedIn(directory))
  return exposure === undefined ? directory : yield* failedWith(Exposure.problemOf(exposure))
})

/** The state folder, checked. Removes the group's permission to write to our files, and logs that. */
export const of = Effect.fn("StateFolder.of")(function* (flag: Option.Option<string>) {
  const directory = yield* checked(flag)
  yield* Exposure.mended(guardedIn(directory))
  return directory
})
