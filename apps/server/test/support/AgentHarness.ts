/** An adapter over real agent processes, with everything that it emits at hand. */
import type { AgentProfile } from "../../src/provider/acp/profile/AgentProfile.ts"
import * as AcpAdapterMaker from "../../src/provider/acp/session/AcpAdapterMaker.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as CursorProfile from "../../src/provider/drivers/cursor/CursorProfile.ts"
import type { ProviderAdapter, StartSession } from "../../src/provider/Services/ProviderAdapter.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type { ProviderError } from "../../src/base/ProviderError.ts"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as SignedInLayer from "../../src/provider/signin/SignedIn.ts"
import { SignedIn } from "../../src/provider/Services/SignedIn.ts"
import { type DirectoryEntry, ProviderSessionDirectory } from "../../src/provider/Services/ProviderSessionDirectory.ts"
import * as Tape from "../../src/tape/Tape.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { fileURLToPath } from "node:url"
import { groupExists, groupMembers, untilGone } from "../../../../packages/process/test/support/Groups.ts"
import { scopedFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

export const emulator = fileURLToPath(new URL("../../../../packages/stand-in-agents/bin/cursor-agent", import.meta.url))

export interface AgentOptions {
  readonly generation?: "2026.02" | "2026.08" | "2026.10"
  readonly quirks?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timing?: AcpAdapterMaker.Options["timing"]
  readonly profile?: Partial<AgentProfile>
  readonly tapes?: string
  /** The record of agents; none by default. */
  readonly ledger?: Layer.Layer<ProcessLedger>
  /** Which events are kept; all of them by default. */
  readonly keep?: (event: ProviderRuntimeEvent) => boolean
  /** While it is closed, nobody takes events. */
  readonly gate?: Latch.Latch
  /** Shared with another harness: the agent's memory. */
  readonly state?: string
}

export interface Harness {
  readonly adapter: ProviderAdapter
  readonly folder: string
  readonly state: string
  readonly directory: ReadonlyMap<ThreadId, DirectoryEntry>
  /** Notes that somebody has signed in. */
  readonly signedIn: SignedIn["Service"]
  readonly events: ReadonlyArray<ProviderRuntimeEvent>
  readonly of: <T extends ProviderRuntimeEvent["type"]>(type: T) => ReadonlyArray<RuntimeEventOf<T>>
  /** The first event of a type that fits, now or when it comes. */
  readonly next: <T extends ProviderRuntimeEvent["type"]>(
    type: T,
    fits?: (event: RuntimeEventOf<T>) => boolean
  ) => Effect.Effect<RuntimeEventOf<T>>
  readonly input: (over?: Partial<StartSession>) => StartSession
  readonly start: (over?: Partial<StartSession>) => ReturnType<ProviderAdapter["startSession"]>
  /** Changes a setting and waits for the settings that come of it. */
  readonly set: (settingId: string, value: SettingValue) => Effect.Effect<ReadonlyArray<SessionSetting>, ProviderError>
  /** Sends a prompt and waits for the end of its turn. */
  readonly turn: (
    turnId: string,
    text: string,
    threadId?: ThreadId
  ) => Effect.Effect<RuntimeEventOf<"turn.completed">, ProviderError>
}

export const thread = ThreadId.make("thread-1")
const cursor = { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: true } as const

const collect = Effect.fnUntraced(function* (
  adapter: ProviderAdapter,
  { gate = Latch.makeUnsafe(true), keep = () => true }: AgentOptions
) {
  const events: Array<ProviderRuntimeEvent> = []
  let waiting: Array<{
    readonly fits: (event: ProviderRuntimeEvent) => boolean
    readonly found: Deferred.Deferred<ProviderRuntimeEvent>
  }> = []
  yield* Stream.runForEachArray(adapter.streamEvents, (chunk) =>
    gate.whenOpen(
      Effect.sync(() => {
        for (const event of chunk) {
          if (keep(event)) events.push(event)
          // Whoever has found its event may at once wait for the next.
          const found = waiting.filter(({ fits }) => fits(event))
          waiting = waiting.filter((waiter) => !found.includes(waiter))
          for (const waiter of found) Deferred.doneUnsafe(waiter.found, Exit.succeed(event))
        }
      })
    )
  ).pipe(Effect.forkScoped)
  const isOf =
    <T extends ProviderRuntimeEvent["type"]>(type: T) =>
    (event: ProviderRuntimeEvent): event is RuntimeEventOf<T> =>
      event.type === type
  const of = <T extends ProviderRuntimeEvent["type"]>(type: T) => events.filter(isOf(type))
  const next: Harness["next"] = (type, fits = () => true) =>
    Effect.suspend(() => {
      const wanted = (event: ProviderRuntimeEvent) => isOf(type)(event) && fits(event)
      const seen = of(type).find(fits)
      if (seen !== undefined) return Effect.succeed(seen)
      const found = Deferred.makeUnsafe<ProviderRuntimeEvent>()
      waiting.push({ fits: wanted, found })
      return Effect.flatMap(Deferred.await(found), (event) =>
        isOf(type)(event) ? Effect.succeed(event) : Effect.die("never")
      )
    })
  return { events, of, next }
})

const build = Effect.fnUntraced(function* (
  options: AgentOptions,
  profile: AgentProfile,
  input: Omit<StartSession, "cwd">,
  state: string
): Effect.fn.Return<Harness, never, Scope.Scope> {
  const folder = yield* scopedFolder
  const directory = new Map<ThreadId, DirectoryEntry>()
  const signedIn = Context.get(yield* Layer.build(SignedInLayer.layer), SignedIn)
  const services = Layer.mergeAll(
    options.ledger ?? ProcessLedgerLayer.layerDisabled,
    Layer.succeed(SignedIn, signedIn),
    options.tapes === undefined ? Tape.layerDisabled : Tape.layer({ folder: options.tapes }),
    Layer.succeed(
      ProviderSessionDirectory,
      ProviderSessionDirectory.of({
        put: (entry) => Effect.sync(() => void directory.set(entry.threadId, entry)),
        get: (threadId) => Effect.sync(() => Option.fromUndefinedOr(directory.get(threadId))),
        remove: (threadId) => Effect.sync(() => void directory.delete(threadId)),
        threadsOf: () => Effect.succeed(new Map()),
        foldersOf: () => Effect.succeed([])
      })
    )
  )
  const adapter = yield* AcpAdapterMaker.make(
    { ...profile, ...options.profile },
    // The emulator does not exit when its input ends: waiting for that would only make every test longer.
    { timing: { stop: { closeInput: "10 millis", terminate: "2 seconds" }, ...options.timing } }
  ).pipe(Effect.provide(services))
  const { events, next, of } = yield* collect(adapter, options)
  const start: Harness["start"] = Effect.fnUntraced(function* (over = {}) {
    const session = yield* adapter.startSession({ ...input, cwd: folder, ...over })
    yield* next("session.started", ({ providerSessionId }) => providerSessionId === session.providerSessionId)
    return session
  })
  const set: Harness["set"] = Effect.fnUntraced(function* (settingId, value) {
    yield* adapter.setSetting(thread, settingId, value)
    const { settings } = yield* next("settings.updated", ({ settings }) =>
      settings.some((setting) => setting.id === settingId && setting.type !== "unknown" && setting.value === value)
    )
    return settings
  })
  return {
    adapter,
    folder,
    state,
    directory,
    signedIn,
    events,
    of,
    next,
    input: (over = {}) => ({ ...input, cwd: folder, ...over }),
    start,
    set,
    turn: Effect.fnUntraced(function* (turnId, text, threadId = thread) {
      yield* adapter.sendTurn(threadId, { turnId: TurnId.make(turnId), prompt: [{ type: "text", text }] })
      return yield* next("turn.completed", (event) => event.turnId === turnId)
    })
  }
})

/** Over the Cursor emulator, without the look for the program before each start. */
export const cursorHarness = Effect.fnUntraced(function* (
  options: AgentOptions = {}
): Effect.fn.Return<Harness, never, Scope.Scope> {
  const state = options.state ?? (yield* scopedFolder)
  const profile = yield* CursorProfile.make.pipe(Effect.provide(NodeServices.layer))
  const env = {
    FAKE_CURSOR_STATE: state,
    FAKE_CURSOR_TIME_SCALE: "0",
    FAKE_CURSOR_SEED: "7",
    ...(options.generation !== undefined && { FAKE_CURSOR_GEN: options.generation }),
    ...(options.quirks !== undefined && { FAKE_CURSOR_QUIRKS: options.quirks }),
    ...options.env
  }
  return yield* build(
    options,
    {
      ...profile,
      launch: () => Effect.succeed({ command: emulator, args: ["acp"], env, version: "2026.10.01-e373342" })
    },
    { threadId: thread, provider: cursor, providerOptions: {}, knownPrompts: [], settings: {} },
    state
  )
})

/** Over any agent, by its command. */
export const agentHarness = Effect.fnUntraced(function* (
  command: string,
  args: ReadonlyArray<string>,
  options: AgentOptions = {}
): Effect.fn.Return<Harness, never, Scope.Scope> {
  const provider = { id: ProviderId.make("custom"), kind: "acp", name: "Agent", simulated: true } as const
  return yield* build(
    options,
    GenericProfile,
    {
      threadId: thread,
      provider,
      providerOptions: { acp: { command, args, env: options.env ?? {} } },
      knownPrompts: [],
      settings: {}
    },
    ""
  )
})

export { groupExists, groupMembers, scopedFolder as temporaryFolder, untilGone }
