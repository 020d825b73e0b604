/** An agent for suggestions in memory. It notes what it gets, and answers what the test says. */
import type { Suggestion, SuggestRequest } from "@signalbox/acp/NesSchema"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { ProviderError } from "../../src/base/ProviderError.ts"
import type { SuggestionSource } from "../../src/editing/SuggestionSource.ts"

export interface FakeSource {
  /** Starts one. */
  readonly start: Effect.Effect<SuggestionSource, ProviderError>
  /** What it got, in order, over all its processes. */
  readonly got: Array<readonly [method: string, about?: unknown]>
  /** What the next question gets. */
  answer: (request: SuggestRequest) => Effect.Effect<ReadonlyArray<Suggestion>, ProviderError>
  /** Whether it reads what it gets. One that does not keeps everybody waiting. */
  reads: boolean
  /** The running one ends by itself. */
  readonly crash: Effect.Effect<void>
}

const crashed: Problem = {
  code: "agent-exited",
  title: "Fake ended by itself.",
  cause: "Test.",
  evidence: {},
  nextSteps: []
}

export const make = (): FakeSource => {
  const got: FakeSource["got"] = []
  let closed = Deferred.makeUnsafe<Problem>()
  const note = (method: string, about?: unknown) =>
    Effect.suspend(() => {
      got.push([method, about])
      return fake.reads ? Effect.void : Effect.never
    })
  const fake: FakeSource = {
    got,
    answer: () => Effect.succeed([]),
    reads: true,
    crash: Effect.suspend(() => Deferred.succeed(closed, crashed)),
    start: Effect.map(SubscriptionRef.make<ReadonlyArray<SessionSetting>>([]), (settings): SuggestionSource => {
      closed = Deferred.makeUnsafe()
      got.push(["start"])
      return {
        name: "Fake",
        version: undefined,
        settings,
        setSetting: (settingId, value) => note("set", [settingId, value]),
        documents: {
          didOpen: ({ text, version }) => note("open", [version, text]),
          didChange: ({ changes, version }) => note("change", [version, changes]),
          didClose: () => note("close"),
          didSave: () => note("save"),
          didFocus: ({ position }) => note("focus", position)
        },
        suggest: (request) =>
          Effect.andThen(
            note("suggest", request.position),
            Effect.suspend(() => fake.answer(request))
          ),
        refused: () => [],
        unnamed: () => 0,
        sent: () => undefined,
        tape: undefined,
        faultyRules: [],
        ends: {
          accept: (id) => note("accept", id),
          reject: (id, reason) => note("reject", [id, reason])
        },
        closed: Deferred.await(closed)
      }
    })
  }
  return fake
}
