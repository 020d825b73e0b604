/** The requests that wait for people, of all threads, as the server has them. */
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { withFrame } from "@signalbox/client/ListFrames"
import { following } from "./calls.ts"
import { makeStore, type Store } from "../browser/Store.ts"

/** Undefined until the server's first report. */
export const waitingThreads: Store<ReadonlyArray<WaitingThread> | undefined> = makeStore<
  ReadonlyArray<WaitingThread> | undefined
>(undefined)

export const followRequests = following(
  (client) => client.watchRequests(),
  (frames) => waitingThreads.set(frames.reduce(withFrame, waitingThreads.get() ?? []))
)
