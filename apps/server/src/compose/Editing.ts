/** Composes suggestions for commands, without a server. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StopGrace } from "@signalbox/process/Program"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as AuditLog from "../audit/AuditLog.ts"
import * as Editing from "../editing/Editing.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import * as RulesInForce from "../rules/RulesInForce.ts"
import * as SuggestionTally from "../tally/SuggestionTally.ts"
import * as Tape from "../tape/Tape.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import { agentsIn, auditIn, suggestionCountsIn } from "../base/StateDirectory.ts"
import * as Run from "./Run.ts"

export interface Options {
  /** How long an agent may take to end, if not as its profile says. */
  readonly stop?: StopGrace
  /** The absolute path of the file that records every line between Signalbox and the agent. */
  readonly tape?: Option.Option<string>
}

/** `stateDirectory`: absolute. */
export const layer = (stateDirectory: string, { stop, tape = Option.none() }: Options = {}) =>
  Editing.layer(stop === undefined ? {} : { stop }).pipe(
    Layer.provide([
      Layer.succeed(OwnFolders, [stateDirectory]),
      AuditLog.layer(auditIn(stateDirectory)),
      RulesInForce.layer({ stateFolder: stateDirectory }),
      SuggestionTally.layer(suggestionCountsIn(stateDirectory)),
      Run.settingsLayer(stateDirectory),
      ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" }),
      Option.match(tape, { onNone: () => Tape.layerDisabled, onSome: (path) => Tape.layerFile({ path }) })
    ]),
    Layer.provideMerge(SignedIn.layer)
  )
