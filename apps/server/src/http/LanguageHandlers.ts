/** Handlers of the page's calls about language servers. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { PageLanguage } from "../language/PageLanguage.ts"
import { Threads } from "../orchestration/Threads.ts"
import * as ThreadFolder from "./ThreadFolder.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchLanguage" | "reportToLanguage" | "hover" | "findDefinitions" | "findReferences" | "turnLanguageServer"
>

export const make = Effect.gen(function* () {
  const language = yield* PageLanguage
  const threads = yield* Threads
  return {
    watchLanguage: (page) =>
      Stream.unwrap(
        Effect.map(ThreadFolder.of(threads, page.threadId), (folder) => language.watch({ ...page, folder }))
      ),
    reportToLanguage: ({ reports, ...page }) => language.report(page, reports),
    hover: language.hover,
    findDefinitions: language.definitions,
    findReferences: language.references,
    turnLanguageServer: ({ id, on }) => language.turn(id, on)
  } satisfies Handlers
})
