/** Begins and ends recordings of a desk, as the settings or a command say. */
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Recorder from "../recording/Recorder.ts"
import * as RecordingFolder from "../recording/RecordingFolder.ts"
import type { SettingsReading } from "../settings/SettingsText.ts"
import type { SuggestionDesk } from "./SuggestionDesk.ts"
import type { SuggestionPlace } from "./SuggestionPlace.ts"

export interface Place {
  /** The absolute folder that gets a new file for each recording. */
  readonly folder: string
  /** Whether it is recorded whatever the settings say. Default: false. */
  readonly always?: boolean
}

/** Records until the scope closes, as wanted at each moment. Returns when the first recording has begun, if one is wanted. */
export const keep = Effect.fn("DeskRecordings.keep")(function* (
  desk: Pick<SuggestionDesk, "record">,
  place: SuggestionPlace,
  { always = false, folder }: Place,
  settings: Stream.Stream<SettingsReading>
): Effect.fn.Return<void, never, Scope.Scope> {
  const ready = Latch.makeUnsafe(false)
  const isWanted = always
    ? Stream.make(true)
    : Stream.changes(Stream.map(settings, ({ settings: { suggestions } }) => suggestions?.record === true))
  const recorded = Effect.gen(function* () {
    const path = yield* RecordingFolder.next(folder, place.provider.id)
    const { provider, providerOptions, roots } = place
    const secrets = Secrets.of({ ...process.env, ...providerOptions.acp?.env })
    const recorder = yield* Recorder.make({ path, agent: provider, roots, secrets }).pipe(
      Effect.mapError((reason) => `${path} can't be written: ${reason}.`)
    )
    yield* desk.record(recorder)
    ready.openUnsafe()
    return yield* recorder.stopped
  }).pipe(
    Effect.scoped,
    Effect.catch((why) => Effect.succeed(why)),
    Effect.flatMap((why) => Effect.logWarning(`What is edited is not recorded. ${why}`)),
    Effect.ensuring(Effect.sync(() => ready.openUnsafe()))
  )
  yield* isWanted.pipe(
    Stream.switchMap((wanted) => Stream.fromEffect(wanted ? recorded : Effect.sync(() => ready.openUnsafe()))),
    Stream.runDrain,
    Effect.forkScoped
  )
  yield* ready.await
})
