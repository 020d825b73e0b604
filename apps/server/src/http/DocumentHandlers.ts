/** Handlers of the page's calls about files of threads. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { Refused } from "@signalbox/contracts/Refused"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { Documents } from "../documents/Documents.ts"
import { Threads } from "../orchestration/Threads.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchDocument" | "takeOverDocument" | "saveDocument" | "mergeDocument"
>

export const make = Effect.gen(function* () {
  const documents = yield* Documents
  const threads = yield* Threads
  /** The folder of a thread that is known here. */
  const folderOf = Effect.fnUntraced(function* (threadId: ThreadId) {
    const first = yield* Stream.runHead(threads.watchAll)
    const rows = Option.match(first, { onNone: () => [], onSome: (frame) => frame.threads })
    const row = rows.find((one) => one.threadId === threadId)
    return row === undefined ? yield* noThread : row.cwd
  })
  return {
    watchDocument: ({ threadId, ...at }) =>
      Stream.unwrap(Effect.map(folderOf(threadId), (folder) => documents.watch({ ...at, folder }))),
    takeOverDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.takeOver({ ...at, folder })),
    saveDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.save({ ...at, folder })),
    mergeDocument: ({ threadId, ...at }) =>
      Effect.flatMap(folderOf(threadId), (folder) => documents.merge({ ...at, folder }))
  } satisfies Handlers
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
