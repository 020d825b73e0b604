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
  /** Another editor has it now. Nothing is reported of it until `takeBack`, not even to another desk. */
  readonly elsewhere: (path: string) => void
  /** People go on with a document here. */
  readonly takeBack: (path: string) => void
  readonly isAway: (path: string) => boolean
  /** The open documents whose text is too long to be reported, as of the latest `take`. */
  readonly tooLong: () => ReadonlyArray<string>
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

/** The server takes no longer text. */
const longestText = 2 * 1024 * 1024

/** The most characters of texts in one batch. The rest goes with the next one. */
const mostCharacters = 8 * 1024 * 1024

export const make = (): Reports => {
  const known = new Map<string, Known>()
  const away = new Set<string>()
  /** The versions of documents that are too long. */
  const long = new Map<string, number>()
  let focused = ""

  const newsOf = ({ lineEnd, path, text, version }: OpenDocument): ReadonlyArray<DocumentReport> => {
    // A long text is not read again and again.
    if (long.get(path) === version) return []
    long.delete(path)
    const before = known.get(path)
    const isTold = before !== undefined && before.lineEnd === lineEnd && before.changes.length <= mostChanges
    const changes = before?.changes ?? []
    const saved: ReadonlyArray<DocumentReport> = before?.isSaved === true ? [{ type: "saved", path }] : []
    known.set(path, { version, lineEnd, changes: [], isSaved: false })
    if (!isTold) {
      const whole = text()
      if (whole.length > longestText) {
        known.delete(path)
        long.set(path, version)
        return before === undefined ? [] : [{ type: "closed", path }]
      }
      return [{ type: "opened", path, version, text: whole }, ...saved]
    }
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
      for (const path of long.keys()) if (!paths.has(path)) long.delete(path)
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
    isAway: (path) => away.has(path),
    tooLong: () => [...long.keys()],
    versionOf: (path) => known.get(path)?.version
  }
}
