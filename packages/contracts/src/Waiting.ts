/** The requests that wait for people, of all threads. */
import * as Schema from "effect/Schema"
import { AgentRequest } from "./AgentRequest.ts"
import { RequestId, ThreadId, Timestamp } from "./Ids.ts"
import { ProviderRef } from "./Provider.ts"

/** An open request. */
export const WaitingRequest = Schema.Struct({
  requestId: RequestId,
  type: Schema.Literals(["approval", "question", "plan", "form", "url"]),
  at: Timestamp,
  /** An answer was accepted and is on its way to the agent. */
  answered: Schema.Boolean,
  /** Missing if it is too long for a list. Its thread has it. */
  request: Schema.optionalKey(AgentRequest)
})
export type WaitingRequest = typeof WaitingRequest.Type

/** A thread with its open requests, oldest first. */
export const WaitingThread = Schema.Struct({
  threadId: ThreadId,
  title: Schema.String,
  provider: ProviderRef,
  cwd: Schema.String,
  requests: Schema.Array(WaitingRequest),
  /** Further open requests that are not in this list. */
  more: Schema.optionalKey(Schema.Int)
})
export type WaitingThread = typeof WaitingThread.Type

/**
 * The threads that wait: first all of them, perhaps in several frames. Then each that changes, and the ids of those that
 * wait no longer.
 */
export const RequestsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), threads: Schema.Array(WaitingThread) }),
  Schema.Struct({
    type: Schema.tag("changed"),
    threads: Schema.Array(WaitingThread),
    removed: Schema.optionalKey(Schema.Array(ThreadId))
  })
])
export type RequestsFrame = typeof RequestsFrame.Type
