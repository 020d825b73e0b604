/** The part of a thread before its latest window, for an editor that loads it: page by page, oldest first. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import type { RpcError } from "@signalbox/acp/JsonRpc"
import { RpcError as Failure } from "@signalbox/acp/JsonRpc"
import type { Cursor, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import { errorOf, noThread } from "./AcpFailure.ts"
import type { ServerLink } from "./ServerLink.ts"
import * as ThreadUpdates from "./ThreadUpdates.ts"

export const send = Effect.fn("History.send")(function* (
  threadId: ThreadId,
  { earlier }: Pick<ThreadView, "earlier">,
  {
    link,
    update
  }: {
    readonly link: Pick<ServerLink, "call">
    readonly update: (update: Acp.SessionUpdate) => Effect.Effect<void>
  }
): Effect.fn.Return<void, RpcError> {
  if (earlier === undefined) return
  // Nothing of it changes any more, so nobody has to know what was sent.
  const shown = ThreadUpdates.nothing()
  const nobody: ThreadUpdates.Editor = { booleans: false, hasSent: () => false, terminalOf: () => undefined }
  let from: Cursor | undefined
  do {
    const page = yield* link
      .call((client) => client.readLater({ threadId, until: earlier, ...(from !== undefined && { from }) }))
      .pipe(
        Effect.catchTags({
          ThreadNotFound: () => Effect.fail(noThread(threadId)),
          ThreadUnreadable: ({ problem }) => Effect.fail(errorOf(problem)),
          OutOfScope: ({ message }) => Effect.fail(Failure.internal(message))
        })
      )
    for (const one of ThreadUpdates.ofItems(shown, page.items, nobody)) yield* update(one)
    from = page.later
  } while (from !== undefined)
})
