/** Watches a replay: takes the events of the adapters, with the times of the recording. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { withAgentVersion } from "@signalbox/contracts/SessionChain"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { ProviderAdapter } from "../provider/Services/ProviderAdapter.ts"
import type { RecordedRun, Said } from "./RecordedRun.ts"
import type { Scene, Stage } from "./Stage.ts"

/** Receives the events of a replayed process, in order. */
export type Tell = (events: ReadonlyArray<ProviderRuntimeEvent>, run: RecordedRun) => void

export interface Audience {
  /** A request to people in a scene, by its number, in its current form. Waits until it exists. */
  readonly request: (scene: Scene, number: number) => Effect.Effect<AgentRequest>
}

interface Seen {
  readonly requests: Array<AgentRequest>
  readonly more: Latch.Latch
  over: boolean
}

/** Watches until the scope closes. It reports each scene up to its end, or to the end of its recording. */
export const watch = Effect.fnUntraced(function* (adapters: ReadonlyArray<ProviderAdapter>, stage: Stage, tell: Tell) {
  const seen = new Map<Scene, Seen>(
    stage.scenes.map((scene) => [scene, { requests: [], more: Latch.makeUnsafe(false), over: false }])
  )

  const see = (event: ProviderRuntimeEvent) => {
    const scene = stage.sceneOf(event.providerSessionId)
    const state = scene === undefined ? undefined : seen.get(scene)
    if (scene === undefined || state === undefined || state.over) return
    const then = asThen(event, scene.run)
    if (then !== undefined) tell([then], scene.run)
    if (event.type === "approval.changed") {
      const { request } = event
      const index = state.requests.findIndex(({ requestId }) => requestId === request.requestId)
      if (index !== -1) state.requests[index] = request
    } else if ("request" in event) {
      state.requests.push(event.request)
      state.more.openUnsafe()
    }
    if (event.type === "session.exited") {
      state.over = true
      Queue.offerUnsafe(scene.cues, { type: "exited" })
    }
  }

  yield* Effect.forEach(adapters, (adapter) =>
    Effect.forkScoped(Stream.runForEachArray(adapter.streamEvents, (events) => Effect.sync(() => events.forEach(see))))
  )
  const request = (scene: Scene, number: number): Effect.Effect<AgentRequest> =>
    Effect.suspend(() => {
      const state = seen.get(scene)
      const asked = state?.requests[number]
      if (asked !== undefined) return Effect.succeed(asked)
      state?.more.closeUnsafe()
      return Effect.flatMap(state?.more.await ?? Effect.never, () => request(scene, number))
    })
  return { request } satisfies Audience
})

/** Milliseconds on the tape's clock. Recorded events are never that late. */
export const clearingUp = 60_000

/**
 * The event with the recorded time and process id. Undefined for events of our own cleanup, after the end of the tape.
 */
const asThen = (
  event: ProviderRuntimeEvent,
  { chain, last, said, start }: RecordedRun
): ProviderRuntimeEvent | undefined => {
  if (event.at >= last.at + clearingUp) return undefined
  const at = (event.tapeLine === undefined ? undefined : timeOf(said, event.tapeLine)) ?? Math.min(event.at, last.at)
  if (event.type !== "session.started") return { ...event, at }
  const { pid: _, ...started } = event
  return {
    ...started,
    at,
    ...(start.pid !== undefined && { pid: start.pid }),
    ...(chain !== undefined && { chain: withAgentVersion(chain, started.agentVersion) })
  }
}

const timeOf = (said: ReadonlyArray<Said>, line: number): number | undefined => {
  let low = 0
  let high = said.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((said[middle]?.line ?? line) < line) low = middle + 1
    else high = middle
  }
  const found = said[low]
  return found?.line === line ? found.at : undefined
}
