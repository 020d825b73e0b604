/**
 * What is known about the offered agents. It is reported at once, and checks run in the background. A check runs short
 * commands of a program and starts no session. Agents with unchanged files are checked again only on request: a check
 * costs a second of the processor, and lists of models can end a running Cursor.
 */
import type { ProviderId, ProviderOptions, ProviderRef, ProviderStatus } from "@signalbox/contracts/Provider"
import { membersOf, networkWords } from "@signalbox/contracts/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberHandle from "effect/FiberHandle"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Bubblewrap from "../../sandbox/Bubblewrap.ts"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import * as DriverChoice from "../drivers/DriverChoice.ts"
import type { Findings, Shown } from "../drivers/Driver.ts"
import { driverOf, Drivers } from "../drivers/Drivers.ts"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"
import { ProviderError, providerError } from "../../base/ProviderError.ts"
import { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import { type Amended, builtInProviders, type OfferedProvider } from "./BuiltInProviders.ts"
import { withComponents } from "./ComponentsCheck.ts"
import * as SettingsProviders from "./SettingsProviders.ts"
import * as StatusBoard from "./StatusBoard.ts"

const make = Effect.fnUntraced(function* (builtIn: ReadonlyArray<OfferedProvider>, amended: Amended) {
  const registry = yield* ProviderAdapterRegistry
  const settings = yield* SettingsFile
  const drivers = yield* Drivers
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | ChildProcessSpawner>()
  const board = yield* StatusBoard.make

  const offered = Effect.map(settings.read, (reading) => SettingsProviders.offered(builtIn, reading).map(amended))

  const unchecked = ({ description, options, provider, source = "built-in" }: OfferedProvider): ProviderStatus => ({
    provider,
    description,
    source,
    permissions: options.acp?.permissions ?? "ask",
    ...shownOf(provider, driverOf(drivers, provider.kind).shown(options)),
    ...sandboxOf(options),
    state: "checking",
    checks: [],
    capabilities: registry.get(provider.kind).capabilities
  })

  /** The present agents. What is known about them stays. */
  const shown = Effect.gen(function* () {
    const now = (yield* offered).filter(({ hidden }) => !hidden)
    yield* StatusBoard.offer(board, now.map(unchecked))
    return now
  })

  const fingerprintOf = ({ options, problem, provider }: OfferedProvider) =>
    problem === undefined
      ? Effect.map(driverOf(drivers, provider.kind).fingerprint(options), (files) =>
          [files, JSON.stringify([options.sandbox, options.components])].join("\n")
        )
      : Effect.succeed(JSON.stringify(problem))

  const checkOne = Effect.fnUntraced(function* (one: OfferedProvider, fingerprint: string) {
    const { options, problem, provider } = one.problem === undefined ? yield* DriverChoice.chosen(one, one) : one
    const findings =
      problem === undefined
        ? withComponents(
            options,
            yield* boxed(options, yield* driverOf(drivers, provider.kind).check(provider, options))
          )
        : ({ state: "unavailable", checks: [], problem } as const)
    const checkedAt = yield* Clock.currentTimeMillis
    yield* StatusBoard.takeCheck(board, { ...unchecked({ ...one, provider }), checkedAt, ...findings }, fingerprint)
  })

  const checkThose = (isDue: (id: ProviderId, fingerprint: string) => Effect.Effect<boolean>) =>
    Effect.flatMap(shown, (rows) =>
      Effect.forEach(
        rows,
        Effect.fnUntraced(function* (one) {
          const fingerprint = yield* fingerprintOf(one)
          if (yield* isDue(one.provider.id, fingerprint)) yield* checkOne(one, fingerprint)
        }),
        { concurrency: "unbounded", discard: true }
      )
    ).pipe(Effect.provide(context))
  const checkAll = checkThose(() => Effect.succeed(true))
  const checkChanged = checkThose((id, fingerprint) => StatusBoard.isDue(board, id, fingerprint))

  // One check runs at a time, and later callers share it. It continues if they leave.
  const checking = yield* FiberHandle.make<void, never>()
  const looking = yield* FiberHandle.make<void, never>()
  const check = Effect.gen(function* () {
    const running = yield* FiberHandle.get(checking)
    yield* Fiber.join(Option.isSome(running) ? running.value : yield* FiberHandle.run(checking, checkAll))
    return yield* SubscriptionRef.get(board.rows)
  }).pipe(Effect.withSpan("ProviderCatalog.check"))

  /** Whether somebody wants a look since the one that is under way began. What that one has passed may have changed. */
  let isLookWanted = false
  const lookOnce = Effect.suspend(() => {
    isLookWanted = false
    return checkChanged
  })
  /** Notices that an agent was installed, updated or removed, by examining a few files. A look that is under way is replaced. */
  const lookNow = FiberHandle.run(
    looking,
    // A running check may have begun before what is to be noticed, so this waits for its end.
    Effect.andThen(FiberHandle.awaitEmpty(checking), Effect.repeat(lookOnce, { while: () => isLookWanted }))
  )
  const look = Effect.flatMap(FiberHandle.get(looking), (running) => {
    isLookWanted = true
    return Option.isNone(running) ? lookNow : Effect.void
  })

  yield* shown
  yield* FiberHandle.run(checking, checkAll)
  yield* Effect.forkScoped(Stream.runForEach(settings.changes, () => Effect.andThen(shown, lookNow)))

  return ProviderCatalog.of({
    get: Effect.fn("ProviderCatalog.get")(function* (id) {
      const all = yield* offered
      const one = all.find(({ provider }) => provider.id === id)
      if (one === undefined) return yield* unknown(id, all)
      if (one.problem !== undefined) return yield* new ProviderError({ problem: one.problem })
      const { options, provider } = yield* Effect.provide(DriverChoice.chosen(one, one), context)
      return { provider, options }
    }),
    statuses: Effect.andThen(look, SubscriptionRef.get(board.rows)),
    changes: Stream.unwrap(Effect.as(look, SubscriptionRef.changes(board.rows))),
    check,
    noteLogin: (id, login) => StatusBoard.noteLogin(board, id, login)
  })
})

/** What people see of the start. A simulated agent's variables are ours, and mean nothing to people. */
const shownOf = ({ simulated }: ProviderRef, { commandLine, variables = [] }: Shown) => ({
  ...(commandLine !== undefined && { commandLine }),
  ...(!simulated && variables.length > 0 && { variables })
})

const sandboxOf = ({ sandbox }: ProviderOptions) => {
  const members = membersOf(sandbox)
  return members !== undefined && { sandbox: networkWords(members) }
}

/** The findings for an agent with a sandbox: without a sandbox that works, it can't start. */
const boxed = Effect.fnUntraced(function* ({ sandbox }: ProviderOptions, findings: Findings) {
  if (membersOf(sandbox) === undefined || findings.state === "unavailable") return findings
  const found = yield* Effect.result(Bubblewrap.find({ writable: [] }))
  return Result.isSuccess(found)
    ? findings
    : { ...findings, state: "unavailable" as const, problem: found.failure.problem }
})

const unknown = (id: ProviderId, offered: ReadonlyArray<OfferedProvider>) =>
  providerError(
    "agent-not-found",
    `There is no agent called ${id}.`,
    `The agents that can be named are ${offered.map(({ provider }) => provider.id).join(", ")}.`,
    { nextSteps: [{ action: "set-option", label: "Choose one of these agents" }] }
  )

/** A catalogue of these agents, and of those in the settings. */
export const layerOf = (builtIn: ReadonlyArray<OfferedProvider>, amended: Amended = (one) => one) =>
  Layer.effect(ProviderCatalog, make(builtIn, amended))

/** The catalogue of all built-in agents, and of those in the settings. `stateDirectory`: absolute. */
export const layer = (stateDirectory: string, amended?: Amended) => layerOf(builtInProviders(stateDirectory), amended)
