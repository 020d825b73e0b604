/** Cursor's own agent. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Driver } from "../Driver.ts"
import * as FileStamp from "../FileStamp.ts"
import * as CursorBinary from "./CursorBinary.ts"
import * as CursorCheck from "./CursorCheck.ts"
import * as CursorExtensions from "./CursorExtensions.ts"
import * as CursorProfile from "./CursorProfile.ts"

export const CursorDriver: Driver = {
  kind: "cursor",
  profile: CursorProfile.make,
  check: (_, { cursor = {} }) => CursorCheck.run(cursor),
  fingerprint: Effect.fnUntraced(function* ({ cursor }) {
    const located = yield* Effect.result(CursorBinary.locate(cursor))
    if (Result.isFailure(located)) return located.failure.problem.cause
    return (yield* Effect.forEach(located.success, FileStamp.of)).join("\n")
  }),
  recorded: { asks: CursorExtensions.asks, responseIn: CursorExtensions.responseIn }
}
