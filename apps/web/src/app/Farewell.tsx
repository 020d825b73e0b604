import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import { IconButton } from "../design/Button.tsx"
import { forgetDraft } from "../composer/drafts.ts"
import { announce } from "../browser/announcer.ts"
import { homeHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { Strip } from "./Strip.tsx"
import { RevealedProse } from "../text/Revealed.tsx"

/** Detects that the open thread was deleted, by anyone. Leaves its page, and returns its title for the announcement. */
export const useFarewell = (threads: ReadonlyArray<ThreadSummary>, current: ThreadId | undefined) => {
  const [title, tell] = useState<string>()
  const before = useRef(threads)
  const leave = useEffectEvent((gone: ReadonlyArray<ThreadSummary>) => {
    for (const { threadId } of gone) forgetDraft(threadId)
    const left = gone.find(({ threadId }) => threadId === current)
    if (left === undefined) return
    tell(left.title)
    announce(`The thread ${left.title} was deleted.`)
    go(homeHref)
  })
  useEffect(() => {
    const now = new Set(threads.map(({ threadId }) => threadId))
    const gone = before.current.filter(({ threadId }) => !now.has(threadId))
    before.current = threads
    if (gone.length > 0) leave(gone)
  }, [threads])
  return { title, dismiss: () => tell(undefined) }
}

export const Farewell = ({ dismiss, title }: { readonly title: string | undefined; readonly dismiss: () => void }) =>
  title === undefined ? null : (
    <Strip label="News" action={<IconButton icon="x" label="Close this line" onClick={dismiss} />}>
      The thread{" "}
      <b>
        <RevealedProse text={title} />
      </b>{" "}
      was deleted. Nothing of it is kept here any more.
    </Strip>
  )
