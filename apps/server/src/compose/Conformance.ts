/** The services that examine agents in a command, without a server. */
import * as Layer from "effect/Layer"
import * as Conformance from "../conformance/Conformance.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as Run from "./Run.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import { agentsIn, conformanceIn } from "../base/StateDirectory.ts"

/** `stateDirectory`: absolute. */
export const layer = (stateDirectory: string) =>
  Conformance.layer(conformanceIn(stateDirectory)).pipe(
    Layer.provide([
      Layer.succeed(OwnFolders, [stateDirectory]),
      Run.catalogLayer(stateDirectory),
      ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" })
    ])
  )
