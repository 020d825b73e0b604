/** Examines what the agents of the catalogue support of the protocol, on request, and keeps the reports. */
import { type ConformanceFrame, ConformanceReport } from "@signalbox/contracts/Conformance"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as Drivers from "../provider/drivers/Drivers.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderError } from "../base/ProviderError.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as Examination from "./Examination.ts"

export interface Wishes {
  /** Whether probes may ask the agent's model. */
  readonly model: boolean
  /** The absolute folder that the agent works in; a new empty folder by default. */
  readonly cwd?: string | undefined
}

export type Agent = Examination.Options["agent"]

export class Conformance extends Context.Service<
  Conformance,
  {
    /** The latest report of an agent. Null if the agent was never examined, or if the report can't be read any more. */
    readonly report: (id: ProviderId) => Effect.Effect<ConformanceReport | null>
    /**
     * Examines an agent, one agent at a time. Ending the stream ends the agent. Fails if the agent can't be started.
     */
    readonly probe: (id: ProviderId, wishes: Wishes) => Stream.Stream<ConformanceFrame, ProviderError>
    /** Probes an agent that is not in the catalogue. Its report is not kept. */
    readonly probeUnlisted: (agent: Agent, wishes: Wishes) => Stream.Stream<ConformanceFrame, ProviderError>
  }
>()("@signalbox/server/conformance/Conformance") {}

const Kept = Schema.fromJsonString(ConformanceReport)
const decode = Schema.decodeUnknownEffect(Kept)
const encode = Schema.encodeEffect(Kept)

const make = Effect.fnUntraced(function* (folder: string) {
  const catalog = yield* ProviderCatalog
  const ledger = yield* ProcessLedger
  const own = yield* OwnFolders
  const profileOf = yield* Drivers.profiles
  const turn = Semaphore.withPermit(yield* Semaphore.make(1))
  const fileOf = (id: ProviderId) => join(folder, `${encodeURIComponent(id)}.json`)

  /** A failure to keep a report is only logged: the caller gets the report anyway. */
  const keep = (id: ProviderId, report: ConformanceReport) =>
    encode(report).pipe(
      Effect.flatMap((text) =>
        Effect.try(() => {
          PrivateFolder.make(folder)
          const draft = `${fileOf(id)}.${process.pid}`
          writeFileSync(draft, `${text}\n`, { mode: 0o600 })
          renameSync(draft, fileOf(id))
        })
      ),
      Effect.catch((error) => Effect.logWarning("A conformance report could not be kept", error))
    )

  /** Examines one agent. `done` runs before the report is sent. */
  const examined = (
    agent: Effect.Effect<Agent, ProviderError>,
    { cwd, model }: Wishes,
    done: (report: ConformanceReport) => Effect.Effect<void>
  ) =>
    Stream.callback<ConformanceFrame, ProviderError>((frames) =>
      Effect.gen(function* () {
        const one = yield* agent
        const profile = profileOf(one.provider.kind)
        const tell = (frame: ConformanceFrame) => Effect.asVoid(Queue.offer(frames, frame))
        const report = yield* Examination.examine({ agent: one, profile, ledger, model, cwd, tell }).pipe(
          Effect.provideService(OwnFolders, own)
        )
        yield* done(report)
        yield* tell({ type: "report", report })
      }).pipe(
        turn,
        Effect.matchCauseEffect({
          onFailure: (cause) => Queue.failCause(frames, cause),
          onSuccess: () => Queue.end(frames)
        })
      )
    )

  return Conformance.of({
    report: (id) =>
      Effect.try(() => readFileSync(fileOf(id), "utf8")).pipe(
        Effect.flatMap(decode),
        Effect.orElseSucceed(() => null)
      ),
    probe: (id, wishes) => {
      const agent = Effect.map(catalog.get(id), ({ options, provider }) => ({ provider, providerOptions: options }))
      return examined(agent, wishes, (report) => keep(id, report))
    },
    probeUnlisted: (agent, wishes) => examined(Effect.succeed(agent), wishes, () => Effect.void)
  })
})

/** `folder`: the absolute folder that reports are kept in. */
export const layer = (folder: string) => Layer.effect(Conformance, make(folder))
