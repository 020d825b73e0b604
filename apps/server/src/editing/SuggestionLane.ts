/** Carries out the timing of requests for suggestions: one lane for each agent and workspace. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as SuggestionTiming from "./SuggestionTiming.ts"

/** A later request, or a change of a text, has made this one useless. */
export const overtaken = Symbol("overtaken")
export type Overtaken = typeof overtaken

export interface SuggestionLane {
  /**
   * Sends a request when its time has come, unless it is overtaken before it is answered.
   *
   * @param request is given a look at whether its answer is of no use any more
   */
  readonly ask: <A, E>(
    request: (isOvertaken: () => boolean) => Effect.Effect<A, E>,
    isAtOnce: boolean
  ) => Effect.Effect<A | Overtaken, E>
  /** A text has changed. Whatever was asked is out of date. */
  readonly changed: Effect.Effect<void>
  /** Requests from now on wait that long for the next keystroke. */
  readonly debounce: (ms: number) => Effect.Effect<void>
}

/** A request on its way. */
interface Place {
  readonly send: () => void
  readonly overtake: () => void
  readonly cancel: () => void
}

/** `debounceMs`: how long a request waits for the next keystroke. Requests end with the scope. */
export const make = Effect.fnUntraced(function* (
  debounceMs: number
): Effect.fn.Return<SuggestionLane, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const fork = yield* FiberSet.makeRuntime()
  const places = new Map<SuggestionTiming.Ticket, Place>()
  let state = SuggestionTiming.initial(debounceMs)
  let last = 0

  const happen = (event: SuggestionTiming.Event): void => {
    const step = SuggestionTiming.step(state, event)
    state = step.state
    for (const command of step.commands) carryOut(command)
  }

  const carryOut = (command: SuggestionTiming.Command): void => {
    const { ticket } = command
    const place = places.get(ticket)
    switch (command.type) {
      case "wake": {
        const due = Effect.sync(() => happen({ type: "due", ticket, now: now() }))
        fork(Effect.andThen(Effect.sleep(command.afterMs), due))
        return
      }
      case "send":
        return place?.send()
      case "cancel":
        return place?.cancel()
      case "overtake":
        return place?.overtake()
    }
  }

  const ask = <A, E>(request: (isOvertaken: () => boolean) => Effect.Effect<A, E>, isAtOnce: boolean) =>
    Effect.suspend(() => {
      const ticket = ++last
      const answer = Deferred.makeUnsafe<A | Overtaken, E>()
      let running: Fiber.Fiber<unknown> | undefined
      const ending = Effect.sync(() => {
        places.delete(ticket)
        happen({ type: "ended", ticket, now: now() })
      })
      places.set(ticket, {
        send: () => {
          const asking = Effect.onExit(
            request(() => Deferred.isDoneUnsafe(answer)),
            (exit) => Effect.sync(() => Deferred.doneUnsafe(answer, exit))
          )
          running = fork(Effect.ensuring(Effect.exit(asking), ending))
        },
        overtake: () => {
          if (running === undefined) places.delete(ticket)
          Deferred.doneUnsafe(answer, Exit.succeed(overtaken))
        },
        cancel: () => {
          if (running !== undefined) fork(Fiber.interrupt(running))
        }
      })
      happen({ type: "asked", ticket, isAtOnce, now: now() })
      return Effect.onInterrupt(Deferred.await(answer), () => Effect.sync(() => happen({ type: "withdrawn", ticket })))
    })

  return {
    ask,
    changed: Effect.sync(() => happen({ type: "changed" })),
    debounce: (debounceMs) => Effect.sync(() => happen({ type: "debounced", debounceMs }))
  }
})
