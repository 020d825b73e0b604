/** Composes a replay: the real adapters, with the tape player as their agent. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AcpAdapterMaker from "../provider/acp/session/AcpAdapterMaker.ts"
import type { AgentProfile } from "../provider/acp/profile/AgentProfile.ts"
import * as ProviderAdapterRegistry from "../provider/Layers/ProviderAdapterRegistry.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import type { Reel } from "../replay/Reel.ts"
import * as Replay from "../replay/Replay.ts"
import * as RulesInForce from "../rules/RulesInForce.ts"
import * as Stage from "../replay/Stage.ts"
import * as TapeClock from "../replay/TapeClock.ts"

export interface Options extends Pick<Replay.Options, "tell" | "onBegin" | "onEnd" | "folder"> {
  /** The speed; 1 is the speed of the recording. Undefined plays without pauses. */
  readonly speed?: number | undefined
  readonly patience?: Duration.Input
}

const defaultPatience = "10 seconds"
/** The tape player exits as soon as its input ends. */
const stopGrace = { closeInput: "10 seconds", terminate: "2 seconds" } as const

/** Replays loaded tapes, and reports events as they come. */
export const replay = Effect.fn("compose.Replay")(function* (
  { runs }: Reel,
  { patience = defaultPatience, speed, ...options }: Options
) {
  const clock = TapeClock.make()
  const stage = yield* Stage.make(runs, { clock, speed })
  const grace = runs.find(({ start }) => start.cancelGraceMs !== undefined)?.start.cancelGraceMs
  const services = Layer.mergeAll(
    stage.tape,
    stage.mcpServers,
    RulesInForce.layerPlayed,
    ProcessLedger.layerDisabled,
    ProviderSessionDirectory.layerMemory,
    SignedIn.layer
  )
  const adapterOf = (profile: AgentProfile) =>
    AcpAdapterMaker.make(
      { ...profile, ...stage.profile },
      {
        timing: {
          stop: stopGrace,
          silence: Duration.zero,
          noHistory: Duration.zero,
          ...(grace !== undefined && { cancelGrace: Duration.millis(grace) })
        }
      }
    ).pipe(Effect.provide(services), Effect.provideService(Clock.Clock, clock.clock))
  const adapters = yield* ProviderAdapterRegistry.makeWith((driver) => Effect.flatMap(driver.profile, adapterOf))
  yield* Replay.replay({ ...options, stage, clock, adapters, patience })
}, Effect.scoped)
