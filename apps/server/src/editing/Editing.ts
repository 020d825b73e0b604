/** The desks for suggestions: one for each agent and workspace, which all editors share that use both. */
import { defaultDebounceMs } from "@signalbox/contracts/Settings"
import { AuditLog } from "../audit/AuditLog.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type { StopGrace } from "@signalbox/process/Program"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import { defaultTiming } from "../provider/acp/profile/SessionTiming.ts"
import { startTiming } from "../provider/catalog/StartTiming.ts"
import * as Drivers from "../provider/drivers/Drivers.ts"
import { SignedIn } from "../provider/Services/SignedIn.ts"
import { TerminalSignIn } from "../provider/Services/TerminalSignIn.ts"
import { RulesInForce } from "../rules/RulesInForce.ts"
import * as SettingsFile from "../settings/SettingsFile.ts"
import { SuggestionTally } from "../tally/SuggestionTally.ts"
import { Tape } from "../tape/Tape.ts"
import * as Containment from "../workspace/Containment.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as DeskRecordings from "./DeskRecordings.ts"
import * as Sendable from "./Sendable.ts"
import * as SuggestionDesk from "./SuggestionDesk.ts"
import type { SuggestionPlace } from "./SuggestionPlace.ts"
import type { ChosenSettings } from "./SuggestionSettings.ts"
import * as SuggestionSource from "./SuggestionSource.ts"

export class Editing extends Context.Service<
  Editing,
  {
    /** The desk of a place. Its agent ends when nobody has the desk any more, and after a while without questions. */
    readonly desk: (place: SuggestionPlace) => Effect.Effect<SuggestionDesk.SuggestionDesk, never, Scope.Scope>
  }
>()("@signalbox/server/editing/Editing") {}

/** How long an agent is kept without a question. */
const defaultIdle = Duration.minutes(5)

export interface Options {
  /** How long an agent may take to end. Its profile says that by default. */
  readonly stop?: StopGrace
  /** How long a desk that nobody has is kept for the next one. The default is not at all. */
  readonly keep?: Duration.Input
  /** How long an agent is kept without a question. The default is five minutes. */
  readonly idle?: Duration.Input
  /** Says into which folder it is recorded what people edit. Default: nothing is recorded. */
  readonly recordings?: DeskRecordings.Place
  /** What people have chosen of the settings of a place's agent. Default: it holds as long as the desk. */
  readonly chosen?: (place: SuggestionPlace) => ChosenSettings
  /** Puts another view in place of the files of a workspace. */
  readonly files?: (real: Sendable.Sendable) => Sendable.Sendable
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { chosen, files = (real) => real, idle = defaultIdle, keep = Duration.zero, recordings, stop } = options
  const settings = yield* SettingsFile.SettingsFile
  const profileOf = yield* Drivers.profiles
  const own = yield* OwnFolders
  const counts = yield* SuggestionTally
  const shared = {
    ledger: yield* ProcessLedger,
    timing: { ...defaultTiming, ...(yield* startTiming), ...(stop !== undefined && { stop }) },
    terminalSignIn: yield* TerminalSignIn,
    ownFolders: own,
    rules: yield* RulesInForce,
    auditLog: yield* AuditLog,
    signedIn: yield* SignedIn,
    tape: yield* Tape
  }

  /** Undefined if the settings have a fault there: then nobody knows what people have listed. */
  const neverSend = Effect.map(settings.read, ({ faults, settings: { suggestions } }) =>
    faults.some(({ entry: [section] }) => section === undefined || section === "suggestions")
      ? undefined
      : (suggestions?.neverSend ?? [])
  )

  const desks = yield* RcMap.make({
    idleTimeToLive: keep,
    lookup: Effect.fnUntraced(function* (place: SuggestionPlace) {
      const { settings: now } = yield* settings.read
      const profile = profileOf(place.provider.kind)
      const tally = counts.of(place.provider)
      // A folder may be named by a link, and files are compared without links.
      const roots = yield* Containment.pin(place.roots)
      const desk = yield* SuggestionDesk.make({
        roots,
        folders: place.roots,
        sendable: files(Sendable.make({ roots, own, neverSend })),
        start: SuggestionSource.start(place, { ...shared, profile, tally }),
        tally,
        debounceMs: now.suggestions?.debounce ?? defaultDebounceMs,
        idle,
        ...(chosen !== undefined && { chosen: chosen(place) })
      })
      if (recordings !== undefined) yield* DeskRecordings.keep(desk, place, recordings, settings.changes)
      return desk
    })
  })

  return Editing.of({ desk: (place) => RcMap.get(desks, place) })
})

export const layer = (options: Options = {}) => Layer.effect(Editing, make(options))
