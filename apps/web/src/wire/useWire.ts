/** The wire of a session, as far as it has come. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { WireAddress } from "@signalbox/contracts/Wire"
import { useEffect, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { followWire } from "../connection/wire.ts"
import { nothing, type WireState, withNews } from "./wireState.ts"

export interface Wire extends WireState {
  /** Why nothing more comes. */
  readonly refused: Problem | undefined
}

/** Rows that a page keeps of what comes while people look. */
const mostLive = 5000

const blank: Wire = { ...nothing, refused: undefined }

/** `session`: undefined while the thread has none. `most`: rows of what was recorded. */
export const useWire = (
  threadId: WireAddress["threadId"],
  session: WireAddress["session"] | undefined,
  most: number
): Wire => {
  const key = `${session} ${most}`
  const [known, setKnown] = useState({ key, wire: blank })
  useEffect(() => {
    if (session === undefined) return
    const setWire = (next: (before: Wire) => Wire) =>
      setKnown((before) => ({ key, wire: next(before.key === key ? before.wire : blank) }))
    const gone = new AbortController()
    followWire(
      { threadId, session, most },
      (news) => setWire((before) => ({ ...withNews(before, news, Math.max(most, mostLive)), refused: undefined })),
      (refused) => setWire((before) => ({ ...before, refused: problemOf(refused) })),
      gone.signal
    )
    return () => gone.abort()
  }, [threadId, session, most, key])
  return known.key === key ? known.wire : blank
}
