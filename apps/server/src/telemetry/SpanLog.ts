/** Logs the duration of each step of the command path, with `--log-level debug`. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { categoryAnnotation } from "./LogRecord.ts"

/** A span that is logged when it ends. */
class LoggedSpan extends Tracer.NativeSpan {
  readonly #ended: (span: Tracer.NativeSpan, durationMs: number, outcome: string) => void

  constructor(
    options: ConstructorParameters<typeof Tracer.NativeSpan>[0],
    ended: (span: Tracer.NativeSpan, durationMs: number, outcome: string) => void
  ) {
    super(options)
    this.#ended = ended
  }

  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    const first = this.status._tag === "Started"
    super.end(endTime, exit)
    if (first)
      this.#ended(this, Number(endTime - this.startTime) / 1e6, exit._tag === "Success" ? "took" : "failed after")
  }
}

/** Replaces the tracer only at level `debug` or lower. Otherwise spans stay unchanged. */
export const layer: Layer.Layer<never> = Layer.effect(
  Tracer.Tracer,
  Effect.gen(function* () {
    const context = yield* Effect.context()
    const level = yield* References.MinimumLogLevel
    if (LogLevel.isGreaterThan(level, "Debug")) return yield* Tracer.Tracer
    const run = Effect.runForkWith(context)
    const tell = (span: Tracer.NativeSpan, durationMs: number, outcome: string): void => {
      const [service = span.name, ...operation] = span.name.split(".")
      const rounded = Math.round(durationMs * 1000) / 1000
      run(
        Effect.logDebug(`${operation.join(".") || service} ${outcome} ${rounded} ms`).pipe(
          Effect.annotateLogs({
            ...Object.fromEntries(span.attributes),
            [categoryAnnotation]: service,
            durationMs: rounded
          })
        )
      )
    }
    return Tracer.make({ span: (options) => new LoggedSpan(options, tell) })
  })
)
