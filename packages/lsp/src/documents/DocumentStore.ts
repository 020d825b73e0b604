/** The one place for the texts that servers get. What an editor has open wins over the disk. */
import type { Change } from "@signalbox/acp/Positions"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as FileUri from "../FileUri.ts"
import * as LanguageId from "../LanguageId.ts"
import { LanguageServerError } from "../LanguageServerError.ts"
import * as Containment from "./Containment.ts"
import type { Document } from "./Document.ts"
import * as FileText from "./FileText.ts"

/** A document that an editor opens. */
export interface Opened {
  readonly path: string
  /** Default: by the name of the file. */
  readonly languageId?: string | undefined
  readonly version: number
  readonly text: string
}

export interface DocumentStore {
  /** The text as it is now: an editor's, or read from the disk if the file has changed. Undefined if the file is missing. */
  readonly current: (path: string) => Effect.Effect<Document | undefined, LanguageServerError>
  /** Finds the folder that has a file, also behind links. A known text had its links followed when it was read; `current` looks again. */
  readonly folderOf: (path: string) => Effect.Effect<string, LanguageServerError>
  /** Picks the texts of the disk that are outdated: their files have changed, or an editor has them open. */
  readonly changedOf: (documents: ReadonlyArray<Document>) => Effect.Effect<ReadonlyArray<Document>>
  /** The text as it was last seen. */
  readonly seen: (path: string) => Document | undefined
  readonly open: (opened: Opened) => Effect.Effect<Document, LanguageServerError>
  /** A document with another text, for one question about it. It is not kept. */
  readonly supposed: (document: Document, text: string) => Document
  /** Changes an editor's text; the range of each change is about what the one before it has made. */
  readonly change: (
    path: string,
    version: number,
    changes: ReadonlyArray<Change>
  ) => Effect.Effect<Document, LanguageServerError>
  /** Ends an editor's hold on a document. From then on the text of the disk counts. */
  readonly close: (path: string) => Effect.Effect<void>
  /** The documents that editors have open. */
  readonly ofEditors: () => ReadonlyArray<Document>
}

/** Most texts of the disk that are kept. Others are read again when they are asked about. */
const mostKept = 256
/** Most UTF-16 units of these texts together. */
const mostUnits = 64 * 1024 * 1024

/** Lets everything else of this process go on, before a step that takes long for a long text. */
export const breathe = (length: number): Effect.Effect<void> => (length > 256 * 1024 ? Effect.yieldNow : Effect.void)

const stale = (message: string) => new LanguageServerError({ reason: "StaleVersion", message })

export const make = (folders: () => ReadonlyArray<string>): DocumentStore => {
  const ofEditors = new Map<string, Document>()
  /** In the order of their last use. */
  const ofDisk = new Map<string, Document>()
  let units = 0
  let openings = 0
  /** The folders in which links of a text of the disk were followed. While the file stays as it is, they lead there still. */
  const followedIn = new Map<string, string>()
  const allFolders = () => JSON.stringify(folders())
  const reading = Semaphore.makeUnsafe(1)

  const forget = (path: string) => {
    const known = ofDisk.get(path)
    if (known === undefined) return
    ofDisk.delete(path)
    followedIn.delete(path)
    units -= known.lines.length
  }

  const keep = (document: Document, within: string): Document => {
    forget(document.path)
    ofDisk.set(document.path, document)
    followedIn.set(document.path, within)
    units += document.lines.length
    for (const [path] of ofDisk) {
      if ((ofDisk.size <= mostKept && units <= mostUnits) || path === document.path) break
      forget(path)
    }
    return document
  }

  const nextOpening = () => {
    openings += 1
    return openings
  }

  const fromDisk = (path: string): Effect.Effect<Document | undefined, LanguageServerError> =>
    Effect.gen(function* () {
      const known = ofDisk.get(path)
      const within = allFolders()
      const isSame = known !== undefined && (yield* FileText.stampAt(path)) === known.stamp
      if (isSame && followedIn.get(path) === within) return keep(known, within)
      yield* Containment.check(folders(), path)
      if (isSame) return keep(known, within)
      const file = yield* FileText.read(path)
      if (file === undefined) {
        forget(path)
        return undefined
      }
      const { stamp, text } = file
      yield* breathe(text.length)
      if (known !== undefined && known.lines.text === text) return keep({ ...known, stamp }, within)
      const read: Document = {
        path,
        uri: FileUri.of(path),
        languageId: LanguageId.ofPath(path),
        lines: Positions.of(text),
        version: known === undefined ? 1 : known.version + 1,
        // Opened anew instead of changed: some servers report nothing about a change that brings no findings.
        opening: nextOpening(),
        owner: "disk",
        stamp,
        since: undefined
      }
      return keep(read, within)
    })

  return {
    current: (path) =>
      Effect.suspend(() => {
        const edited = ofEditors.get(path)
        return edited === undefined ? reading.withPermit(fromDisk(path)) : Effect.succeed(edited)
      }),
    folderOf: (path) =>
      Effect.suspend(() => {
        const folder = followedIn.get(path) === allFolders() ? Containment.folderOf(folders(), path) : undefined
        return folder === undefined ? Containment.check(folders(), path) : Effect.succeed(folder)
      }),
    changedOf: (documents) =>
      Effect.map(FileText.stampsAt(documents.map(({ path }) => path)), (stamps) => {
        const within = allFolders()
        return documents.filter(
          ({ path, stamp }, index) => ofEditors.has(path) || stamp !== stamps[index] || followedIn.get(path) !== within
        )
      }),
    seen: (path) => ofEditors.get(path) ?? ofDisk.get(path),
    open: ({ languageId, path, text, version }) =>
      Effect.gen(function* () {
        yield* Containment.check(folders(), path)
        yield* breathe(text.length)
        forget(path)
        const document: Document = {
          path,
          uri: FileUri.of(path),
          languageId: languageId ?? LanguageId.ofPath(path),
          lines: Positions.of(text),
          version,
          opening: nextOpening(),
          owner: "editor",
          stamp: undefined,
          since: undefined
        }
        ofEditors.set(path, document)
        return document
      }),
    supposed: (document, text) => ({
      ...document,
      lines: Positions.of(text),
      // Findings that a server publishes about it are about an older text.
      version: document.version - 1,
      opening: nextOpening(),
      owner: "question",
      since: undefined
    }),
    change: (path, version, changes) =>
      Effect.suspend(() => {
        const document = ofEditors.get(path)
        if (document === undefined)
          return Effect.fail(stale(`${path} was changed, but no editor has it open. Open it first.`))
        if (version <= document.version)
          return Effect.fail(
            stale(
              `${path} was changed to version ${version}, but version ${document.version} is here already. Open it again.`
            )
          )
        const changed: Document = {
          ...document,
          lines: document.lines.change(changes),
          version,
          since: { version: document.version, changes }
        }
        ofEditors.set(path, changed)
        return Effect.succeed(changed)
      }),
    close: (path) =>
      Effect.sync(() => {
        ofEditors.delete(path)
      }),
    ofEditors: () => [...ofEditors.values()]
  }
}
