/** The reasons why a draft, or a file of it, isn't stored or can't be given, for people. */
import { largestAttachment, largestPrompt } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { NextStep, Problem } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import { size } from "../base/ByteWords.ts"
import type { Refusal } from "../storage/DraftStore.ts"

interface Words {
  readonly title: string
  readonly cause: string
  readonly nextSteps: ReadonlyArray<NextStep>
}

const words: Readonly<Record<Refusal | "gone", (threadId: ThreadId) => Words>> = {
  "no-thread": (threadId) => ({
    title: "The server doesn’t have this thread.",
    cause: `No thread is called ${threadId}. It may have been deleted.`,
    nextSteps: [{ action: "set-option", label: "Copy the text into another thread" }]
  }),
  "too-large": () => ({
    title: "The draft is too large for the server.",
    cause: `Text and files of a prompt may have ${size(largestPrompt)} together, and one file ${size(largestAttachment)}.`,
    nextSteps: [{ action: "set-option", label: "Take something out" }]
  }),
  "no-file": () => ({
    title: "This can’t be attached.",
    cause: "Only images, sound and text files go along with a prompt.",
    nextSteps: []
  }),
  gone: () => ({
    title: "The file isn’t in the server any more.",
    cause: "The draft that it was attached to was sent or changed.",
    nextSteps: [{ action: "set-option", label: "Attach it again" }]
  })
}

export const refused = (threadId: ThreadId, why: Refusal | "gone"): Refused => {
  const problem: Problem = { code: "unsupported", evidence: {}, ...words[why](threadId) }
  return new Refused({ problem })
}
