/** The state of the inbox, as it follows what waits. */
import type { RequestId } from "@signalbox/contracts/Ids"
import type { WaitingThread } from "@signalbox/contracts/Waiting"
import { useEffect, useState } from "react"
import { alert } from "../browser/announcer.ts"
import type { Filter, InboxRow } from "./inboxRows.ts"
import * as InboxState from "./inboxState.ts"

/** Milliseconds for which the page shows that the open request is gone, before it opens another one. */
const pauseMs = 1500

export interface Inbox {
  readonly state: InboxState.InboxState
  readonly setFilter: (filter: Filter) => void
  readonly open: (row: InboxRow) => void
  readonly step: (by: 1 | -1) => void
  readonly include: (id: RequestId, isIncluded: boolean) => void
  readonly answering: (ids: ReadonlyArray<RequestId>) => void
  readonly refused: (ids: ReadonlyArray<RequestId>, why: string) => void
  readonly answered: (ids: ReadonlyArray<RequestId>) => void
}

export const useInbox = (threads: ReadonlyArray<WaitingThread>): Inbox => {
  const [state, setState] = useState(() => InboxState.initial(threads))
  if (state.threads !== threads) setState(InboxState.withThreads(state, threads))
  const { isPaused, notice } = state
  useEffect(() => {
    if (notice !== undefined) alert(notice)
  }, [notice])
  useEffect(() => {
    if (!isPaused) return
    const timer = setTimeout(() => setState(InboxState.resume), pauseMs)
    return () => clearTimeout(timer)
  }, [isPaused])
  return {
    state,
    setFilter: (filter) => setState((before) => InboxState.filtered(before, filter)),
    open: (row) => setState((before) => InboxState.choose(before, row)),
    step: (by) => setState((before) => InboxState.step(before, by)),
    include: (id, isIncluded) => setState((before) => InboxState.include(before, id, isIncluded)),
    answering: (ids) => setState((before) => InboxState.answering(before, ids)),
    refused: (ids, why) => setState((before) => InboxState.refused(before, ids, why)),
    answered: (ids) => setState((before) => InboxState.answered(before, ids))
  }
}
