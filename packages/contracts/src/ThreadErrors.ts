/** Why a thread, or a text of it, can't be given. */
import * as Schema from "effect/Schema"
import { ItemId, ThreadId } from "./Ids.ts"
import { Problem, sentencesOf } from "./Problem.ts"

export class ThreadNotFound extends Schema.TaggedError<ThreadNotFound>()("ThreadNotFound", { threadId: ThreadId }) {
  override get message(): string {
    return `There is no thread ${this.threadId}.`
  }
}

/** The thread's record is damaged, or the disk can't read it now. Nothing was changed. */
export class ThreadUnreadable extends Schema.TaggedError<ThreadUnreadable>()("ThreadUnreadable", {
  threadId: ThreadId,
  problem: Problem
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}

/** The thread has changed since the caller read it, so it was not deleted. */
export class ThreadChanged extends Schema.TaggedError<ThreadChanged>()("ThreadChanged", { threadId: ThreadId }) {
  override get message(): string {
    return `Something happened in thread ${this.threadId} meanwhile.`
  }
}

/** The text no longer exists: the agent has updated the call without it. */
export class OutputNotFound extends Schema.TaggedError<OutputNotFound>()("OutputNotFound", {
  itemId: ItemId,
  part: Schema.String
}) {
  override get message(): string {
    return `The text ${this.part} of ${this.itemId} is not kept.`
  }
}
