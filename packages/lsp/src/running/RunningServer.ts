/** One run of a server's program: begun, asked, brought up to date, and ended. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Document } from "../documents/Document.ts"
import { breathe, type DocumentStore } from "../documents/DocumentStore.ts"
import type { Session } from "../features/Session.ts"
import { LanguageServerError } from "../LanguageServerError.ts"
import type { FileEvent } from "../watching/FileEvent.ts"
import * as Beginning from "./Beginning.ts"
import * as Connection from "./Connection.ts"
import * as Delivery from "./Delivery.ts"
import * as Incoming from "./Incoming.ts"
import * as Questions from "./Questions.ts"
import * as Readiness from "./Readiness.ts"
import * as Registrations from "./Registrations.ts"
import * as Sending from "./Sending.ts"
import * as SentDocuments from "./SentDocuments.ts"
import * as SyncOptions from "./SyncOptions.ts"
import * as Turns from "./Turns.ts"
import * as WatchedFiles from "./WatchedFiles.ts"

export interface Options extends Connection.Options {
  readonly documents: DocumentStore
  /** Hears of progress, and of other changes of its state. */
  readonly onChange: () => void
  /** The server has published findings about a file. */
  readonly onPublished: (params: unknown, run: RunningServer) => Effect.Effect<void>
  /** The server wants to be asked for diagnostics anew. */
  readonly onDiagnosticsStale: () => void
  /** The server gets another text of this file. */
  readonly onMoved: (path: string) => void
  readonly onEdit?: ((wish: Incoming.EditWish) => Effect.Effect<Incoming.EditAnswer>) | undefined
  readonly onSaid: (said: Incoming.Said) => void
  readonly onMalformed: (method: string, count: number, sample: string) => void
}

export interface RunningServer {
  readonly pid: number | undefined
  readonly session: Session
  readonly turns: Turns.Turns
  readonly readiness: Readiness.Readiness
  /** Completes when the program has ended, with a sentence that says how. */
  readonly ended: Effect.Effect<string>
  readonly isOver: () => boolean
  /** Gives the server the text of a document, if it has it open already or `opens` is set. Sends at once. */
  readonly bring: (document: Document, opens?: boolean) => Effect.Effect<void>
  readonly close: (path: string) => Effect.Effect<void>
  /** The text that the server has of a file is about to be written to the disk. */
  readonly willSave: (path: string) => Effect.Effect<void>
  /** The text that the server has of a file was written to the disk. */
  readonly save: (path: string) => Effect.Effect<void>
  /** What the server wants to hear of the disk. Another list after each change. */
  readonly watchers: () => WatchedFiles.Watchers
  /** Files have changed on the disk. The server hears of those that it wants to hear of. */
  readonly filesChanged: (events: ReadonlyArray<FileEvent>) => Effect.Effect<void>
  readonly documents: SentDocuments.SentDocuments
  /** Counts the places of a message of the server in UTF-16. */
  readonly fromServer: (message: unknown, asked?: string) => Effect.Effect<unknown>
  readonly delivery: Delivery.Delivery
  /** Runs something in the background, until the program ends. */
  readonly later: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /** The name and version that the server reports. */
  readonly about: string | undefined
}

/** The protocol wants -32601 for every unknown request of this beginning. */
const confirmation = "$/signalbox/read"

/** Starts the program, and begins the conversation. The scope ends both: politely at first, then by force. */
export const start = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<RunningServer, LanguageServerError, Scope.Scope> {
  const { definition, documents: store, limits, onMalformed, root } = options
  const { id, name } = definition
  const scope = yield* Effect.scope
  const readiness = Readiness.make(definition.readySign ?? "initialized", options.onChange)
  let registrations = Registrations.make({})
  let watchers: WatchedFiles.Watchers = []
  let run: RunningServer | undefined

  const failure = (reason: LanguageServerError["reason"], message: string, code?: number) =>
    new LanguageServerError({ reason, server: id, message, ...(code !== undefined && { code }) })

  const connection = yield* Connection.start(options, () =>
    Incoming.handlers({
      server: id,
      root,
      settings: definition.settings,
      registrations: () => registrations,
      readiness,
      onPublished: (params) => (run === undefined ? Effect.void : options.onPublished(params, run)),
      onDiagnosticsStale: options.onDiagnosticsStale,
      onRegistered: () => {
        watchers = WatchedFiles.of(registrations, root)
        options.onChange()
      },
      onEdit: options.onEdit,
      onSaid: options.onSaid,
      onMalformed
    })
  )
  const { ended, peer, pid } = connection
  yield* Effect.addFinalizer(() => (connection.isOver() ? Effect.void : connection.stop))
  const { about, encoding } = yield* Beginning.begin({
    definition,
    root,
    limits,
    appliesEdits: options.onEdit !== undefined,
    peer,
    ended,
    failure,
    onDeclared: (capabilities) => {
      registrations = Registrations.make(capabilities)
    }
  })
  const sent = SentDocuments.make({ encoding, syncOf: (document) => SyncOptions.of(registrations, document) })
  const delivery = Delivery.make()

  /** Asks what no server knows and each must answer with an error. The answer shows that it has read what came before. */
  const confirm = Effect.suspend(() => {
    const answered = delivery.asked()
    const call = peer.call(confirmation, undefined, {
      onResponse: (_, line) => Effect.sync(() => line !== undefined && answered())
    })
    return Effect.asVoid(Effect.timeoutOption(Effect.exit(call), limits.answer))
  })

  const sendAll = Sending.make({ peer, scope, longest: limits.answer, onStuck: connection.giveUp })

  const bring: RunningServer["bring"] = (document, opens = false) =>
    Effect.suspend(() => {
      if (!opens && sent.of(document.path) === undefined) return Effect.void
      const messages = sent.bring(document)
      if (messages.length === 0) return Effect.void
      delivery.sent(document.path)
      options.onMoved(document.path)
      return Effect.andThen(sendAll(messages), Effect.forkIn(confirm, scope))
    })

  const close = (path: string) => Effect.suspend(() => sendAll(sent.close(path)))

  /** Brings an open file of the disk up to date, or closes it if it is gone. */
  const refresh = (path: string) =>
    Effect.flatMap(
      Effect.orElseSucceed(store.current(path), () => undefined),
      (document) => (document === undefined ? close(path) : bring(document))
    )

  const send = (path: string): Effect.Effect<Document, LanguageServerError> =>
    Effect.gen(function* () {
      // The answer may depend on any of them.
      const others = sent.all().filter((each) => each.owner === "disk" && each.path !== path)
      yield* Effect.forEach(yield* store.changedOf(others), (other) => refresh(other.path), { discard: true })
      const document = yield* store.current(path)
      if (document === undefined) {
        yield* close(path)
        return yield* failure("DocumentUnusable", `${path} does not exist. Look for where it has gone.`)
      }
      if (sent.of(path) === undefined) yield* breathe(document.lines.length)
      yield* bring(document, true)
      return document
    })

  const suppose = (path: string, text: string): Effect.Effect<Document, LanguageServerError> =>
    Effect.gen(function* () {
      const supposed = store.supposed(yield* send(path), text)
      yield* breathe(text.length)
      yield* bring(supposed, true)
      return supposed
    })

  /** Gives the server the file's own text, if it has one that a question supposes. */
  const restored = (path: string) =>
    Effect.suspend(() => (sent.of(path)?.owner === "question" ? refresh(path) : Effect.void))

  const { ask, askAnyway, fromServer } = Questions.make({
    name,
    peer,
    limits,
    encoding,
    registrations,
    sent,
    store,
    delivery,
    ended,
    again: (document) => (document.owner === "question" ? bring(document, true) : Effect.asVoid(send(document.path))),
    failure
  })

  run = {
    pid,
    session: {
      offer: (method, document) => registrations.offer(method, document),
      send,
      suppose,
      has: ({ opening, path, version }) => {
        const now = sent.of(path)
        return now?.opening === opening && now.version === version
      },
      ask,
      askAnyway,
      encoding,
      onMalformed,
      malformed: (method, why) => failure("Malformed", `The answer of ${name} to ${method} can't be used: ${why}.`)
    },
    turns: Turns.make(limits, () =>
      failure("TimedOut", `${name} is busy with other questions, or did not answer this one in time. Ask again.`)
    ),
    readiness,
    ended,
    isOver: connection.isOver,
    bring,
    close,
    willSave: (path) =>
      Effect.andThen(
        restored(path),
        Effect.suspend(() => sendAll(sent.willSave(path)))
      ),
    save: (path) =>
      Effect.andThen(
        restored(path),
        Effect.suspend(() => sendAll(sent.save(path)))
      ),
    watchers: () => watchers,
    filesChanged: (events) =>
      Effect.flatMap(
        Effect.suspend(() => WatchedFiles.messages(watchers, events)),
        sendAll
      ),
    documents: sent,
    fromServer,
    delivery,
    later: (effect) => Effect.asVoid(Effect.forkIn(effect, scope)),
    about
  }
  return run
})
