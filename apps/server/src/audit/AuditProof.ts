/** Proves a log, entry by entry: whether each continues the one before it, and whether a known entry is still there. */
import * as AuditChain from "./AuditChain.ts"

export interface Proof {
  readonly entries: number
  /** The newest entry. Whoever keeps its hash can find out later whether the end of the log was cut. */
  readonly head: AuditChain.Head
  readonly first: AuditChain.Break | undefined
  readonly breaks: number
  /** The sequence of the entry with the hash that somebody kept. Undefined if it is not in the log. */
  readonly kept: number | undefined
}

export interface Prover {
  readonly see: (link: AuditChain.Link) => void
  /** Takes a line that holds no entry. */
  readonly unreadable: (what: string) => void
  readonly proof: () => Proof
}

/** @param kept the hash of an entry that somebody kept */
export const make = (kept?: string): Prover => {
  let head = AuditChain.start
  let entries = 0
  let breaks = 0
  let first: AuditChain.Break | undefined
  let place: number | undefined

  const note = (found: AuditChain.Break | undefined): void => {
    if (found === undefined) return
    first ??= found
    breaks += 1
  }

  return {
    see: (link) => {
      entries += 1
      note(AuditChain.check(head, link))
      if (link.hash === kept) place = link.sequence
      // The next entry is held against this one, so that one break is not counted for each entry after it.
      head = { sequence: link.sequence, hash: link.hash }
    },
    unreadable: (what) => note({ sequence: head.sequence + 1, what }),
    proof: () => ({ entries, head, first, breaks, kept: place })
  }
}
