/** The folder of a thread, for calls about its files. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Threads } from "../orchestration/Threads.ts"

/** Refuses a thread that is not known here. */
export const of = Effect.fnUntraced(function* (threads: Threads["Service"], threadId: ThreadId) {
  const first = yield* Stream.runHead(threads.watchAll)
  const rows = Option.match(first, { onNone: () => [], onSome: (frame) => frame.threads })
  const row = rows.find((one) => one.threadId === threadId)
  return row === undefined ? yield* noThread : row.cwd
})

const noThread = new Refused({
  problem: {
    code: "unsupported",
    title: "The file can’t be opened.",
    cause: "Signalbox doesn’t have its thread. Files are opened below the folders of threads only.",
    evidence: {},
    nextSteps: [{ action: "set-option", label: "Open it in another thread of its folder" }]
  }
})
