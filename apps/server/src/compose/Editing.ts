/** Composes suggestions for commands, without a server. */
import * as Layer from "effect/Layer"
import type { StopGrace } from "@signalbox/process/Program"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as Editing from "../editing/Editing.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import * as RulesInForce from "../rules/RulesInForce.ts"
import * as Tape from "../tape/Tape.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import { agentsIn } from "../base/StateDirectory.ts"
import * as Run from "./Run.ts"

/** `stateDirectory`: absolute. `stop`: how long an agent may take to end, if not as its profile says. */
export const layer = (stateDirectory: string, stop?: StopGrace) =>
  Editing.layer(stop).pipe(
    Layer.provide([
      Layer.succeed(OwnFolders, [stateDirectory]),
      RulesInForce.layer({ stateFolder: stateDirectory }),
      Run.settingsLayer(stateDirectory),
      ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" }),
      Tape.layerDisabled
    ]),
    Layer.provideMerge(SignedIn.layer)
  )
