/** Takes what a server publishes about files, and leaves out what is about an older text. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Document } from "../documents/Document.ts"
import * as Diagnostic from "../features/Diagnostic.ts"
import * as Reading from "../features/Reading.ts"
import * as FileUri from "../FileUri.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { RunningServer } from "../running/RunningServer.ts"
import type { DiagnosticStore, Finder } from "./DiagnosticStore.ts"

/** Most findings of a server about one file that are kept, and most characters of their messages. */
const mostKept = 20_000
const mostCharacters = 2 * 1024 * 1024

/** The first findings whose messages have room. */
const fitting = (items: ReadonlyArray<Diagnostic.Diagnostic>): ReadonlyArray<Diagnostic.Diagnostic> => {
  let left = mostCharacters
  const end = items.findIndex(({ message, related }) => {
    left -= message.length
    for (const one of related) left -= one.message.length
    return left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}

/** A publication is read in slices, so the file may have changed by its end. */
const isAbout = (document: Document | undefined, run: RunningServer, path: string): boolean => {
  const now = run.documents.of(path)
  return now?.version === document?.version && now?.opening === document?.opening
}

/** Reads findings about a file, whose places are counted in UTF-16, and puts them in the store. */
export const takeRead = Effect.fnUntraced(function* (
  store: DiagnosticStore,
  finder: Finder,
  run: RunningServer,
  uri: string,
  diagnostics: unknown,
  isCurrent: boolean
): Effect.fn.Return<void, LanguageServerError> {
  const path = FileUri.pathOf(uri)
  if (path === undefined) return
  const document = run.documents.of(path)
  // Nobody has this text. The server finds what is wrong in the file's own when it gets that again.
  if (document?.owner === "question") return
  const given: ReadonlyArray<unknown> = Array.isArray(diagnostics) ? diagnostics : []
  const kept = given.length > mostKept ? given.slice(0, mostKept) : given
  const read = yield* Reading.list(run.session, "diagnostics", Diagnostic.reader, kept)
  const items = fitting(read)
  store.put(finder, {
    path,
    uri: FileUri.of(path),
    version: document?.version,
    isCurrent: isCurrent && isAbout(document, run, path),
    items,
    leftOut: given.length - kept.length + read.length - items.length
  })
})

/** Silence after which a publication counts that came before the server had surely read our text. */
const heldFor = "1 second"
/** Silence after which a publication without a version is the last one about a text. Servers report in several steps. */
const settlesAfter = "500 millis"

/** Takes `textDocument/publishDiagnostics`. */
export const publish = Effect.fnUntraced(function* (
  store: DiagnosticStore,
  finder: Finder,
  run: RunningServer,
  params: unknown
): Effect.fn.Return<void> {
  const { session } = run
  const { diagnostics, uri, version } = Predicate.isObject(params) ? params : {}
  if (typeof uri !== "string" || !Array.isArray(diagnostics)) {
    session.onMalformed("textDocument/publishDiagnostics", 1, typeof uri !== "string" ? "uri" : "diagnostics")
    return
  }
  const path = FileUri.pathOf(uri)
  if (path === undefined) return
  const document = run.documents.of(path)
  const accept = (isCurrent: boolean) =>
    run.fromServer(diagnostics, uri).pipe(
      Effect.flatMap((placed) => takeRead(store, finder, run, uri, placed, isCurrent)),
      // A list is always read, without its malformed items.
      Effect.ignore
    )
  const { delivery } = run
  delivery.published(path)
  if (document === undefined) return yield* accept(true)
  if (typeof version === "number") {
    if (version > document.version)
      session.onMalformed("textDocument/publishDiagnostics", 1, `version ${version} of ${path} was never sent`)
    return version === document.version ? yield* accept(true) : undefined
  }
  /** Does something unless the server publishes again meanwhile, or gets another text. */
  const unlessMore = (then: Effect.Effect<void>, silence: Duration.Input) => {
    const publications = delivery.publications(path)
    return Effect.andThen(
      Effect.sleep(silence),
      Effect.suspend(() =>
        delivery.publications(path) === publications && isAbout(document, run, path) ? then : Effect.void
      )
    )
  }
  if (delivery.hasRead(path)) {
    yield* accept(false)
    return yield* run.later(
      unlessMore(
        Effect.sync(() => store.settled(finder, path, document.version)),
        settlesAfter
      )
    )
  }
  // It may be about the text before. It counts if nothing else comes, and then nobody knows which text it is about.
  yield* run.later(unlessMore(Effect.andThen(delivery.untilRead(path), accept(false)), heldFor))
})
