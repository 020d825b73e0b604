/** A document as it changes on the disk. The file is looked at again and again, so no way of writing it is missed. */
import type { DocumentFrame } from "@signalbox/contracts/Documents"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as DocumentFile from "./DocumentFile.ts"
import type { DocumentPlace } from "./DocumentPlace.ts"
import * as DocumentProblem from "./DocumentProblem.ts"

/** How often a file is looked at while a page has it open. */
const interval = "400 millis"

/** A file that is being written is read when it has been the same for so long. */
const settling = "60 millis"

/** How often a file is waited for. One that is written all the time is read all the same. */
const mostWaits = 5

/** What the page was sent last, or has saved since. */
export interface Seen {
  /** The facts of the file that was sent. */
  readonly facts?: DocumentFile.FileFacts | undefined
  /** The facts of the file that the page has saved. They only help to find it again: somebody may have written since. */
  readonly saved?: DocumentFile.FileFacts | undefined
  /** Names the frame. */
  readonly key?: string
}

/** The file now, and after every change from what was seen. */
export const changes = (place: DocumentPlace, seen: Ref.Ref<Seen>): Stream.Stream<DocumentFrame> =>
  Stream.tick(interval).pipe(
    Stream.mapEffect(() => look(place, seen)),
    Stream.flattenIterable
  )

/** What a page has seen that has just saved a file. */
export const afterSave = (version: string, saved: DocumentFile.FileFacts | undefined): Seen => ({
  key: keyOf(version),
  saved
})

const keyOf = (version: string, readOnly = ""): string => `text ${version} ${readOnly}`

const look = Effect.fnUntraced(function* (place: DocumentPlace, seen: Ref.Ref<Seen>) {
  const before = yield* Ref.get(seen)
  const now = yield* frame(place, before)
  if (now === undefined || now.key === before.key) {
    if (now !== undefined) yield* Ref.set(seen, now)
    return []
  }
  yield* Ref.set(seen, now)
  return [now.frame]
})

interface Look extends Seen {
  readonly key: string
  readonly frame: DocumentFrame
}

/** What there is to send. Undefined if nothing has changed. */
const frame = Effect.fnUntraced(function* (place: DocumentPlace, before: Seen) {
  const facts = yield* Effect.result(settled(place, before.facts))
  if (Result.isFailure(facts)) return refused(yield* DocumentProblem.unreadable(place, facts.failure))
  const found = facts.success
  if (found === undefined) return before.key === gone ? undefined : yield* lost(place, before.facts ?? before.saved)
  if (found.key === before.facts?.key) return undefined
  const document = yield* Effect.result(DocumentFile.read(place, found))
  if (Result.isFailure(document)) return refused(document.failure, found)
  const { readOnly, version } = document.success
  const look: Look = {
    facts: found,
    key: keyOf(version, readOnly),
    frame: { type: "text", document: document.success }
  }
  return look
})

const gone = "gone"

const lost = Effect.fnUntraced(function* (place: DocumentPlace, known: DocumentFile.FileFacts | undefined) {
  const movedTo = known === undefined ? undefined : yield* DocumentFile.renamed(place, known)
  const look: Look = { key: gone, frame: { type: "gone", ...(movedTo !== undefined && { movedTo }) } }
  return look
})

const refused = ({ problem }: Refused, facts?: DocumentFile.FileFacts): Look => ({
  facts,
  key: `refused ${problem.title} ${problem.cause}`,
  frame: { type: "refused", problem }
})

/** The facts of the file. If they are others than before, it waits until they stay the same for a moment. */
const settled = Effect.fnUntraced(function* (place: DocumentPlace, before: DocumentFile.FileFacts | undefined) {
  let found = yield* DocumentFile.facts(place)
  if (before === undefined) return found
  for (let waits = 0; waits < mostWaits; waits++) {
    if (found?.key === before.key) return found
    yield* Effect.sleep(settling)
    const next = yield* DocumentFile.facts(place)
    if (next?.key === found?.key) return next
    found = next
  }
  return found
})
