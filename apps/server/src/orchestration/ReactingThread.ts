/** What those who act for a thread beside its lane see of it, and how they report back. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type { Report } from "@signalbox/threads/Report"
import type * as Effect from "effect/Effect"

export interface ReactingThread {
  readonly threadId: ThreadId
  readonly providerOptions: () => ProviderOptions
  readonly head: () => ThreadHead
  /** What people said in this thread and an agent heard, oldest first. */
  readonly prompts: Effect.Effect<ReadonlyArray<string>>
  readonly until: (holds: (head: ThreadHead) => boolean) => Effect.Effect<void>
  /** Runs something beside all else. */
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /** Commits the events that the state calls for when its turn comes; says whether there were any. */
  readonly append: (decide: (head: ThreadHead) => ReadonlyArray<Report>) => Effect.Effect<boolean>
}
