/** Keeps one pool of language servers for all pages, and makes another one when the settings change. */
import * as LanguageServers from "@signalbox/lsp/servers/LanguageServers"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { defaultLanguageServers, type Settings } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { SettingsFile } from "../settings/SettingsFile.ts"
import { type LanguagePool, turnedOn } from "./LanguagePool.ts"

export class LanguageWorkspaces extends Context.Service<
  LanguageWorkspaces,
  {
    /** The pool of the moment, and each one that takes its place. The servers of the one before end then. */
    readonly pools: Stream.Stream<LanguagePool>
    readonly now: Effect.Effect<LanguagePool>
    /** Lets language servers read a folder until the scope closes. `folder`: absolute. */
    readonly hold: (folder: string) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@signalbox/server/language/LanguageWorkspaces") {}

interface Made extends LanguagePool {
  /** Says what of the settings it was made of. */
  readonly key: string
  readonly scope: Scope.Closeable
}

const make = Effect.gen(function* () {
  const settings = yield* SettingsFile
  const ledger = yield* ProcessLedger
  /** How many want each folder. */
  const folders = new Map<string, number>()
  let made = 0

  const poolOf = Effect.fnUntraced(function* (now: Settings) {
    const scope = yield* Scope.make()
    const { definitions, unusable } = yield* turnedOn(now)
    const servers = yield* LanguageServers.make({
      servers: definitions,
      folders: () => [...folders.keys()],
      ledger,
      mostServers: now.languageServerLimit ?? defaultLanguageServers
    }).pipe(Scope.provide(scope))
    made += 1
    return { id: String(made), key: keyOf(now), scope, servers, definitions, unusable } satisfies Made
  })

  const first = yield* poolOf((yield* settings.read).settings)
  const current = yield* SubscriptionRef.make<Made>(first)
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(SubscriptionRef.get(current), ({ scope }) => Scope.close(scope, Exit.void))
  )
  yield* settings.changes.pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* ({ settings: now }) {
        const before = yield* SubscriptionRef.get(current)
        if (before.key === keyOf(now)) return
        yield* SubscriptionRef.set(current, yield* poolOf(now))
        yield* Scope.close(before.scope, Exit.void)
      }, Effect.uninterruptible)
    ),
    Effect.forkScoped
  )

  return LanguageWorkspaces.of({
    pools: SubscriptionRef.changes(current),
    now: SubscriptionRef.get(current),
    hold: (folder) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => folders.set(folder, (folders.get(folder) ?? 0) + 1)),
          () =>
            Effect.sync(() => {
              const left = (folders.get(folder) ?? 1) - 1
              if (left > 0) folders.set(folder, left)
              else folders.delete(folder)
            })
        )
      )
  })
})

/** What makes another pool. */
const keyOf = ({ languageServerLimit, languageServers }: Settings): string =>
  JSON.stringify([languageServers, languageServerLimit])

export const layer = Layer.effect(LanguageWorkspaces, make)
