/** The recorder of a desk, as long as what happens there is recorded. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Recorder } from "../recording/Recorder.ts"
import type { OpenDocuments } from "./OpenDocuments.ts"
import type { Sendable } from "./Sendable.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"

export interface DeskRecorder {
  readonly now: () => Recorder | undefined
  /** Records from the documents that are open now until the scope closes. */
  readonly use: (recorder: Recorder) => Effect.Effect<void, never, Scope.Scope>
  /** The files as the agent may know them, which is recorded too. */
  readonly reading: (sendable: Sendable) => Pick<Sendable, "ofAll" | "read">
}

export interface Options {
  readonly documents: () => Pick<OpenDocuments, "follow" | "unfollow">
  readonly running: () => SuggestionSource | undefined
  /** Runs when another recorder is used, or none. */
  readonly onChange: Effect.Effect<void>
}

export const make = ({ documents, onChange, running }: Options): DeskRecorder => {
  let recorder: Recorder | undefined
  return {
    now: () => recorder,
    use: (next) => {
      const begin = Effect.suspend(() => {
        recorder = next
        const source = running()
        if (source !== undefined) next.started(source)
        return Effect.andThen(documents().follow(next.documents), onChange)
      })
      const end = Effect.suspend(() => {
        if (recorder === next) recorder = undefined
        return Effect.andThen(documents().unfollow(next.documents), onChange)
      })
      return Effect.acquireRelease(begin, () => end)
    },
    reading: ({ ofAll, read }) => ({
      ofAll,
      read: (path, most) => Effect.tap(read(path, most), (file) => Effect.sync(() => recorder?.read(path, file?.text)))
    })
  }
}
