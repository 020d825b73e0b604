/** What people see of a desk: what its agent does, and what is chosen there. Now, and after every change. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { SuggestingState } from "@signalbox/contracts/Suggestions"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { ProviderError } from "../base/ProviderError.ts"
import type { Chosen } from "./SuggestionSettings.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"

export interface DeskState {
  readonly doing: SuggestingState
  readonly agent: Pick<SuggestionSource, "faultyRules" | "name" | "version"> | undefined
  /** The file in which it is recorded what people edit. */
  readonly recording: string | undefined
  /** The settings that the agent has reported last, and what people have chosen of them. */
  readonly settings: ReadonlyArray<SessionSetting>
  readonly chosen: Chosen
}

export interface DeskStates {
  readonly changes: Stream.Stream<DeskState>
  readonly does: (doing: SuggestingState) => Effect.Effect<void>
  /** The agent could not do what it was asked. */
  readonly fails: (problem: Problem) => Effect.Effect<void>
  /** Something beside what the agent does has changed. */
  readonly look: Effect.Effect<void>
  /** Says how a question has ended. One that nobody waits for any more has not failed. */
  readonly told: <A>(question: Effect.Effect<A, ProviderError>) => Effect.Effect<A, ProviderError>
}

export interface Options {
  /** All but what the agent does, as it is now. */
  readonly rest: () => Omit<DeskState, "doing">
  /** Milliseconds before which a failed agent is not asked. */
  readonly restMs: Effect.Effect<number>
}

export const make = Effect.fnUntraced(function* ({ rest, restMs }: Options): Effect.fn.Return<DeskStates> {
  const stateOf = (doing: SuggestingState): DeskState => ({ doing, ...rest() })
  const state = yield* SubscriptionRef.make(stateOf({ type: "idle" }))
  const does = (doing: SuggestingState) => SubscriptionRef.set(state, stateOf(doing))
  const fails = (problem: Problem): Effect.Effect<void> =>
    Effect.flatMap(restMs, (restMs) => does({ type: "failed", problem, restMs }))

  return {
    changes: SubscriptionRef.changes(state),
    does,
    fails,
    look: SubscriptionRef.update(state, ({ doing }) => stateOf(doing)),
    told: (question) =>
      Effect.onExit(question, (exit) => {
        const failure = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none()
        return Option.match(failure, {
          // An agent that has ended after its answer has failed all the same.
          onNone: () =>
            SubscriptionRef.update(state, (now) =>
              rest().agent === undefined && now.doing.type === "failed" ? now : stateOf({ type: "idle" })
            ),
          onSome: ({ problem }) => fails(problem)
        })
      })
  }
})
