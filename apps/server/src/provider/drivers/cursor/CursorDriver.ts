/** Cursor's own agent. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as AcpCheck from "../acp/AcpCheck.ts"
import type { Driver } from "../Driver.ts"
import * as FileStamp from "../FileStamp.ts"
import * as CursorBinary from "./CursorBinary.ts"
import * as CursorCheck from "./CursorCheck.ts"
import * as CursorExtensions from "./CursorExtensions.ts"
import * as CursorModels from "./CursorModels.ts"
import * as CursorOptions from "./CursorOptions.ts"
import * as CursorProfile from "./CursorProfile.ts"
import * as CursorProgram from "./CursorProgram.ts"
import * as GivenCursor from "./GivenCursor.ts"

export const CursorDriver: Driver = {
  kind: "cursor",
  profile: CursorProfile.make,
  registryIds: ["cursor"],
  recognises: CursorProgram.recognises,
  check: (provider, options) =>
    GivenCursor.isGiven(options) ? GivenCursor.check(provider, options) : CursorCheck.run(options.cursor ?? {}),
  fingerprint: Effect.fnUntraced(function* (options) {
    if (GivenCursor.isGiven(options)) return yield* AcpCheck.fingerprint(options)
    const { cursor } = options
    const located = yield* Effect.result(CursorBinary.locate(cursor))
    if (Result.isFailure(located)) return located.failure.problem.cause
    return (yield* Effect.forEach(located.success, FileStamp.of)).join("\n")
  }),
  listModels: CursorModels.list,
  shown: CursorOptions.shown,
  withOption: CursorOptions.withOption,
  withVariables: CursorOptions.withVariables,
  recorded: { asks: CursorExtensions.asks, responseIn: CursorExtensions.responseIn }
}
