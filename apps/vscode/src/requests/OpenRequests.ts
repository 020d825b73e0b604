/** Finds requests that are new: each is shown once, however often its thread changes. Pure. */
import type { RequestId, ThreadId } from "@signalbox/contracts/Ids"
import type { WaitingRequest, WaitingThread } from "@signalbox/contracts/Waiting"

export interface NewRequest {
  readonly thread: WaitingThread
  readonly request: WaitingRequest
}

const keyOf = (threadId: ThreadId, requestId: RequestId): string => `${threadId} ${requestId}`

/** Finds the requests of `threads` that `known` does not have. A request whose answer is on its way is not shown. */
export const newIn = (
  threads: ReadonlyArray<WaitingThread>,
  known: ReadonlySet<string>
): { readonly requests: ReadonlyArray<NewRequest>; readonly known: ReadonlySet<string> } => {
  const all = threads.flatMap((thread) => thread.requests.map((request) => ({ thread, request })))
  return {
    requests: all.filter(
      ({ request, thread }) => !request.answered && !known.has(keyOf(thread.threadId, request.requestId))
    ),
    known: new Set(all.map(({ request, thread }) => keyOf(thread.threadId, request.requestId)))
  }
}
