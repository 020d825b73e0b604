import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useMemo, useRef } from "react"
import { codeBehind } from "./continued.ts"
import type { ThreadFacts } from "./ThreadFacts.ts"
import { wantedSignIn } from "./wantedSignIn.ts"

/** What people can do from an entry. */
export type EntryActions = Pick<ThreadFacts, "onEdit" | "onSendAgain" | "onRestart" | "onStartWithout" | "onStop">

/** The ids of the problems that the desk shows. An equal set stays the same object. Ids have no line breaks. */
const useOnDesk = (view: ThreadView, live: boolean): ReadonlySet<string> => {
  const lines = (live ? wantedSignIn(view)?.itemIds : undefined)?.join("\n") ?? ""
  return useMemo(() => new Set(lines.split("\n")), [lines])
}

/** What entries say about their thread. Callers may pass new functions each time, and no entry is drawn again for that. */
export const useFactsOf = (view: ThreadView, live: boolean, actions: EntryActions): ThreadFacts => {
  const { threadId } = view
  const latest = useRef({ actions, items: view.items })
  useEffect(() => {
    latest.current = { actions, items: view.items }
  })
  const canSendAgain = actions.onSendAgain !== undefined
  const canRestart = actions.onRestart !== undefined
  const canStartWithout = actions.onStartWithout !== undefined
  const canStop = actions.onStop !== undefined
  const onDesk = useOnDesk(view, live)
  return useMemo(
    (): ThreadFacts => ({
      threadId,
      onDesk,
      agent: view.provider.name,
      cwd: view.cwd,
      codeBehind: (itemId, fence) => codeBehind(latest.current.items, itemId, fence),
      onEdit: (prompt) => latest.current.actions.onEdit(prompt),
      onSendAgain: canSendAgain
        ? async (prompt) => (await latest.current.actions.onSendAgain?.(prompt)) ?? false
        : undefined,
      onRestart: canRestart ? () => latest.current.actions.onRestart?.() : undefined,
      onStartWithout: canStartWithout ? (component) => latest.current.actions.onStartWithout?.(component) : undefined,
      onStop: canStop ? () => latest.current.actions.onStop?.() : undefined
    }),
    [threadId, onDesk, view.provider.name, view.cwd, canSendAgain, canRestart, canStartWithout, canStop]
  )
}
