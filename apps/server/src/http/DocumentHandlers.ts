/** Handlers of the page's calls about files of threads. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { Documents } from "../documents/Documents.ts"
import { Threads } from "../orchestration/Threads.ts"
import * as ThreadFolder from "./ThreadFolder.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchDocument" | "takeOverDocument" | "saveDocument" | "mergeDocument" | "watchFolder"
>

export const make = Effect.gen(function* () {
  const documents = yield* Documents
  const threads = yield* Threads
  const folderOf = (threadId: ThreadId) => ThreadFolder.of(threads, threadId)
  return {
    watchDocument: ({ threadId, ...at }) =>
      Stream.unwrap(Effect.map(folderOf(threadId), (folder) => documents.watch({ ...at, folder }))),
    takeOverDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.takeOver({ ...at, folder })),
    saveDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.save({ ...at, folder })),
    mergeDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.merge({ ...at, folder })),
    watchFolder: ({ path, threadId }) =>
      Stream.unwrap(Effect.map(folderOf(threadId), (folder) => documents.watchFolder({ path, folder })))
  } satisfies Handlers
})
