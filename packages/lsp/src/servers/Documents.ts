/** Documents that editors have open. Servers that run get each change at once; a server that starts later gets the text as it is then. */
import type { Change } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { Document } from "../documents/Document.ts"
import { breathe, type DocumentStore, type Opened } from "../documents/DocumentStore.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { FileEvent } from "../watching/FileEvent.ts"
import type { Slot } from "./Slot.ts"

export interface Documents {
  /** An editor has opened a file. Its text wins over that of the disk until it is closed. Starts no server. */
  readonly open: (opened: Opened) => Effect.Effect<void, LanguageServerError>
  /** The range of each change is about what the one before it has made. Versions rise. */
  readonly change: (
    path: string,
    version: number,
    changes: ReadonlyArray<Change>
  ) => Effect.Effect<void, LanguageServerError>
  /** The editor's text was written to the disk. */
  readonly save: (path: string) => Effect.Effect<void>
  readonly close: (path: string) => Effect.Effect<void>
  /** The text that an editor has open. Undefined if none has it. */
  readonly textOf: (path: string) => string | undefined
  /** The editor's text is about to be written to the disk. Edits that servers want before are had by `beforeSave`. */
  readonly willSave: (path: string) => Effect.Effect<void>
  /** Files were changed on the disk, as by an agent. Servers that have them open get the new text, and all hear of what they have asked for. */
  readonly changedOnDisk: (events: ReadonlyArray<FileEvent>) => Effect.Effect<void>
}

export const make = (store: DocumentStore, slots: () => ReadonlyArray<Slot>): Documents => {
  // One that does not read holds up no other.
  const toEach = (send: (slot: Slot) => Effect.Effect<void>) =>
    Effect.forEach(slots(), send, { concurrency: "unbounded", discard: true })
  const bring = (document: Document, opens: boolean) =>
    toEach((slot) => {
      const isMeant = opens && slot.covers(document)
      if (isMeant) slot.touch()
      return slot.running()?.bring(document, isMeant) ?? Effect.void
    })

  return {
    open: (opened) =>
      Effect.flatMap(store.open(opened), (document) =>
        Effect.andThen(breathe(opened.text.length), bring(document, true))
      ),
    change: (path, version, changes) =>
      Effect.flatMap(store.change(path, version, changes), (document) => bring(document, true)),
    save: (path) => toEach((slot) => slot.running()?.save(path) ?? Effect.void),
    close: (path) =>
      Effect.andThen(
        store.close(path),
        toEach((slot) => slot.running()?.close(path) ?? Effect.void)
      ),
    textOf: (path) => {
      const document = store.seen(path)
      return document?.owner === "editor" ? document.lines.text : undefined
    },
    willSave: (path) => toEach((slot) => slot.running()?.willSave(path) ?? Effect.void),
    changedOnDisk: (events) =>
      Effect.gen(function* () {
        const isOpen = (path: string) => slots().some((slot) => slot.running()?.documents.of(path) !== undefined)
        for (const { path } of events.filter((event) => isOpen(event.path))) {
          // A file that can't be read any more is closed.
          const document = yield* Effect.orElseSucceed(store.current(path), () => undefined)
          yield* document === undefined
            ? toEach((slot) => slot.running()?.close(path) ?? Effect.void)
            : bring(document, false)
        }
        yield* toEach((slot) => slot.running()?.filesChanged(events) ?? Effect.void)
      })
  }
}
