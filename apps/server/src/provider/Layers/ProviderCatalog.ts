/**
 * What is known about the offered agents. Nobody waits for it: what is known is told at once, checks run in the background.
 * A check runs short commands of a program and starts no session, and nothing is checked again while its files are the same,
 * unless somebody asks: checking costs a second of the processor per agent, and lists of models can end a running Cursor.
 */
import type { ProviderId, ProviderStatus } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberHandle from "effect/FiberHandle"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"
import { providerError } from "../Services/ProviderError.ts"
import { ProviderCatalog } from "../Services/ProviderCatalog.ts"
import { builtInProviders, type OfferedProvider } from "./BuiltInProviders.ts"
import * as ProviderCheck from "./ProviderCheck.ts"

const make = Effect.fnUntraced(function* (offered: ReadonlyArray<OfferedProvider>) {
  const registry = yield* ProviderAdapterRegistry
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | ChildProcessSpawner>()
  const shown = offered.filter(({ hidden }) => !hidden)
  const known = yield* SubscriptionRef.make<ReadonlyArray<ProviderStatus>>(
    shown.map(({ description, provider }) => ({
      provider,
      description,
      state: "checking",
      checks: [],
      capabilities: registry.get(provider.kind).capabilities
    }))
  )
  const seen = new Map<ProviderId, string>()

  const checkOne = Effect.fnUntraced(function* ({ description, options, provider }: OfferedProvider) {
    const fingerprint = yield* ProviderCheck.fingerprint(provider, options)
    const findings = yield* ProviderCheck.run(provider, options)
    const status: ProviderStatus = {
      provider,
      description,
      capabilities: registry.get(provider.kind).capabilities,
      checkedAt: yield* Clock.currentTimeMillis,
      ...findings
    }
    seen.set(provider.id, fingerprint)
    yield* SubscriptionRef.update(known, (all) => all.map((one) => (one.provider.id === provider.id ? status : one)))
  })

  const checkAll = Effect.forEach(shown, checkOne, { concurrency: "unbounded", discard: true }).pipe(
    Effect.provide(context)
  )

  const checkChanged = Effect.forEach(
    shown,
    (one) =>
      Effect.flatMap(ProviderCheck.fingerprint(one.provider, one.options), (fingerprint) =>
        fingerprint === seen.get(one.provider.id) ? Effect.void : checkOne(one)
      ),
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.provide(context))

  // One check at a time: who asks meanwhile shares it. It goes on when who asked has left.
  const checking = yield* FiberHandle.make<void, never>()
  const looking = yield* FiberHandle.make<void, never>()
  const check = Effect.gen(function* () {
    const running = yield* FiberHandle.get(checking)
    yield* Fiber.join(Option.isSome(running) ? running.value : yield* FiberHandle.run(checking, checkAll))
    return yield* SubscriptionRef.get(known)
  }).pipe(Effect.withSpan("ProviderCatalog.check"))

  /** Notices that an agent was installed, updated or removed, for the price of looking at a few files. */
  const look = Effect.gen(function* () {
    const running = [yield* FiberHandle.get(checking), yield* FiberHandle.get(looking)]
    if (running.every(Option.isNone)) yield* FiberHandle.run(looking, checkChanged)
  })

  yield* FiberHandle.run(checking, checkAll)

  return ProviderCatalog.of({
    get: (id) => {
      const one = offered.find(({ provider }) => provider.id === id)
      return one === undefined
        ? Effect.fail(unknown(id, offered))
        : Effect.succeed({ provider: one.provider, options: one.options })
    },
    statuses: Effect.andThen(look, SubscriptionRef.get(known)),
    changes: Stream.unwrap(Effect.as(look, SubscriptionRef.changes(known))),
    check
  })
})

const unknown = (id: ProviderId, offered: ReadonlyArray<OfferedProvider>) =>
  providerError(
    "agent-not-found",
    `There is no agent called ${id}.`,
    `The agents that can be named are ${offered.map(({ provider }) => provider.id).join(", ")}.`,
    { nextSteps: [{ action: "set-option", label: "Choose one of these agents" }] }
  )

/** A catalogue of these agents. */
export const layerOf = (offered: ReadonlyArray<OfferedProvider>) => Layer.effect(ProviderCatalog, make(offered))

/** The catalogue of all built-in agents. `stateDirectory`: absolute. */
export const layer = (stateDirectory: string) => layerOf(builtInProviders(stateDirectory))
