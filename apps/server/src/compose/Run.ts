/** Composes `run` and `doctor`: only adapters, without server and database. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditLog from "../audit/AuditLog.ts"
import { type Amended, builtInProviders } from "../provider/catalog/BuiltInProviders.ts"
import * as McpServers from "../mcp/McpServers.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as ProviderCatalog from "../provider/catalog/ProviderCatalog.ts"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import * as SettingsProviders from "../provider/catalog/SettingsProviders.ts"
import * as RulesInForce from "../rules/RulesInForce.ts"
import * as ChosenBySettings from "../language/ChosenBySettings.ts"
import * as SettingsFile from "../settings/SettingsFile.ts"
import * as Tape from "../tape/Tape.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as Adapters from "./Adapters.ts"
import { agentsIn, auditIn } from "../base/StateDirectory.ts"

/** `folder`: the absolute state folder. Changes are noticed when the file is read. */
export const settingsLayer = (folder: string) => SettingsFile.layer({ folder })

export type { Amended }

/** The agents that a command can name. They are not checked: a run finds out about its agent by starting it. */
export const offered = Effect.fnUntraced(
  function* (stateDirectory: string) {
    const { read } = yield* SettingsFile.SettingsFile
    return SettingsProviders.offered(builtInProviders(stateDirectory), yield* read)
  },
  (effect, stateDirectory) => Effect.provide(effect, settingsLayer(stateDirectory))
)

export interface Options {
  /** The absolute path of the file that records everything. */
  readonly tape: Option.Option<string>
  /**
   * The folder with the settings and the record of running agents. If this process is killed, the next one ends its
   * agents by this record. Neither is used by default.
   */
  readonly stateDirectory?: string
  /** A rules file in place of all others. */
  readonly rules?: string | undefined
}

/**
 * The record of agents. If it can't be written, the run goes on: its agents end with it, unless it is killed together
 * with their guard.
 */
const ledger = ({ stateDirectory }: Options) =>
  stateDirectory === undefined
    ? ProcessLedger.layerDisabled
    : ProcessLedger.layer({ folder: agentsIn(stateDirectory), unrecorded: "start" })

const rules = ({ rules: named, stateDirectory }: Options) =>
  stateDirectory === undefined ? Layer.empty : RulesInForce.layer({ stateFolder: stateDirectory, named })

const audit = ({ stateDirectory }: Options) =>
  stateDirectory === undefined ? Layer.empty : AuditLog.layer(auditIn(stateDirectory))

const tools = ({ stateDirectory }: Options) =>
  stateDirectory === undefined ? Layer.empty : Layer.provide(McpServers.layer, settingsLayer(stateDirectory))

const languageServers = ({ stateDirectory }: Options) =>
  stateDirectory === undefined ? Layer.empty : Layer.provide(ChosenBySettings.layer, settingsLayer(stateDirectory))

export const layer = (options: Options) =>
  Adapters.layer.pipe(
    Layer.provide([
      Option.match(options.tape, { onNone: () => Tape.layerDisabled, onSome: (path) => Tape.layerFile({ path }) }),
      ProviderSessionDirectory.layerMemory,
      SignedIn.layer,
      ledger(options),
      Layer.succeed(OwnFolders, options.stateDirectory === undefined ? [] : [options.stateDirectory]),
      rules(options),
      audit(options),
      tools(options),
      languageServers(options)
    ])
  )

export const catalogLayer = (stateDirectory: string, amended?: Amended) =>
  ProviderCatalog.layer(stateDirectory, amended).pipe(
    Layer.provide(layer({ tape: Option.none() })),
    Layer.provideMerge(settingsLayer(stateDirectory))
  )
