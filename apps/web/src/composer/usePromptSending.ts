import type { PromptPart } from "@signalbox/contracts/Content"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import type { Draft } from "./Draft.ts"
import { draftSent, sendDraft } from "./drafts.ts"
import { linkOf, mentionedIn } from "./mentions.ts"

/** The words first, since commands begin a prompt; then what is mentioned in them, then what is attached. */
const promptOf = ({ attachments, mentions, text }: Draft): ReadonlyArray<PromptPart> => {
  const words = text.trim()
  return [
    ...(words === "" ? [] : [{ type: "text", text: words } as const]),
    ...mentionedIn(words, mentions).map(linkOf),
    ...attachments.flatMap(({ part }) => part ?? [])
  ]
}

/** Sends the draft as a prompt, and clears it once the server has it. `fail`: gets why it was refused. */
export const usePromptSending = (
  { provider, threadId }: ThreadView,
  draft: Draft,
  fail: (problem: Problem | undefined) => void
) => {
  const [sending, setSending] = useState(false)
  /** `steer`: before all that waits, into the running turn where the agent can do that. */
  const submit = (steer: boolean, sent: () => void) => {
    const [first, ...rest] = promptOf(draft)
    if (sending || first === undefined) return
    const turnId = newTurnId()
    const sentDraft = sendDraft(threadId, turnId)
    setSending(true)
    fail(undefined)
    send(threadId, {
      type: "turn.start",
      turnId,
      prompt: [first, ...rest],
      provider: provider.id,
      ...(steer && { steer: true }),
      ...(sentDraft && { draft: sentDraft })
    })
      .then(
        () => {
          draftSent(threadId, turnId, true, sentDraft !== undefined)
          sent()
        },
        (error) => {
          draftSent(threadId, turnId, false, sentDraft !== undefined)
          fail(problemOf(error))
        }
      )
      .finally(() => setSending(false))
  }
  return { sending, submit }
}
