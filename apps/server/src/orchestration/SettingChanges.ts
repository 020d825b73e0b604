/** Settings that people change: put in place at the agent, and taken back on record where it refuses them. */
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import { reporting } from "./ReactionProblems.ts"

type SettingRequested = Extract<OrchestrationEvent, { readonly type: "setting.requested" }>

/** `lane`: starting, stopping and setting happen one after the other. */
export const make = Effect.fnUntraced(function* ({ append, threadId }: ReactingThread, lane: Semaphore.Semaphore) {
  const provider = yield* ProviderService
  /** What was chosen last and not refused, for each setting that was changed. */
  const accepted = yield* Ref.make<ReadonlyMap<string, SettingValue | undefined>>(new Map())

  const put = Effect.fnUntraced(function* ({ previous, settingId, value }: SettingRequested) {
    yield* Ref.update(accepted, (before) => (before.has(settingId) ? before : withEntry(before, settingId, previous)))
    // Without a session the choice is kept, and put in place when one starts.
    if (yield* provider.hasSession(threadId)) yield* provider.setSetting(threadId, settingId, value)
    yield* Ref.update(accepted, (before) => withEntry(before, settingId, value))
  }, Semaphore.withPermit(lane))

  return (requested: SettingRequested): Effect.Effect<void> =>
    put(requested).pipe(
      reporting((problem) =>
        append((head) => {
          const { settingId, value } = requested
          const asked = head.desired[settingId]
          const desired = asked === value ? Ref.getUnsafe(accepted).get(settingId) : asked
          return [{ type: "setting.failed", settingId, problem, ...(desired !== undefined && { desired }) }]
        })
      )
    )
})

const withEntry = <Value>(before: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> =>
  new Map(before).set(key, value)
