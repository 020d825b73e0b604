/** A function that programs call. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Value } from "./Expression.ts"

/** Why a function did not answer, as sentences that name what to do next. */
export class FunctionFailure extends Schema.TaggedError<FunctionFailure>()("FunctionFailure", {
  reason: Schema.Literals(["arguments", "limit", "failed"]),
  message: Schema.String
}) {}

export interface DialectFunction {
  readonly name: string
  /** Its parameters, as help shows them: `path, start, end`. A question mark is behind those that may be left out. */
  readonly parameters: ReadonlyArray<string>
  /** What it does, in one line. */
  readonly summary: string
  readonly run: (args: ReadonlyArray<Value>) => Effect.Effect<Value, FunctionFailure>
}

/** How it is called, in help and errors: `lines(path, start, end)`. */
export const usageOf = ({ name, parameters }: Pick<DialectFunction, "name" | "parameters">): string =>
  `${name}(${parameters.join(", ")})`

/** The fewest arguments of a call. */
export const leastArguments = ({ parameters }: Pick<DialectFunction, "parameters">): number => {
  const first = parameters.findIndex((parameter) => parameter.endsWith("?"))
  return first === -1 ? parameters.length : first
}
