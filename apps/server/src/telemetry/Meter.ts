/** Updates metrics synchronously. An effect for each number would cost more than the measured work. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

export interface Meter {
  /** Updates a metric. Keep labelled metrics that are used often: see `labelled`. */
  readonly note: <Input, State>(metric: Metric.Metric<Input, State>, input: Input) => void
  /** Runs an effect, and reports its seconds and whether it succeeded. */
  readonly timed: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    told: (seconds: number, succeeded: boolean) => void
  ) => Effect.Effect<A, E, R>
}

/** Makes a meter that lasts as long as the scope that made it. */
export const make: Effect.Effect<Meter> = Effect.map(Effect.context(), (context) => {
  const clock = Context.get(context, Clock.Clock)
  const since = (start: bigint): number => Number(clock.currentTimeNanosUnsafe() - start) / 1e9
  return {
    note: (metric, input) => metric.updateUnsafe(input, context),
    timed: (effect, told) =>
      Effect.suspend(() => {
        const start = clock.currentTimeNanosUnsafe()
        return Effect.onExit(effect, (exit) => Effect.sync(() => told(since(start), exit._tag === "Success")))
      })
  }
})

/** One metric under different labels, each made once. */
export const labelled = <Input, State, Labels extends ReadonlyArray<string>>(
  metric: Metric.Metric<Input, State>,
  names: Labels
) => {
  const made = new Map<string, Metric.Metric<Input, State>>()
  return (...values: { readonly [Index in keyof Labels]: string }): Metric.Metric<Input, State> => {
    const key = values.join("\u0000")
    const known = made.get(key)
    if (known !== undefined) return known
    const attributes = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))
    const fresh = Metric.withAttributes(metric, attributes)
    made.set(key, fresh)
    return fresh
  }
}
