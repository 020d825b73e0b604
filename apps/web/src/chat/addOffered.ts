/** What the editor offers goes into the prompt that is being written: a file by its `@path`, a text as an attachment. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { attachmentOf } from "../composer/attachments.ts"
import { changeDraft, draftKnown } from "../composer/drafts.ts"
import { fileMention } from "../composer/mentions.ts"

/** The field of the thread is shown. What it has already comes first. */
export const addOffered = async (threadId: ThreadId, parts: ReadonlyArray<PromptPart>): Promise<void> => {
  await draftKnown(threadId)
  const files = parts.flatMap((part) => (part.type === "resource_link" ? [fileMention(part)] : []))
  const attached = parts.flatMap((part) => attachmentOf(part) ?? [])
  changeDraft(threadId, ({ attachments, mentions, text }) => ({
    ...(files.length > 0 && {
      text: `${[...(text.trim() === "" ? [] : [text.trimEnd()]), ...files.map(({ path }) => `@${path}`)].join(" ")} `,
      mentions: [...mentions, ...files]
    }),
    attachments: [...attachments, ...attached]
  }))
}
