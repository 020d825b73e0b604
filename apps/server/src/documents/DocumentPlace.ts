/** The place of a document: its path in the folder of its thread, and what may be done below that folder. */
import { resolvePath, shownPath } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Containment from "../workspace/Containment.ts"
import { type Grant, OwnFolders } from "../workspace/ProtectedPaths.ts"

export interface DocumentPlace {
  /** The absolute path, with its links. */
  readonly path: string
  /** The path for people: from the folder of the thread. */
  readonly shown: string
  readonly grant: Grant
}

/** `folder`: that of the thread, absolute. `path`: absolute, or from there. */
export const of = Effect.fn("DocumentPlace.of")(function* (folder: string, path: string) {
  const own = yield* OwnFolders
  const absolute = resolvePath(path, folder)
  const place: DocumentPlace = {
    path: absolute,
    shown: shownPath(absolute, folder),
    grant: { roots: yield* Containment.pin([folder]), own }
  }
  return place
})
