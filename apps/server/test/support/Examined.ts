/** Agents that are looked over in the tests' own process, and what was seen of them. */
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ProbeResult } from "@signalbox/contracts/Conformance"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Examination from "../../src/conformance/Examination.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { programOf } from "../../../../scripts/suite/Program.ts"

export const elizaMain = programOf(new URL("../../../../packages/stand-in-agents/src/eliza/main.ts", import.meta.url))

export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

type Wishes = Partial<Pick<Examination.Options, "limits" | "model" | "only" | "profile">>

export const examine = Effect.fnUntraced(function* (
  acp: Program,
  { limits = {}, model = false, only, profile = GenericProfile }: Wishes = {}
) {
  const ledger = Context.get(yield* Layer.build(ProcessLedgerLayer.layerDisabled), ProcessLedger)
  const provider = { id: ProviderId.make("custom"), kind: "acp", name: "Agent", simulated: true } as const
  const agent = { provider, providerOptions: { acp } }
  return yield* Examination.examine({ agent, profile, ledger, model, limits, only })
}, Effect.scoped)

/** What was seen, by probe, without times. */
export const seenOf = (results: ReadonlyArray<ProbeResult>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results.map(({ claimed, probe, seen, verdict }) => {
      const claim = claimed === undefined ? "" : claimed ? ", as claimed" : ", not claimed"
      return [probe, `${verdict}${claim}: ${seen}`]
    })
  )
