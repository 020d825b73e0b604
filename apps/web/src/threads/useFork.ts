import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { composerId } from "../composer/PromptField.tsx"
import { newThreadId, problemOf, send } from "../connection/commands.ts"
import { focusSoon } from "../browser/focusSoon.ts"
import { threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"

export interface Forking {
  readonly fork: () => void
  readonly busy: boolean
  readonly refused: string | undefined
}

/** A copy of a thread's session, in a thread of its own; undefined where the agent makes none. */
export const useFork = (view: ThreadView | undefined): Forking | undefined => {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const sessionId = view?.session.sessionId
  if (view === undefined || sessionId === undefined || !view.session.capabilities?.sessions?.fork) return undefined
  const { additionalDirectories, cwd, provider, threadId, title } = view
  const fork = () => {
    const copy = newThreadId()
    setBusy(true)
    setRefused(undefined)
    send(copy, {
      type: "thread.create",
      provider: provider.id,
      cwd,
      title: `${title}, a copy`,
      from: { type: "fork", sessionId, threadId },
      ...(additionalDirectories !== undefined && { additionalDirectories })
    })
      .then(
        () => {
          go(threadHref(copy))
          focusSoon(`#${composerId}`)
        },
        (error: unknown) => setRefused(problemOf(error).title)
      )
      .finally(() => setBusy(false))
  }
  return { fork, busy, refused }
}
