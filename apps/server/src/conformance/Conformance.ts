/** What the agents of the catalogue do of the protocol: looked over when somebody asks, and kept for who asks later. */
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
import * as PrivateFolder from "../base/PrivateFolder.ts"
import * as Drivers from "../provider/drivers/Drivers.ts"
import { ProcessLedger } from "../process/ProcessLedger.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderError } from "../base/ProviderError.ts"
import * as Examination from "./Examination.ts"

export interface Wishes {
  /** Whether its model may be asked for something. */
  readonly model: boolean
  /** The folder where the agent works, absolute; an empty folder of its own unless given. */
  readonly cwd?: string | undefined
}

export type Agent = Examination.Options["agent"]

export class Conformance extends Context.Service<
  Conformance,
  {
    /** The latest report; null where it was never looked over, or the report can't be read any more. */
    readonly report: (id: ProviderId) => Effect.Effect<ConformanceReport | null>
    /** Looks it over, one agent at a time. Ending the stream ends the agent. Fails when the agent can't be started. */
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
  const profileOf = yield* Drivers.profiles
  const turn = Semaphore.withPermit(yield* Semaphore.make(1))
  const fileOf = (id: ProviderId) => join(folder, `${encodeURIComponent(id)}.json`)

  /** A report that can't be kept was given all the same. */
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

  /** `done` comes before anybody sees the report. */
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
        const report = yield* Examination.examine({ agent: one, profile, ledger, model, cwd, tell })
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

/** `folder`: where reports are kept, absolute. */
export const layer = (folder: string) => Layer.effect(Conformance, make(folder))
