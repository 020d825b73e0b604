/** What agents are seen to do of the protocol, each a real process. */
import type { ProbeResult } from "@signalbox/contracts/Conformance"
import { ProviderId } from "@signalbox/contracts/Provider"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Examination from "../src/conformance/Examination.ts"
import { GenericProfile } from "../src/provider/acp/GenericProfile.ts"
import * as ProcessLedgerLayer from "../src/provider/Layers/ProcessLedger.ts"
import { ProcessLedger } from "../src/provider/Services/ProcessLedger.ts"
import { emulator, temporaryFolder } from "./support/AgentHarness.ts"

interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly model?: boolean
}

const examine = Effect.fnUntraced(function* ({ model = false, ...acp }: Program) {
  const ledger = Context.get(yield* Layer.build(ProcessLedgerLayer.layerDisabled), ProcessLedger)
  const provider = { id: ProviderId.make("custom"), kind: "acp", name: "Agent", simulated: true } as const
  return yield* Examination.examine({
    agent: { provider, providerOptions: { acp } },
    profile: GenericProfile,
    ledger,
    model
  })
}, Effect.scoped)

/** What is told of each probe, without times: `mark capability: seen`, with the quirk behind it. */
const told = (results: ReadonlyArray<ProbeResult>) =>
  results.map(({ claimed, probe, seen, verdict }) => {
    const claim = claimed === undefined ? "" : claimed ? " (claimed)" : " (not claimed)"
    return `${verdict} ${probe}${claim}: ${seen}`
  })

const cursor = Effect.fnUntraced(function* (generation: string, env: Readonly<Record<string, string>> = {}) {
  const state = yield* temporaryFolder
  return {
    command: emulator,
    args: ["acp"],
    env: { FAKE_CURSOR_GEN: generation, FAKE_CURSOR_STATE: state, FAKE_CURSOR_TIME_SCALE: "0", ...env }
  }
})

describe("an agent that is looked over", () => {
  it.live("is told apart by what it does before initialize", () =>
    Effect.gen(function* () {
      const february = yield* examine(yield* cursor("2026.02"))
      const october = yield* examine(yield* cursor("2026.10"))
      assert.include(told(february.results), "quirk connection/before-initialize: opens a session")
      assert.include(told(october.results), "holds connection/before-initialize: refused, -32603")
    }).pipe(Effect.scoped)
  )
})
