/** Composes the commands that ask agents without a server and without a thread. */
import * as Layer from "effect/Layer"
import * as AgentSessions from "../provider/signin/AgentSessions.ts"
import * as AgentVisits from "../provider/signin/AgentVisits.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import * as SignIns from "../provider/signin/SignIns.ts"
import type { Amended } from "../provider/catalog/BuiltInProviders.ts"
import { TerminalSignIn } from "../provider/Services/TerminalSignIn.ts"
import * as Run from "./Run.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import { agentsIn } from "../base/StateDirectory.ts"

/** `stateDirectory`: an absolute path. `terminal`: whether an agent may use the terminal that we run in. */
export const layer = (stateDirectory: string, terminal: boolean, amended?: Amended) =>
  Layer.merge(AgentSessions.layer, SignIns.layer).pipe(
    Layer.provide(AgentVisits.layer),
    Layer.provideMerge(Run.catalogLayer(stateDirectory, amended)),
    Layer.provide([
      Layer.succeed(OwnFolders, [stateDirectory]),
      SignedIn.layer,
      ProviderSessionDirectory.layerMemory,
      ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" }),
      Layer.succeed(TerminalSignIn, terminal)
    ])
  )
