/**
 * Keeps copies of the open documents on the server equal to those of the page. One batch is on its way at a time. After a
 * batch that got no answer, every document is sent in full again: no copy stays wrong.
 */
import type { LineEnd } from "@signalbox/contracts/Documents"
import {
  type DocumentReport,
  mostReports,
  type ReportsTaken,
  type TextRange
} from "@signalbox/contracts/DocumentReport"
import type { EditorState } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import { changeLog } from "./changeLog.ts"
import { positionOf } from "./positions.ts"
import { changesSince, type Reported, textOf } from "./reports.ts"

/** An open document, as far as it is reported. */
export interface Reportable {
  readonly path: string
  /** Undefined while there is no text that this page may report. */
  readonly text: () => ReportableText | undefined
}

export interface ReportableText {
  readonly state: EditorState
  readonly lineEnd: LineEnd
  /** Undefined while it is not shown. */
  readonly view: EditorView | undefined
}

export interface Reporter {
  readonly add: (document: Reportable) => void
  readonly remove: (document: Reportable) => void
  readonly saved: (document: Reportable) => void
  /** Reports what is new, a moment later. `isAgain`: in full. */
  readonly look: (document?: Reportable, isAgain?: boolean) => void
  /** The server knows nothing of what was reported. */
  readonly again: () => void
  /** The version that the server has of a document, if that is what the page has. */
  readonly versionOf: (document: Reportable) => number | undefined
  readonly stop: () => void
}

/** The most characters of texts in one batch. The rest goes with the next one. */
const mostCharacters = 8 * 1024 * 1024

/** Milliseconds before a batch is sent again that was refused so often. */
const patience = [250, 1000, 4000, 15_000] as const

interface Watched {
  readonly document: Reportable
  reported: Reported | undefined
  focus: string
  isSaved: boolean
  /** Another page reports it. */
  isElsewhere: boolean
}

/** `send`: carries a batch out, in order. `onSettled`: the server has all that there is. */
export const make = (
  send: (reports: ReadonlyArray<DocumentReport>) => Promise<ReportsTaken>,
  onSettled: () => void,
  onRefused: (error: unknown) => void
): Reporter => {
  const watched = new Map<Reportable, Watched>()
  let closed: Array<string> = []
  let isBusy = false
  let isOver = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const collect = (): ReadonlyArray<DocumentReport> => {
    const reports: Array<DocumentReport> = closed.splice(0).map((path) => ({ type: "closed", path }))
    let characters = 0
    for (const known of watched.values()) {
      if (characters > mostCharacters || reports.length > mostReports - 4) break
      const news = newsOf(known)
      for (const report of news) if (report.type === "opened") characters += report.text.length
      reports.push(...news)
    }
    return reports
  }

  const later = (afterMs: number) => {
    if (isOver || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      work()
    }, afterMs)
  }

  const work = () => {
    if (isBusy || isOver) return
    const reports = collect()
    if (reports.length === 0) return onSettled()
    isBusy = true
    send(reports).then(
      ({ again, elsewhere }) => {
        isBusy = false
        failures = 0
        for (const known of watched.values()) {
          const { path } = known.document
          if (again.includes(path) || elsewhere.includes(path)) forget(known)
          if (elsewhere.includes(path)) known.isElsewhere = true
        }
        work()
      },
      (error: unknown) => {
        isBusy = false
        for (const known of watched.values()) forget(known)
        if (isOver) return
        onRefused(error)
        later(patience[Math.min(failures, patience.length - 1)] ?? 0)
        failures += 1
      }
    )
  }

  return {
    add: (document) => {
      watched.set(document, { document, reported: undefined, focus: "", isSaved: false, isElsewhere: false })
      later(0)
    },
    remove: (document) => {
      if (watched.get(document)?.reported !== undefined) closed.push(document.path)
      watched.delete(document)
      later(0)
    },
    saved: (document) => {
      const known = watched.get(document)
      if (known !== undefined) known.isSaved = true
      later(0)
    },
    look: (document, isAgain = false) => {
      const known = document && watched.get(document)
      if (known !== undefined && isAgain) {
        forget(known)
        known.isElsewhere = false
      }
      later(0)
    },
    again: () => {
      for (const known of watched.values()) forget(known)
      closed = []
      failures = 0
      // There is somebody who listens: a pause after a failure is over.
      clearTimeout(timer)
      timer = undefined
      later(0)
    },
    versionOf: (document) => {
      const reported = watched.get(document)?.reported?.version
      return !isBusy && reported !== undefined && reported === document.text()?.state.field(changeLog, false)
        ? reported.number
        : undefined
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    }
  }
}

const forget = (known: Watched): void => {
  known.reported = undefined
  known.focus = ""
}

/** What the server does not know of a document. It counts as known then. */
const newsOf = (known: Watched): ReadonlyArray<DocumentReport> => {
  const { path } = known.document
  const now = known.document.text()
  const version = now?.state.field(changeLog, false)
  if (now === undefined || version === undefined || known.isElsewhere) {
    const wasOpen = known.reported !== undefined
    forget(known)
    return wasOpen ? [{ type: "closed", path }] : []
  }
  const { lineEnd, state, view } = now
  const news: Array<DocumentReport> = []
  const before = known.reported
  if (before?.version !== version || before.lineEnd !== lineEnd) {
    known.reported = { version, lineEnd }
    const changes = before && changesSince(before, known.reported)
    news.push(
      changes === undefined
        ? { type: "opened", path, version: version.number, text: textOf(state.doc, lineEnd) }
        : { type: "changed", path, version: version.number, changes }
    )
  }
  if (known.isSaved) news.push({ type: "saved", path })
  known.isSaved = false
  if (view === undefined) return news
  const position = positionOf(state.doc, lineEnd, state.selection.main.head)
  const visible = [visibleOf(view, lineEnd)]
  const focus = JSON.stringify([position, visible])
  if (focus !== known.focus) news.push({ type: "focused", path, position, visible })
  known.focus = focus
  return news
}

/** The lines that are seen. */
const visibleOf = (view: EditorView, lineEnd: LineEnd): TextRange => {
  const { clientHeight, scrollTop } = view.scrollDOM
  const top = scrollTop - view.documentPadding.top
  const { from } = view.lineBlockAtHeight(Math.max(0, top))
  const { to } = view.lineBlockAtHeight(Math.max(0, top + clientHeight))
  const { doc } = view.state
  return { start: positionOf(doc, lineEnd, from), end: positionOf(doc, lineEnd, to) }
}
