/**
 * Follows the events of an adapter during a run: prints them up to the end of the turn, and keeps what the run must
 * know.
 */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { ProviderAdapter } from "../../provider/Services/ProviderAdapter.ts"
import { because } from "../terminal/Overdue.ts"
import type { Printer } from "../terminal/Printer.ts"
import * as Progress from "../terminal/Progress.ts"
import type { RequestDesk } from "./RequestDesk.ts"

export interface RunEvents {
  /** The latest start of the session. A session that had to be killed is started again. */
  readonly session: () => RuntimeEventOf<"session.started"> | undefined
  readonly started: Effect.Effect<RuntimeEventOf<"session.started">>
  /** What the session offers now. */
  readonly settings: () => ReadonlyArray<SessionSetting>
  readonly progress: Pick<Progress.Progress, "prompted" | "waitsFor">
  /** Makes this problem the reason for the turn's end, unless the turn completes after all. */
  readonly blame: (problem: Problem) => void
  /** Completes with the turn's end once it has been printed. Nothing is printed after it. */
  readonly ended: Effect.Effect<RuntimeEventOf<"turn.completed">>
  /** Prints an end that no agent has reported. Does nothing if an end was printed. */
  readonly end: (event: RuntimeEventOf<"turn.completed">) => Effect.Effect<void>
}

/** Follows the events until the scope closes. */
export const follow = Effect.fnUntraced(function* (
  adapter: ProviderAdapter,
  turnId: TurnId,
  print: Printer,
  desk: RequestDesk
) {
  const started = yield* Deferred.make<RuntimeEventOf<"session.started">>()
  const ended = yield* Deferred.make<RuntimeEventOf<"turn.completed">>()
  let session: RuntimeEventOf<"session.started"> | undefined
  let settings: ReadonlyArray<SessionSetting> = []
  let blamed: Problem | undefined
  const progress = Progress.make()

  const see = (event: ProviderRuntimeEvent) => {
    if (event.type === "session.started") {
      session = event
      Deferred.doneUnsafe(started, Exit.succeed(event))
    } else if (event.type === "settings.updated") settings = event.settings
    progress.see(event)
    desk.see(event)
  }
  const tell = (events: ReadonlyArray<ProviderRuntimeEvent>) => {
    if (Deferred.isDoneUnsafe(ended)) return
    for (const [index, event] of events.entries()) {
      see(event)
      if (event.type === "turn.completed" && event.turnId === turnId) {
        const end = blamed === undefined ? event : because(blamed, event)
        print([...events.slice(0, index), end])
        Deferred.doneUnsafe(ended, Exit.succeed(end))
        return
      }
    }
    print(events)
  }

  yield* adapter.streamEvents.pipe(
    Stream.runForEachArray((events) => Effect.sync(() => tell(events))),
    Effect.forkScoped
  )
  return {
    session: () => session,
    started: Deferred.await(started),
    settings: () => settings,
    progress,
    blame: (problem) => {
      blamed = problem
    },
    ended: Deferred.await(ended),
    end: (event) => Effect.sync(() => tell([event]))
  } satisfies RunEvents
})
