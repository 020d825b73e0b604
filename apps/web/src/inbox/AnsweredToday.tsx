/** What was answered since midnight, and by whom. */
import { type AuditDecider, type AuditPage, type AuditRow, mostAuditRows } from "@signalbox/contracts/Audit"
import { useEffect, useState } from "react"
import { readAudit } from "../connection/audit.ts"
import { problemOf } from "../connection/commands.ts"
import { waitingThreads } from "../connection/requests.ts"
import { serverNow } from "../connection/link.ts"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import { byWords, lampOf, verbOf } from "../words/decision.ts"
import { clock } from "../words/time.ts"
import { threadHref } from "../browser/hrefs.ts"
import styles from "./Inbox.module.css"

/** Rows before people ask for all. */
const fewest = 12

/** Requests come and go in bursts. */
const restMs = 400

const midnight = (): number => new Date(serverNow()).setHours(0, 0, 0, 0)

/** Reads the record whenever something comes or goes: something may have been answered then. */
const useRecord = () => {
  const [page, setPage] = useState<AuditPage>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      readAudit({ since: midnight() }, mostAuditRows, gone.signal).then(
        (found) => {
          setPage(found)
          setRefusal(undefined)
        },
        (error: unknown) => {
          if (!gone.signal.aborted) setRefusal(problemOf(error).title)
        }
      )
    }
    const soon = () => {
      timer ??= setTimeout(read, restMs)
    }
    read()
    const leave = waitingThreads.subscribe(soon)
    return () => {
      leave()
      clearTimeout(timer)
      gone.abort()
    }
  }, [])
  return { page, refusal }
}

export const AnsweredToday = () => {
  const { page, refusal } = useRecord()
  const [all, setAll] = useState(false)
  if (refusal !== undefined)
    return <p className={styles["nothing"]}>What was answered today can’t be read. {refusal}</p>
  if (page === undefined) return null
  const { rows } = page
  const shown = all ? rows : rows.slice(0, fewest)
  return (
    <>
      <h2>
        Answered today <span>{sumOf(rows, page.next !== undefined)}</span>
      </h2>
      {page.problem && (
        <p className={styles["nothing"]}>
          {page.problem.title} {page.problem.cause}
        </p>
      )}
      {rows.length === 0 && <p className={styles["nothing"]}>Nothing yet.</p>}
      <ul>
        {shown.map((row) => (
          <li key={row.decision.sequence} className={styles["item"]}>
            <Answered row={row} />
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <p className={styles["nothing"]}>
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show all {rows.length}
          </button>
        </p>
      )}
    </>
  )
}

const sumOf = (rows: ReadonlyArray<AuditRow>, isCut: boolean): string => {
  const by = (type: AuditDecider["type"]) => rows.filter(({ decision }) => decision.by.type === type).length
  const parts = [
    [by("rule"), "by rules"],
    [by("person"), "by you"],
    [by("settings"), "by settings"],
    [by("flag"), "by flags"]
  ] as const
  const said = parts.flatMap(([found, word]) => (found === 0 ? [] : [`${found} ${word}`])).join(", ")
  return isCut ? `the last ${rows.length}: ${said}` : said
}

const Answered = ({ row: { decision, end } }: { readonly row: AuditRow }) => {
  const { at, folder, threadId, title } = decision
  return (
    <a className={styles["row"]} href={threadHref(threadId)}>
      <Lamp status={lampOf(decision)} />
      <b className="cut">
        {verbOf(decision)}{" "}
        <code>
          <Revealed text={title.slice(0, 200)} />
        </code>
      </b>
      <span className={styles["end"]}>{clock(at).slice(0, 5)}</span>
      <span className={`${styles["sub"]} cut`}>
        {folderName(folder)} · {byWords(decision)}
        {end?.exitCode !== undefined && ` · ran, exit ${end.exitCode}`}
      </span>
    </a>
  )
}
