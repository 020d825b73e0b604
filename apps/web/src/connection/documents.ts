/** Files of threads on the server: watched, saved and merged from the page. */
import type {
  DocumentAddress,
  DocumentFrame,
  DocumentMerged,
  DocumentSaved,
  DocumentToMerge,
  DocumentToSave
} from "@signalbox/contracts/Documents"
import type { FolderFrame } from "@signalbox/contracts/FolderEntries"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { pageId } from "../browser/pageId.ts"
import { following, persistently } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** Watches a file until the signal ends it. `write`: whether this page wants to edit it. */
export const followDocument = (
  address: DocumentAddress & { readonly write: boolean },
  onFrames: (frames: ReadonlyArray<DocumentFrame>) => void,
  onRefused: (refused: Refused) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => client.watchDocument({ ...address, page: pageId }),
    (frames) => onFrames(frames)
  ).pipe(Effect.catch((refused) => Effect.sync(() => onRefused(refused))))
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/** Watches a folder of a thread until the signal ends it. */
export const followFolder = (
  address: DocumentAddress,
  onFrame: (frame: FolderFrame) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => client.watchFolder(address),
    (frames) => frames.slice(-1).forEach(onFrame)
  ).pipe(Effect.catch(({ problem }) => Effect.sync(() => onFrame({ type: "refused", problem }))))
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/** Lets this page edit a file that another page edits. Rejects with `Refused`. */
export const takeOverDocument = (address: DocumentAddress): Promise<void> =>
  Effect.runPromise(persistently((client) => client.takeOverDocument({ ...address, page: pageId })))

/** Saves a file over the text that it was made from. Rejects with `Refused`. */
export const saveDocument = (document: Omit<DocumentToSave, "page">): Promise<DocumentSaved> =>
  Effect.runPromise(persistently((client) => client.saveDocument({ ...document, page: pageId })))

/** Merges a text with what is on the disk. Writes nothing. Rejects with `Refused`. */
export const mergeDocument = (texts: DocumentToMerge): Promise<DocumentMerged> =>
  Effect.runPromise(persistently((client) => client.mergeDocument(texts)))
