/** Kinds of agents: each is one driver in one list, and all that differs between them is asked of it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Conformance from "../../../src/conformance/Conformance.ts"
import * as AgentVisits from "../../../src/provider/acp/visits/AgentVisits.ts"
import * as DriverChoice from "../../../src/provider/drivers/DriverChoice.ts"
import * as Drivers from "../../../src/provider/drivers/Drivers.ts"
import * as AgentVisitsLayer from "../../../src/provider/signin/AgentVisits.ts"
import * as CursorAdapterLayer from "../../../src/provider/Layers/CursorAdapter.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import * as Directory from "../../../src/provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../../../src/provider/signin/SignedIn.ts"
import { CursorAdapter } from "../../../src/provider/Services/CursorAdapter.ts"
import { ProviderAdapterRegistry } from "../../../src/provider/Services/ProviderAdapterRegistry.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as Reel from "../../../src/replay/Reel.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import * as Tape from "../../../src/tape/Tape.ts"
import { script, temporaryFolder } from "./support/Programs.ts"
import { ParrotDriver, repeats } from "../../support/ParrotDriver.ts"

const parrot = { id: ProviderId.make("polly"), kind: "parrot", name: "Polly", simulated: true } as const

const services = Layer.mergeAll(
  ProcessLedger.layerDisabled,
  Tape.layerDisabled,
  Directory.layerMemory,
  SignedIn.layer,
  SettingsFile.layer({ folder: temporaryFolder() })
).pipe(Layer.provideMerge(NodeServices.layer))

const offered = [{ provider: parrot, description: "A parrot.", options: {}, hidden: false }]

/** Everything that asks for a kind, with one driver more. */
const withParrot = Layer.mergeAll(AgentVisitsLayer.layer, Conformance.layer(temporaryFolder())).pipe(
  Layer.provideMerge(Catalog.layerOf(offered)),
  Layer.provideMerge(Registry.layer),
  Layer.provideMerge(services),
  Layer.provide(Layer.succeed(Drivers.Drivers, [ParrotDriver, ...Drivers.all]))
)

describe("a third kind of agent, by one driver in the list", () => {
  it.live("is checked, and its status says what was found", () =>
    Effect.gen(function* () {
      const [status] = yield* (yield* ProviderCatalog).check
      assert.deepInclude(status, { provider: parrot, state: "ready" })
      assert.strictEqual(status?.checks[0]?.detail, "In its cage")
    }).pipe(Effect.provide(withParrot))
  )

  it.live("runs threads by its own profile", () =>
    Effect.gen(function* () {
      const adapter = (yield* ProviderAdapterRegistry).get("parrot")
      assert.strictEqual(adapter.kind, "parrot")
      const threadId = ThreadId.make("cage")
      yield* adapter.startSession({
        threadId,
        provider: parrot,
        providerOptions: {},
        cwd: temporaryFolder(),
        knownPrompts: [],
        settings: {}
      })
      yield* adapter.sendTurn(threadId, { turnId: TurnId.make("t1"), prompt: [{ type: "text", text: "Hello" }] })
      const end = yield* adapter.streamEvents.pipe(
        Stream.filter((event) => event.type === "turn.completed"),
        Stream.runHead
      )
      assert.deepInclude(end, { _tag: "Some" })
      const event = yield* Effect.fromOption(end)
      assert.deepInclude(event, { providerKind: "parrot", outcome: "failed" })
      assert.strictEqual(event.problem?.title, repeats)
      yield* adapter.stopAll
    }).pipe(Effect.scoped, Effect.provide(withParrot))
  )

  it.live("is visited and looked over by its own profile", () =>
    Effect.gen(function* () {
      // Only the driver knows what to start.
      const visit = yield* (yield* AgentVisits.AgentVisits).visit(parrot.id)
      assert.strictEqual(visit.profile.kind, "parrot")
      const frames = (yield* Conformance.Conformance).probe(parrot.id, { model: false })
      const first = yield* Effect.fromOption(yield* Stream.runHead(frames))
      assert.strictEqual(first.type, "probing")
    }).pipe(Effect.scoped, Effect.provide(withParrot))
  )

  it.live("is known by its program and its entry in the registry", () =>
    Effect.gen(function* () {
      const command = script(temporaryFolder(), "parrot", "exit 0")
      assert.strictEqual(yield* DriverChoice.kindOf({ acp: { command } }), "parrot")
      assert.strictEqual(yield* DriverChoice.kindOf({ acp: { command: "npx" } }, { registryId: "polly" }), "parrot")
    }).pipe(Effect.provide(withParrot), Effect.provideService(Drivers.Drivers, [ParrotDriver, ...Drivers.all]))
  )

  it.live("has its own requests read in tapes", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const tape = join(folder, "parrot.ndjson")
      const note = {
        event: "start",
        argv: ["parrot"],
        cwd: "/",
        envNames: [],
        provider: parrot,
        threadId: "cage",
        format: 1
      }
      const lines = [
        { dir: "note", line: note },
        { dir: "in", line: { jsonrpc: "2.0", id: 0, method: "parrot/ask", params: {} } },
        { dir: "out", line: { jsonrpc: "2.0", id: 0, result: {} } }
      ]
      writeFileSync(tape, lines.map((line, at) => `${JSON.stringify({ at, ...line })}\n`).join(""))
      const asked = (drivers: typeof Drivers.all) =>
        Effect.promise(() => Reel.load([[tape]], temporaryFolder(), drivers)).pipe(
          Effect.map(({ runs }) => runs.map((run) => run.asked))
        )
      assert.deepEqual(yield* asked([ParrotDriver, ...Drivers.all]), [1])
      assert.deepEqual(yield* asked(Drivers.all), [0])
    })
  )
})

describe("kinds of agents", () => {
  it.live("of which this version knows nothing run as any agent", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ProviderAdapterRegistry).get("dodo").kind, "acp")
      assert.strictEqual(Drivers.driverOf(Drivers.all, "dodo"), Drivers.general)
    }).pipe(Effect.provide(withParrot))
  )

  it("have different names", () => {
    assert.strictEqual(new Set(Drivers.all.map(({ kind }) => kind)).size, Drivers.all.length)
  })

  it.live("include Cursor, whose adapter stands alone too", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.provide(CursorAdapterLayer.layer, services))
      assert.strictEqual(Context.get(context, CursorAdapter).kind, "cursor")
    }).pipe(Effect.scoped)
  )
})
