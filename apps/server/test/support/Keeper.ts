/** The agent that keeps sessions and wants a login (`test/agents/keeper.mjs`), and all that is asked of it without a thread. */
import type { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import { type AcpOptions, ProviderId, type ProviderRef, type ProviderStatus } from "@signalbox/contracts/Provider"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as AgentVisits from "../../src/provider/acp/visits/AgentVisits.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as AgentSessions from "../../src/provider/signin/AgentSessions.ts"
import * as SignedIn from "../../src/provider/signin/SignedIn.ts"
import * as SignIns from "../../src/provider/signin/SignIns.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import { ProviderCatalog } from "../../src/provider/Services/ProviderCatalog.ts"
import { providerError } from "../../src/base/ProviderError.ts"
import { ProviderSessionDirectory } from "../../src/provider/Services/ProviderSessionDirectory.ts"
import { scopedFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

export const program = fileURLToPath(new URL("../agents/keeper.mjs", import.meta.url))

export const keeper: ProviderRef = { id: ProviderId.make("keeper"), kind: "acp", name: "Keeper", simulated: true }

/** See the head of the program. */
export interface Setup {
  readonly offers?: { readonly session?: object; readonly load?: boolean; readonly auth?: object }
  readonly authMethods?: ReadonlyArray<object>
  readonly wantsLogin?: ReadonlyArray<string>
  readonly authState?: string
  readonly pageSize?: number
  readonly emptyPages?: boolean
  readonly endless?: boolean
  /** It lists the sessions of one folder only: of its own where none is named. */
  readonly byFolder?: boolean
  /** It finds no session by a folder's name. */
  readonly deafToFolder?: boolean
  /** Whether it sends the history only after the response to the load. */
  readonly historyAfter?: boolean
  /** Whether a session is stored from its first prompt on. Before that, it can't be resumed, forked or deleted. */
  readonly keepsPrompted?: boolean
  /** What these methods are always answered with. */
  readonly errors?: Readonly<
    Record<string, { readonly code: number; readonly message: string; readonly data?: unknown }>
  >
  readonly results?: Readonly<Record<string, object>>
  readonly onAuthenticate?: ReadonlyArray<object>
}

export interface KeptSession {
  readonly sessionId: string
  readonly cwd: string
  readonly title?: string
  readonly updatedAt?: string
  readonly archived?: boolean
  readonly history?: ReadonlyArray<{ readonly user: string; readonly agent: string }>
}

interface State {
  readonly sessions: ReadonlyArray<KeptSession>
  readonly signedIn?: boolean
}

export interface Keeper {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** What it keeps. */
  readonly state: () => State
  readonly put: (state: State) => void
  /** The methods that it was asked, in order, with their parameters. */
  readonly asked: (method?: string) => ReadonlyArray<{ readonly method?: string; readonly params?: unknown }>
  /** Agents on record: none once all have ended. */
  readonly onRecord: () => number
  readonly ledger: typeof ProcessLedger.layerDisabled
}

export const everything = {
  list: {},
  delete: {},
  close: {},
  resume: {},
  fork: {},
  archive: {},
  title: {},
  additionalDirectories: {}
}

/** In a folder of its own, for as long as the scope lives. */
export const make = Effect.fnUntraced(function* (setup: Setup = {}, kept: ReadonlyArray<KeptSession> = []) {
  const folder = yield* scopedFolder
  const file = join(folder, "state.json")
  const log = join(folder, "log.ndjson")
  const record = join(folder, "agents")
  const put = (state: State) => writeFileSync(file, JSON.stringify(state))
  put({ sessions: kept.map((session) => ({ history: [], ...session })) })
  const result: Keeper = {
    folder,
    env: { KEEPER: JSON.stringify({ state: file, ...setup }), KEEPER_LOG: log },
    state: () => JSON.parse(readFileSync(file, "utf8")),
    put,
    asked: (method) =>
      // The last line is still being written.
      (existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [])
        .map((line) => JSON.parse(line))
        .filter((message) => method === undefined || message.method === method),
    onRecord: () => (existsSync(record) ? readdirSync(record).length : 0),
    ledger: ProcessLedger.layer({ folder: record })
  }
  return result
})

/** A catalogue in which the keeper is the only agent. */
const catalogOf = ({ env }: Keeper, acp: AcpOptions = { command: process.execPath, args: [program], env }) => {
  const status: ProviderStatus = {
    provider: keeper,
    description: "Keeps sessions.",
    state: "ready",
    checks: [],
    capabilities: GenericProfile.capabilities
  }
  const options = { acp }
  return Layer.succeed(
    ProviderCatalog,
    ProviderCatalog.of({
      get: (id) =>
        id === keeper.id
          ? Effect.succeed({ provider: keeper, options })
          : Effect.fail(providerError("agent-not-found", `There is no agent called ${id}.`, "It is another.")),
      statuses: Effect.succeed([status]),
      changes: Stream.succeed([status]),
      check: Effect.succeed([status]),
      noteLogin: () => Effect.void
    })
  )
}

/** What pages ask of it beside threads. `held`: the threads that go on with its sessions. */
export const layer = (
  of: Keeper,
  options: {
    readonly held?: ReadonlyMap<ResumeToken, ThreadId>
    /** Those of its threads. */
    readonly folders?: ReadonlyArray<string>
    readonly keep?: Duration.Input
    readonly terminalSignIn?: boolean
    /** How it is reached; started here by default. */
    readonly acp?: AcpOptions
  } = {}
) => {
  const { acp, folders = [], held = new Map<ResumeToken, ThreadId>(), keep, terminalSignIn = true } = options
  const directory = Layer.succeed(
    ProviderSessionDirectory,
    ProviderSessionDirectory.of({
      put: () => Effect.void,
      get: () => Effect.succeedNone,
      remove: () => Effect.void,
      threadsOf: () => Effect.succeed(held),
      foldersOf: () => Effect.succeed(folders)
    })
  )
  const visits = Layer.effect(
    AgentVisits.AgentVisits,
    AgentVisits.make({
      profileOf: () => GenericProfile,
      terminalSignIn,
      timing: { stop: { closeInput: "2 seconds", terminate: "2 seconds" } },
      ...(keep !== undefined && { keep })
    })
  )
  return Layer.merge(AgentSessions.layer, SignIns.layer).pipe(
    Layer.provideMerge(visits),
    Layer.provideMerge(SignedIn.layer),
    Layer.provide([catalogOf(of, acp), of.ledger, directory, NodeServices.layer])
  )
}
