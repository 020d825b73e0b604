/** Composes suggestions for commands, without a server. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
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

export interface Options extends Editing.Options {
  /** The absolute path of the file that records every line between Signalbox and the agent. */
  readonly tape?: Option.Option<string>
  /** Whether what becomes of suggestions is left out of the counts. */
  readonly isTrial?: boolean
}

/** `stateDirectory`: absolute. */
export const layer = (stateDirectory: string, { isTrial = false, tape = Option.none(), ...editing }: Options = {}) =>
  Editing.layer(editing).pipe(
    Layer.provide([
      Layer.succeed(OwnFolders, [stateDirectory]),
      AuditLog.layer(auditIn(stateDirectory)),
      RulesInForce.layer({ stateFolder: stateDirectory }),
      isTrial ? Layer.empty : SuggestionTally.layer(suggestionCountsIn(stateDirectory)),
      Run.settingsLayer(stateDirectory),
      ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" }),
      Option.match(tape, { onNone: () => Tape.layerDisabled, onSome: (path) => Tape.layerFile({ path }) })
    ]),
    Layer.provideMerge(SignedIn.layer)
  )
