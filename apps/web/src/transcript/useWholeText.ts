/** A long text of a tool call, read when somebody asks for it. */
import type { Problem } from "@signalbox/contracts/Problem"
import { useEffect, useEffectEvent, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { keptText, keyOf, readText, type TextAddress } from "../connection/outputs.ts"

/** `done`: which part of it is here, 0 to 1. */
export type WholeText =
  | { readonly state: "unread" }
  | { readonly state: "reading"; readonly done: number }
  /** `key` names the text that was read. */
  | { readonly state: "here"; readonly key: string; readonly text: string }
  | { readonly state: "failed"; readonly problem: Problem }

/**
 * Without an address there is nothing to read. A text that has grown since it was read is read again; until then the old one stands.
 * `arrive` makes the change that shows it.
 */
export const useWholeText = (
  address: TextAddress | undefined,
  arrive: (change: () => void) => void = (change) => change()
) => {
  /** How often people asked for it. */
  const [asked, setAsked] = useState(0)
  const key = address && keyOf(address)
  const [whole, setWhole] = useState<WholeText>(() => {
    const text = address && keptText(address)
    return key === undefined || text === undefined ? unread : { state: "here", key, text }
  })
  const start = useEffectEvent((signal: AbortSignal) => {
    if (address === undefined || key === undefined) return
    const { length } = address.long
    const progress = (units: number) =>
      setWhole((before) => (before.state === "here" ? before : { state: "reading", done: Math.min(1, units / length) }))
    progress(0)
    readText(address, signal, progress).then(
      (text) => {
        if (!signal.aborted) arrive(() => setWhole({ state: "here", key, text }))
      },
      (error: unknown) => {
        if (!signal.aborted) setWhole({ state: "failed", problem: problemOf(error) })
      }
    )
  })
  useEffect(() => {
    if (asked === 0 || key === undefined) return
    const gone = new AbortController()
    start(gone.signal)
    return () => gone.abort()
  }, [asked, key])
  const stale = whole.state === "here" && whole.key !== key && (asked === 0 || key === undefined)
  return { whole: stale ? unread : whole, read: () => setAsked((before) => before + 1) }
}

const unread: WholeText = { state: "unread" }
