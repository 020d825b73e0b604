/**
 * The public registry of agents: the list that is shipped with Signalbox, or the latest one that somebody loaded. It is
 * never loaded automatically.
 */
import type { InstallPlan, RegistryAgent, RegistryListing } from "@signalbox/contracts/Registry"
import type { Problem } from "@signalbox/contracts/Problem"
import type { Settings } from "@signalbox/contracts/Settings"
import { Refused } from "@signalbox/contracts/Refused"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { registryFile } from "../base/Installation.ts"
import * as PrivateFile from "@signalbox/system/PrivateFile"
import { messageOf } from "@signalbox/system/SystemError"
import { SettingsFile } from "../settings/SettingsFile.ts"
import * as Download from "./Download.ts"
import * as InstallPlans from "./InstallPlans.ts"
import * as RegistryFormat from "./RegistryFormat.ts"

export interface Known {
  readonly source: RegistryListing["source"]
  readonly at?: number
  readonly entries: ReadonlyArray<RegistryFormat.RegistryEntry>
  readonly unreadable: ReadonlyArray<string>
}

export class Registry extends Context.Service<
  Registry,
  {
    /** The registry as the page and the command line show it. */
    readonly list: Effect.Effect<RegistryListing, Refused>
    /** Loads the registry again. A failure keeps the earlier list. */
    readonly refresh: Effect.Effect<RegistryListing, Refused>
    /** The plan to install an agent now. */
    readonly plan: (
      id: string
    ) => Effect.Effect<{ readonly entry: RegistryFormat.RegistryEntry; readonly plan: InstallPlan }, Refused>
  }
>()("@signalbox/server/registry/Registry") {}

export interface Options {
  /** The state folder, absolute. */
  readonly folder: string
  /** The address of the registry; the public one by default. */
  readonly address?: string
  /** The platform; this machine's by default. */
  readonly platform?: string
}

const publicAddress = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json"

const limits: Download.Limits = { bytes: 4 * 1024 * 1024, silence: "10 seconds" }
const deadline = "30 seconds"

/** The stored registry. It keeps all members, also unknown ones. */
const Kept = Schema.fromJsonString(
  Schema.Struct({ at: Schema.Finite, address: Schema.String, registry: Schema.Unknown })
)
const decodeKept = Schema.decodeUnknownResult(Kept)

/** The folder of downloaded agents. */
export const agentsFolder = (folder: string): string => join(folder, "agents-installed")

export const refused = (
  title: string,
  cause: string,
  more: Partial<Pick<Problem, "code" | "evidence" | "nextSteps">> = {}
): Refused => new Refused({ problem: { code: "request-failed", title, cause, evidence: {}, nextSteps: [], ...more } })

const make = Effect.fnUntraced(function* ({
  address = publicAddress,
  folder,
  platform = InstallPlans.platformOf(process.platform, process.arch)
}: Options) {
  const settings = yield* SettingsFile
  const file = join(folder, "registry.json")
  const machine: InstallPlans.Machine = { platform, folder: agentsFolder(folder) }

  const known = Effect.gen(function* (): Effect.fn.Return<Known, Refused> {
    const kept = yield* Effect.option(Effect.tryPromise(() => readFile(file, "utf8")))
    if (kept._tag === "None") return yield* shipped
    const reading = Result.flatMap(decodeKept(kept.value), ({ at, registry }) =>
      Result.map(RegistryFormat.read(registry), (reading): Known => ({ source: "refreshed", at, ...reading }))
    )
    if (Result.isSuccess(reading)) return reading.success
    const before = yield* shipped
    return {
      ...before,
      unreadable: [...before.unreadable, `${file} can't be read, so that this is what came with Signalbox.`]
    }
  })

  const listing = Effect.fnUntraced(function* ({ entries, ...about }: Known): Effect.fn.Return<RegistryListing> {
    const { settings: inForce } = yield* settings.read
    return { ...about, agents: entries.map((entry) => agentOf(entry, machine, inForce)) }
  })

  const load = Effect.scoped(
    Effect.gen(function* () {
      const { bytes } = yield* Download.open(address, limits)
      return yield* Stream.mkString(Stream.decodeText(bytes))
    })
  ).pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () => Effect.fail(new Download.DownloadFailed({ message: `${address} takes too long.` }))
    }),
    Effect.mapError(({ message }) => notLoaded(message))
  )

  const refresh = Effect.gen(function* () {
    const text = yield* load
    const reading = RegistryFormat.parse(text)
    if (Result.isFailure(reading)) return yield* notLoaded(`What ${address} sends is no registry. ${reading.failure}`)
    if (reading.success.entries.length === 0)
      return yield* notLoaded(`What ${address} sends holds no agent that can be read.`)
    const at = yield* Clock.currentTimeMillis
    const registry: unknown = JSON.parse(text)
    yield* replace(file, JSON.stringify({ at, address, registry }))
    return yield* listing({ source: "refreshed", at, ...reading.success })
  })

  return Registry.of({
    list: Effect.flatMap(known, listing),
    refresh: refresh.pipe(Effect.withSpan("Registry.refresh")),
    plan: Effect.fn("Registry.plan")(function* (id) {
      const { entries } = yield* known
      const entry = entries.find((candidate) => candidate.id === id)
      if (entry === undefined) {
        return yield* refused(
          `The registry has no agent ${JSON.stringify(id)}.`,
          "Its agents are called by their ids.",
          {
            code: "agent-not-found"
          }
        )
      }
      const planned = InstallPlans.plan(entry, machine)
      if (Result.isFailure(planned)) {
        return yield* refused(`${entry.name} can't be installed here.`, planned.failure, { code: "unsupported" })
      }
      return { entry, plan: planned.success }
    })
  })
})

const shipped: Effect.Effect<Known, Refused> = Effect.gen(function* () {
  const text = yield* Effect.tryPromise({
    try: () => readFile(registryFile, "utf8"),
    catch: (error) => refused("The registry can't be read.", messageOf(error), { evidence: { path: registryFile } })
  })
  const reading = RegistryFormat.parse(text)
  if (Result.isFailure(reading)) return yield* refused("The registry can't be read.", reading.failure)
  return { source: "shipped", ...reading.success }
})

const notLoaded = (cause: string): Refused =>
  refused("The registry was not loaded.", `${cause} What was known of it before stays.`, {
    nextSteps: [{ action: "check-again", label: "Try again later" }]
  })

const agentOf = (
  entry: RegistryFormat.RegistryEntry,
  machine: InstallPlans.Machine,
  { agents }: Settings
): RegistryAgent => {
  const planned = InstallPlans.plan(entry, machine)
  const { distribution: _, ...about } = entry
  return {
    ...about,
    ...(Result.isSuccess(planned) ? { plan: planned.success } : { reason: planned.failure }),
    installed: Object.entries(agents).flatMap(([name, { registry }]) =>
      registry?.id === entry.id ? [{ name, version: registry.version }] : []
    )
  }
}

/** Replaces a file in one step, or not at all. */
const replace = (file: string, text: string) =>
  Effect.tryPromise({
    try: () => PrivateFile.replace(file, text),
    catch: (error) =>
      refused("The registry can't be kept.", messageOf(error), { code: "storage", evidence: { path: file } })
  })

export const layer = (options: Options) => Layer.effect(Registry, make(options))
