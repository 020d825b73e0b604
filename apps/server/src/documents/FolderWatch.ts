/** A folder as it changes on the disk. It is looked at again and again, and listed again when something has changed. */
import type { FolderFrame } from "@signalbox/contracts/FolderEntries"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import type { DocumentPlace } from "./DocumentPlace.ts"
import * as DocumentProblem from "./DocumentProblem.ts"
import * as FolderListing from "./FolderListing.ts"

/** How often a folder is looked at while a page shows it. */
const interval = "1 second"

/** The clock of a file system is coarse, in milliseconds: what was written so shortly before a listing may come again in the same tick. */
const tick = 50

interface Seen {
  /** The state of the folder. Undefined: it is to be listed again. */
  readonly facts?: string | undefined
  /** Names the frame that was sent last. */
  readonly sent?: string
}

/** The folder now, and after every change. */
export const changes = (place: DocumentPlace): Stream.Stream<FolderFrame> =>
  Stream.unwrap(
    Effect.map(Ref.make<Seen>({}), (seen) =>
      Stream.tick(interval).pipe(
        Stream.mapEffect(() => look(place, seen)),
        Stream.flattenIterable
      )
    )
  )

const look = Effect.fnUntraced(function* (place: DocumentPlace, seen: Ref.Ref<Seen>) {
  const before = yield* Ref.get(seen)
  const { changedAt, facts } = yield* factsOf(place)
  if (facts !== undefined && facts === before.facts) return []
  const isSettled = (yield* Clock.currentTimeMillis) - changedAt > tick
  const frame = yield* frameOf(place)
  const sent = JSON.stringify(frame)
  yield* Ref.set(seen, { facts: isSettled ? facts : undefined, sent })
  return sent === before.sent ? [] : [frame]
})

/** What changes when an entry comes or goes, or when the folder's own list for git changes. */
const factsOf = ({ grant: { roots }, path }: DocumentPlace) =>
  Effect.promise(async () => {
    const looked = [path, join(path, ".gitignore"), ...roots.map((root) => join(root, ".gitignore"))]
    const found = await Promise.all(looked.map((one) => stat(one, { bigint: true }).catch(() => undefined)))
    const [folder] = found
    return {
      changedAt: Math.max(0, ...found.map((one) => Number(one?.ctimeMs ?? 0))),
      facts: folder && found.map((one) => one && [one.dev, one.ino, one.mtimeNs, one.ctimeNs].join(" ")).join("\n")
    }
  })

const frameOf = Effect.fnUntraced(function* (place: DocumentPlace) {
  const listing = yield* Effect.result(FolderListing.read(place))
  if (Result.isSuccess(listing)) {
    const frame: FolderFrame = { type: "entries", ...listing.success }
    return frame
  }
  const { problem } = yield* DocumentProblem.unlisted(place, listing.failure)
  const frame: FolderFrame = { type: "refused", problem }
  return frame
})
