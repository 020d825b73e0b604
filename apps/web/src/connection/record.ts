/** What is kept of a thread: taken away as a file, or removed for good. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { persistently } from "./calls.ts"
import { clientAfter } from "./link.ts"

/** The whole thread as lines of JSON. Rejects when the connection is lost meanwhile: half a record is none. */
export const exportThread = (threadId: ThreadId, signal?: AbortSignal): Promise<Blob> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const client = yield* clientAfter()
      const pieces = yield* Stream.runCollect(client.exportThread({ threadId }))
      return new Blob([...pieces], { type: "application/x-ndjson" })
    }),
    { ...(signal && { signal }) }
  )

/** Ends its agent and removes all that is kept of it. Resolves when it is gone. */
export const deleteThread = (threadId: ThreadId): Promise<void> =>
  Effect.runPromise(persistently((client) => client.deleteThread({ threadId })))
