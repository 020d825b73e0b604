/** Handlers of the page's calls about drafts. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { Drafts } from "../drafts/Drafts.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchDraft" | "saveDraft" | "attachToDraft" | "readAttachment"
>

export const make = Effect.map(
  Drafts,
  (drafts) =>
    ({
      watchDraft: ({ threadId }) => drafts.watch(threadId),
      saveDraft: (draft) => drafts.save(draft),
      attachToDraft: ({ id, part, threadId }) => drafts.attach(threadId, id, part),
      readAttachment: ({ id, threadId }) => drafts.read(threadId, id)
    }) satisfies Handlers
)
