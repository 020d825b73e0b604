/** A prompt that is being written, as the page has it. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { DraftAttachment, DraftContent } from "@signalbox/contracts/Draft"

type AttachedPart = Extract<PromptPart, { readonly type: "image" | "audio" | "resource" }>

/** A file that goes along with the prompt. `part` is missing while its content is being read from the server. */
export interface Attachment extends DraftAttachment {
  readonly part?: AttachedPart
}

/** Files that were chosen for the text are mentioned if their `@path` still stands in it. */
export interface Draft extends DraftContent {
  readonly attachments: ReadonlyArray<Attachment>
  /** A page that is closed has sent it. The server says in a moment whether it has taken it. */
  readonly maybeSent?: boolean
}

export const emptyDraft: Draft = { text: "", mentions: [], attachments: [] }
