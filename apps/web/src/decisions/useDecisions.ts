/** Decisions of the audit log that fit a filter, latest first, as far as people have asked for them. */
import type { AuditFilter, AuditPage, AuditRow } from "@signalbox/contracts/Audit"
import { useCallback, useEffect, useRef, useState } from "react"
import { readAudit } from "../connection/audit.ts"
import { problemOf } from "../connection/commands.ts"

/** Decisions that are read at once. */
const pageSize = 100

export interface Decisions {
  /** Undefined until the first answer for this filter. */
  readonly rows: ReadonlyArray<AuditRow> | undefined
  readonly unreadable: number
  /** Why decisions can't be recorded now, or why the record can't be read. */
  readonly trouble: string | undefined
  readonly hasMore: boolean
  readonly more: () => void
  readonly again: () => void
}

const none = { rows: undefined, unreadable: 0, trouble: undefined, next: undefined } as const

interface Read {
  readonly rows: ReadonlyArray<AuditRow> | undefined
  readonly unreadable: number
  readonly trouble: string | undefined
  readonly next: number | undefined
}

const joined = (before: Read, { next, problem, rows, unreadable }: AuditPage): Read => ({
  rows: [...(before.rows ?? []), ...rows],
  unreadable: before.unreadable + unreadable,
  trouble: problem && `${problem.title} ${problem.cause}`,
  next
})

export const useDecisions = (filter: AuditFilter): Decisions => {
  const [found, setFound] = useState<{ readonly filter: AuditFilter; readonly read: Read }>({ filter, read: none })
  const asking = useRef(new AbortController())
  const ask = useCallback(
    (before: Read) => {
      asking.current.abort()
      const gone = new AbortController()
      asking.current = gone
      readAudit(filter, pageSize, gone.signal, before.next).then(
        (page) => {
          if (!gone.signal.aborted) setFound({ filter, read: joined(before, page) })
        },
        (error: unknown) => {
          if (!gone.signal.aborted) setFound({ filter, read: { ...before, trouble: problemOf(error).title } })
        }
      )
    },
    [filter]
  )
  useEffect(() => {
    ask(none)
    return () => asking.current.abort()
  }, [ask])
  // What another filter found says nothing of this one.
  const read = found.filter === filter ? found.read : none
  return {
    ...read,
    hasMore: read.next !== undefined,
    more: () => ask(read),
    again: () => ask(none)
  }
}
