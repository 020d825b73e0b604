import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { Problem } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { focusSoon } from "../browser/focusSoon.ts"
import { threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { composerId } from "../composer/PromptField.tsx"
import { newThreadId, problemOf, send } from "../connection/commands.ts"

/** What a new thread begins with. */
export type ThreadStart = Omit<Extract<ThreadCommand, { readonly type: "thread.create" }>, "type">

/** Starts a thread and goes to it. `problem`: why the last start failed, until `forget`. */
export const useThreadStart = (onStarted: () => void) => {
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const start = (wanted: ThreadStart) => {
    const threadId = newThreadId()
    setStarting(true)
    setProblem(undefined)
    send(threadId, { type: "thread.create", ...wanted }).then(
      () => {
        onStarted()
        go(threadHref(threadId))
        // The composer is there once the thread has arrived.
        focusSoon(`#${composerId}`)
      },
      (error: unknown) => {
        setStarting(false)
        setProblem(problemOf(error))
      }
    )
  }
  return { start, starting, problem, forget: () => setProblem(undefined) }
}
