/** Handlers of the calls of pages and editors about suggestions of the next edit. */
import { Refused } from "@signalbox/contracts/Refused"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { Threads } from "../orchestration/Threads.ts"
import { PageSuggestions } from "../suggestions/PageSuggestions.ts"
import * as OpenedFolder from "./OpenedFolder.ts"
import * as ThreadFolder from "./ThreadFolder.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  | "watchSuggestions"
  | "watchFolderSuggestions"
  | "reportDocuments"
  | "suggestEdits"
  | "endSuggestion"
  | "setSuggestionSetting"
  | "turnSuggestions"
  | "suggestionPlaces"
  | "suggestionSent"
>

export const make = Effect.gen(function* () {
  const suggestions = yield* PageSuggestions
  const threads = yield* Threads
  return {
    watchSuggestions: ({ page, threadId }) =>
      Stream.unwrap(
        Effect.map(ThreadFolder.of(threads, threadId), (folder) =>
          suggestions.watch({
            page,
            threadId,
            folder,
            thread: Stream.mapError(threads.watch(threadId, { turnLimit: 1 }), gone)
          })
        )
      ),
    watchFolderSuggestions: ({ folder, page }) =>
      Stream.unwrap(Effect.map(OpenedFolder.of(folder), (folder) => suggestions.watch({ page, folder }))),
    reportDocuments: ({ reports, ...page }) => suggestions.report(page, reports),
    suggestEdits: ({ page, threadId, ...question }) =>
      suggestions.suggest({ page, ...(threadId !== undefined && { threadId }) }, question),
    endSuggestion: ({ end, id, ...page }) => Effect.map(suggestions.end(page, id, end), (wasOpen) => ({ wasOpen })),
    setSuggestionSetting: ({ settingId, value, ...page }) => suggestions.set(page, settingId, value),
    turnSuggestions: ({ on }) => suggestions.turn(on),
    suggestionPlaces: ({ id, ...page }) => suggestions.places(page, id),
    suggestionSent: ({ id, ...page }) => suggestions.sent(page, id)
  } satisfies Handlers
})

/** The thread was deleted, or can't be read. */
const gone = (error: { readonly message: string }): Refused =>
  new Refused({
    problem: {
      code: "unsupported",
      title: "There are no suggestions for this thread any more.",
      cause: error.message,
      evidence: {},
      nextSteps: [{ action: "set-option", label: "Open the file in another thread of its folder" }]
    }
  })
