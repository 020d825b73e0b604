/** The list of threads, as the server keeps it. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { following } from "./calls.ts"
import { withFrame } from "@signalbox/client/ListFrames"
import { makeStore, type Store } from "../browser/Store.ts"

/** Undefined until the server's first report. */
export const threads: Store<ReadonlyArray<ThreadSummary> | undefined> = makeStore<
  ReadonlyArray<ThreadSummary> | undefined
>(undefined)

export const followThreads = following(
  (client) => client.watchThreads(),
  (frames) => threads.set(frames.reduce(withFrame, threads.get() ?? []))
)
