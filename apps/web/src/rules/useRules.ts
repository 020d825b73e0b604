/** The rules files of all folders that people use, and what each rule did. */
import type { AuditRow, RuleCount } from "@signalbox/contracts/Audit"
import type { ListedRule, RulesReport } from "@signalbox/contracts/Rules"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useEffect, useMemo, useState } from "react"
import { countRules, readAudit } from "../connection/audit.ts"
import { problemOf } from "../connection/commands.ts"
import { serverNow } from "../connection/link.ts"
import { followRules } from "../connection/rules.ts"

/** The most folders that are looked at. The server takes no more at once. */
const mostFolders = 100

/** The folders of threads, the one used last first. */
export const foldersOf = (threads: ReadonlyArray<ThreadSummary>): ReadonlyArray<string> => [
  ...new Set(threads.toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ cwd }) => cwd))
]

/** Undefined until the server has answered. */
export const useRules = (folders: ReadonlyArray<string>): RulesReport | undefined => {
  const [report, setReport] = useState<RulesReport>()
  // The same folders in another order are no other question.
  const key = JSON.stringify(folders.slice(0, mostFolders).toSorted())
  useEffect(() => {
    const over = new AbortController()
    followRules(folderList(key), setReport, over.signal)
    return () => over.abort()
  }, [key])
  return report
}

const folderList = (key: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(key)
  return Array.isArray(parsed) ? parsed.map(String) : []
}

/** A text that is another one whenever the rules are others, or others of them are in force. */
export const versionOf = (files: RulesReport["files"]): string =>
  JSON.stringify(files.map(({ hash, path, state }) => [path, state, hash]))

const monthMs = 30 * 24 * 60 * 60 * 1000

export interface Counts {
  readonly of: (rule: ListedRule) => RuleCount | undefined
  readonly refusal: string | undefined
}

/** What each rule did in 30 days. Read when the page opens, and again whenever the rules change. */
export const useCounts = (report: RulesReport | undefined): Counts => {
  const [counts, setCounts] = useState<ReadonlyArray<RuleCount>>([])
  const [refusal, setRefusal] = useState<string>()
  const version = report && versionOf(report.files)
  useEffect(() => {
    if (version === undefined) return
    const over = new AbortController()
    countRules(serverNow() - monthMs, over.signal).then(setCounts, (error: unknown) => {
      if (!over.signal.aborted) setRefusal(problemOf(error).title)
    })
    return () => over.abort()
  }, [version])
  return useMemo(() => {
    const byRule = new Map(counts.map((count) => [`${count.rule.file} ${count.rule.id}`, count]))
    return { refusal, of: ({ ref: { file, id } }) => byRule.get(`${file} ${id}`) }
  }, [counts, refusal])
}

/** The latest requests that a rule decided, or had people asked about. */
export const useLatest = (id: string): ReadonlyArray<AuditRow> => {
  const [found, setFound] = useState<{ readonly id: string; readonly rows: ReadonlyArray<AuditRow> }>()
  useEffect(() => {
    const over = new AbortController()
    readAudit({ rule: id }, 5, over.signal).then(
      ({ rows }) => setFound({ id, rows }),
      // The counts beside it say that the record can't be read.
      () => {}
    )
    return () => over.abort()
  }, [id])
  return found?.id === id ? found.rows : []
}
