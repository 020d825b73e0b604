/**
 * Asks servers for their findings: when somebody wants to know, and after changes about what editors have open
 * (`textDocument/diagnostic`, `workspace/diagnostic`). Other servers publish theirs.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type { Document } from "../documents/Document.ts"
import type { Session } from "../features/Session.ts"
import * as FileUri from "../FileUri.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { RunningServer } from "../running/RunningServer.ts"
import { settled } from "../Settled.ts"
import type { DiagnosticStore, Finder } from "./DiagnosticStore.ts"
import * as Publications from "./Publications.ts"
import type { Slot } from "./Slot.ts"

interface Parts {
  readonly found: DiagnosticStore
  readonly slots: () => ReadonlyArray<Slot>
  /** The documents that editors have open. */
  readonly edited: () => ReadonlyArray<Document>
}

export interface Pulling {
  /** Gives the server the text as it is now. Asks for its findings if it answers such questions. */
  readonly pull: (slot: Slot, path: string) => Effect.Effect<void, LanguageServerError>
  /** Asks a server that answers it for its findings in all files. */
  readonly pullAll: (slot: Slot) => Effect.Effect<void, LanguageServerError>
  /** While somebody waits for the findings of files, they are asked for like those of editors. A server may offer them only later. */
  readonly attending: (paths: ReadonlyArray<string>, waiting: Effect.Effect<void>) => Effect.Effect<void>
  /** A server has got another text, or a file has changed on the disk. */
  readonly moved: () => void
  /** The server wants to be asked anew. */
  readonly aged: (id: string, root: string) => void
  /** A server may be ready now, or offer more than before. */
  readonly look: () => void
}

const method = "textDocument/diagnostic"

/** Silence after a change before servers are asked, and how long it is waited for, in milliseconds. */
const silence = 200
const longest = 1000
/** Questions to one server at the same time. */
const together = 4
/** Most files whose findings are read from one answer. */
const mostFiles = 5000

/** What a run of a server was asked. */
interface Asked {
  /** The names that it gave its findings, by path. */
  readonly ids: Map<string, string>
  /** What its findings were asked for, by path. */
  readonly about: Map<string, string>
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (Predicate.isObject(value) ? { ...value } : {})

const identifierOf = (offer: unknown) => {
  const { identifier } = membersOf(offer)
  return typeof identifier === "string" ? { identifier } : {}
}

const keyOf = (id: string, root: string): string => JSON.stringify([id, root])

const finderOf = ({ id, root }: Slot): Finder => ({ server: id, root, channel: "pulled" })

export const make = Effect.fnUntraced(function* ({
  edited,
  found,
  slots
}: Parts): Effect.fn.Return<Pulling, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const runs = new WeakMap<RunningServer, Asked>()
  const wishes = new Map<string, number>()
  /** Paths that somebody waits for, a list for each of them. */
  let attended: ReadonlyArray<ReadonlyArray<string>> = []
  const busy = new Set<RunningServer>()
  const wake = Latch.makeUnsafe(false)
  let moves = 0
  let events = 0

  const look = () => {
    events += 1
    wake.openUnsafe()
  }

  const askedOf = (run: RunningServer): Asked => {
    const asked = runs.get(run) ?? { ids: new Map(), about: new Map() }
    runs.set(run, asked)
    return asked
  }

  /** Differs whenever the findings about a document may. */
  const aboutOf = ({ id, root }: Slot, { opening, version }: Document, offer: unknown): string => {
    const others = membersOf(offer)["interFileDependencies"] === true ? moves : 0
    return [opening, version, wishes.get(keyOf(id, root)) ?? 0, others].join(" ")
  }

  /** Takes the findings about one file. Answers whether they have the shape that the protocol says. */
  const take = Effect.fnUntraced(function* (
    slot: Slot,
    run: RunningServer,
    uri: string,
    report: unknown,
    isCurrent: boolean
  ): Effect.fn.Return<boolean, LanguageServerError> {
    const { items, kind, resultId } = membersOf(report)
    const path = FileUri.pathOf(uri)
    const isFull = kind === "full" && Array.isArray(items)
    if (path === undefined || !(isFull || kind === "unchanged")) return false
    const { ids } = askedOf(run)
    ids.delete(path)
    if (typeof resultId === "string") ids.set(path, resultId)
    for (const [oldest] of ids) {
      if (ids.size <= mostFiles) break
      ids.delete(oldest)
    }
    if (isFull) yield* Publications.takeRead(found, finderOf(slot), run, uri, items, isCurrent)
    else if (isCurrent) found.settled(finderOf(slot), path, run.documents.of(path)?.version)
    return true
  })

  const report = Effect.fnUntraced(function* (
    slot: Slot,
    session: Session,
    document: Document
  ): Effect.fn.Return<void, LanguageServerError> {
    const run = slot.running()
    const offer = session.offer(method, document)
    if (run === undefined || offer === undefined) return
    const { path, uri } = document
    const { about, ids } = askedOf(run)
    about.set(path, aboutOf(slot, document, offer))
    // Without findings of before there is nothing that could be unchanged.
    const before = found.of(path).some(({ root, server }) => server === slot.id && root === slot.root)
    const previousResultId = before ? ids.get(path) : undefined
    const answer = yield* session.ask(
      method,
      { textDocument: { uri }, ...identifierOf(offer), ...(previousResultId !== undefined && { previousResultId }) },
      document
    )
    const isCurrent = run.documents.of(path)?.version === document.version
    if (!(yield* take(slot, run, uri, answer, isCurrent))) return yield* session.malformed(method, "it is no report")
    const related = Object.entries(membersOf(membersOf(answer)["relatedDocuments"]))
    for (const [other, one] of related.slice(0, mostFiles)) yield* take(slot, run, other, one, true)
  })

  const pull: Pulling["pull"] = (slot, path) =>
    slot.ask((session) => Effect.flatMap(session.send(path), (document) => report(slot, session, document)))

  const pullAll: Pulling["pullAll"] = (slot) =>
    slot.ask((session) =>
      Effect.gen(function* () {
        const run = slot.running()
        const offer = session.offer(method)
        if (run === undefined || membersOf(offer)["workspaceDiagnostics"] !== true) return
        const { ids } = askedOf(run)
        const previousResultIds = [...ids].map(([path, value]) => ({ uri: FileUri.of(path), value }))
        const params = { ...identifierOf(offer), previousResultIds }
        const { items } = membersOf(yield* session.askAnyway("workspace/diagnostic", params))
        if (!Array.isArray(items)) return yield* session.malformed("workspace/diagnostic", "it has no items")
        const files: ReadonlyArray<unknown> = items
        for (const one of files.slice(0, mostFiles)) {
          const { uri, version } = membersOf(one)
          const path = typeof uri === "string" ? FileUri.pathOf(uri) : undefined
          const open = path === undefined ? undefined : run.documents.of(path)?.version
          const isCurrent = typeof version !== "number" || open === undefined || version === open
          const isRead = typeof uri === "string" && (yield* take(slot, run, uri, one, isCurrent))
          if (!isRead) session.onMalformed("workspace/diagnostic", 1, "report")
        }
        if (files.length > mostFiles)
          session.onMalformed("workspace/diagnostic", files.length - mostFiles, "too many files")
      })
    )

  /** The documents of editors, and those waited for. This run has them, and was not asked about them as they are now. */
  const due = (slot: Slot, run: RunningServer): ReadonlyArray<readonly [Document, about: string]> => {
    const ours = edited()
    const others = new Set(attended.flat().filter((path) => ours.every((document) => document.path !== path)))
    return [...ours, ...[...others].flatMap((path) => run.documents.of(path) ?? [])].flatMap((document) => {
      const { path } = document
      if (!slot.covers(document) || run.documents.of(path) === undefined) return []
      const offer = run.session.offer(method, document)
      if (offer === undefined) return []
      const about = aboutOf(slot, document, offer)
      return askedOf(run).about.get(path) === about ? [] : [[document, about] as const]
    })
  }

  const pullDue = (slot: Slot) =>
    Effect.suspend(() => {
      const run = slot.running()
      if (run === undefined || busy.has(run) || slot.state().phase !== "ready") return Effect.void
      const documents = due(slot, run)
      if (documents.length === 0) return Effect.void
      busy.add(run)
      const { session } = run
      // It is no use of the server: nobody has asked. What fails is asked again after the next change.
      const asked = Effect.forEach(
        documents,
        ([document, about]) => {
          askedOf(run).about.set(document.path, about)
          const asking = Effect.flatMap(session.send(document.path), (now) => report(slot, session, now))
          return Effect.ignore(run.turns.beside(asking))
        },
        { concurrency: together, discard: true }
      )
      const done = Effect.sync(() => {
        busy.delete(run)
        look()
      })
      return Effect.asVoid(Effect.forkIn(Effect.ensuring(asked, done), scope))
    })

  yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        yield* wake.await
        yield* settled({ count: () => events, silence, longest })
        wake.closeUnsafe()
        yield* Effect.forEach(slots(), pullDue, { discard: true })
      })
    )
  )

  return {
    pull,
    pullAll,
    attending: (paths, waiting) =>
      Effect.suspend(() => {
        attended = [...attended, paths]
        look()
        const done = Effect.sync(() => {
          attended = attended.filter((each) => each !== paths)
        })
        return Effect.ensuring(waiting, done)
      }),
    look,
    moved: () => {
      moves += 1
      look()
    },
    aged: (id, root) => {
      const key = keyOf(id, root)
      wishes.set(key, (wishes.get(key) ?? 0) + 1)
      look()
    }
  }
})
