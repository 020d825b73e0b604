/**
 * What the server does not know of the open documents. Each is reported in full once, and then by its changes. Nothing is
 * written anywhere: the text that people see counts, saved or not.
 */
import {
  type DocumentReport,
  mostReports,
  type TextChange,
  type TextPosition,
  type TextRange
} from "@signalbox/contracts/DocumentReport"

/** An open document, by the path of its file. Its version rises with each change. */
export interface OpenDocument {
  readonly path: string
  readonly version: number
  readonly lineEnd: string
  readonly text: () => string
}

/** The place at which people look in a document. */
export interface Focus {
  readonly path: string
  readonly position: TextPosition
  readonly visible: ReadonlyArray<TextRange>
}

export interface Reports {
  /** A document has changed. `changes`: in order, each about what the one before it has made. */
  readonly changed: (path: string, changes: ReadonlyArray<TextChange>) => void
  readonly saved: (path: string) => void
  /** Takes what is to be reported. It counts as known then. */
  readonly take: (open: ReadonlyArray<OpenDocument>, focus: Focus | undefined) => ReadonlyArray<DocumentReport>
  /** The server knows nothing of a document, or of none. */
  readonly forget: (path?: string) => void
  /** Another editor has it now. Nothing is reported of it until `takeBack`. */
  readonly elsewhere: (path: string) => void
  /** People go on with a document here. */
  readonly takeBack: (path: string) => void
  /** No other editor has any document. */
  readonly takeBackAll: () => void
  readonly isAway: (path: string) => boolean
  /** The version that the server has. */
  readonly versionOf: (path: string) => number | undefined
}

interface Known {
  version: number
  lineEnd: string
  changes: Array<TextChange>
  isSaved: boolean
}

/** More changes than that are reported as the whole text. */
const mostChanges = 200

/** The most characters of texts in one batch. The rest goes with the next one. */
const mostCharacters = 8 * 1024 * 1024

export const make = (): Reports => {
  const known = new Map<string, Known>()
  const away = new Set<string>()
  let focused = ""

  const newsOf = ({ lineEnd, path, text, version }: OpenDocument): ReadonlyArray<DocumentReport> => {
    const before = known.get(path)
    const isTold = before !== undefined && before.lineEnd === lineEnd && before.changes.length <= mostChanges
    const changes = before?.changes ?? []
    const saved: ReadonlyArray<DocumentReport> = before?.isSaved === true ? [{ type: "saved", path }] : []
    known.set(path, { version, lineEnd, changes: [], isSaved: false })
    if (!isTold) return [{ type: "opened", path, version, text: text() }, ...saved]
    return before.version === version ? saved : [{ type: "changed", path, version, changes }, ...saved]
  }

  return {
    changed: (path, changes) => void known.get(path)?.changes.push(...changes),
    saved: (path) => {
      const one = known.get(path)
      if (one !== undefined) one.isSaved = true
    },
    take: (open, focus) => {
      const reports: Array<DocumentReport> = []
      const paths = new Set(open.map(({ path }) => path))
      for (const path of known.keys()) {
        if (paths.has(path)) continue
        known.delete(path)
        reports.push({ type: "closed", path })
      }
      for (const path of away) if (!paths.has(path)) away.delete(path)
      let characters = 0
      for (const document of open) {
        if (characters > mostCharacters || reports.length > mostReports - 3) break
        if (away.has(document.path)) continue
        const news = newsOf(document)
        for (const report of news) if (report.type === "opened") characters += report.text.length
        reports.push(...news)
      }
      if (focus === undefined || !known.has(focus.path)) return reports
      const now = JSON.stringify(focus)
      if (now !== focused) reports.push({ type: "focused", ...focus, visible: focus.visible.slice(0, 100) })
      focused = now
      return reports
    },
    forget: (path) => {
      focused = ""
      if (path === undefined) known.clear()
      else known.delete(path)
    },
    elsewhere: (path) => {
      known.delete(path)
      away.add(path)
    },
    takeBack: (path) => void away.delete(path),
    takeBackAll: () => away.clear(),
    isAway: (path) => away.has(path),
    versionOf: (path) => known.get(path)?.version
  }
}
