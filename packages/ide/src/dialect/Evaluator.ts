/**
 * Runs a program of Dialect: the arguments of a call from left to right, then the call. The whole program is checked before anything of it
 * runs. It is bounded in the number of its calls, in time, in what functions return, and in its result.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type DialectFunction, type FunctionFailure, leastArguments, usageOf } from "./DialectFunction.ts"
import type { Call, Expression, Value } from "./Expression.ts"
import * as Parser from "./Parser.ts"
import * as ProgramError from "./ProgramError.ts"

export interface Limits {
  /** The most calls of one program. */
  readonly calls: number
  readonly time: Duration.Input
  /** The most bytes of the result, as JSON in UTF-8. */
  readonly resultBytes: number
  /** The most bytes of what all functions return together. */
  readonly valueBytes: number
}

export const defaultLimits: Limits = {
  calls: 100,
  time: "10 seconds",
  resultBytes: 256 * 1024,
  valueBytes: 4 * 1024 * 1024
}

export interface Options {
  readonly functions: ReadonlyArray<DialectFunction>
  readonly limits?: Limits | undefined
  /** What a call may be waiting for, as a sentence, asked when time is up. */
  readonly waiting?: Effect.Effect<string | undefined> | undefined
}

/** The result of a program, as JSON. What is undefined becomes `null`, or is left out of an object. */
export const run = Effect.fn("Dialect.run")(function* (
  source: string,
  options: Options
): Effect.fn.Return<string, ProgramError.ProgramError> {
  const program = yield* Effect.fromResult(Parser.parse(source))
  const limits = options.limits ?? defaultLimits
  const calls = yield* Effect.fromResult(checked(source, program, options.functions, limits.calls))
  const values = new Map<Call, Value>()
  let current: Ready | undefined
  let number = 0

  const answer = Effect.fnUntraced(function* (ready: Ready, left: number) {
    const { call, offered } = ready
    current = ready
    number += 1
    const value = yield* offered
      .run(call.args.map((arg) => valueOf(arg, values)))
      .pipe(Effect.mapError((failure) => inProgram(source, call, failure)))
    values.set(call, value)
    const bytes = left - bytesOf(value)
    if (bytes >= 0) return bytes
    return yield* Effect.fail(
      ProgramError.at(
        source,
        call.at,
        "limit",
        `what the functions return is longer than ${kilobytes(limits.valueBytes)} together, with call ${number} of ${calls.length}, ${call.name}. Ask for less in one program.`
      )
    )
  })

  const all = Effect.gen(function* () {
    let left = limits.valueBytes
    for (const ready of calls) left = yield* answer(ready, left)
  })

  yield* Effect.timeoutOrElse(all, {
    duration: limits.time,
    orElse: () =>
      Effect.flatMap(options.waiting ?? Effect.undefined, (reason) => {
        const seconds = Duration.toSeconds(limits.time)
        const done = `${number - 1} of ${calls.length} calls were answered, and ${current?.call.name ?? "the first one"} was not.`
        const words = `the program took longer than ${seconds} seconds. ${done} ${reason ?? "Ask again in a moment, or for less in one program."}`
        return Effect.fail(ProgramError.at(source, current?.call.at ?? 0, "limit", words))
      })
  })
  const text = JSON.stringify(valueOf(program, values)) ?? "null"
  const bytes = Buffer.byteLength(text)
  if (bytes <= limits.resultBytes) return text
  return yield* Effect.fail(
    ProgramError.at(
      source,
      program.at,
      "limit",
      `the result has ${kilobytes(bytes)}, and at most ${kilobytes(limits.resultBytes)} are returned. Ask for less: a narrower search, fewer lines, or one part of it.`
    )
  )
})

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} kB`

/** A call, and the function that answers it. */
interface Ready {
  readonly call: Call
  readonly offered: DialectFunction
}

/** The calls of a program in the order in which they run. Fails at the first one that can't be made. */
const checked = (
  source: string,
  program: Expression,
  functions: ReadonlyArray<DialectFunction>,
  mostCalls: number
): Result.Result<ReadonlyArray<Ready>, ProgramError.ProgramError> => {
  const byName = new Map(functions.map((one) => [one.name, one]))
  const ready: Array<Ready> = []
  const problem = (call: Call, reason: ProgramError.Reason, words: string) =>
    ProgramError.at(source, call.at, reason, words)

  const look = (expression: Expression): ProgramError.ProgramError | undefined => {
    if (expression.type === "atom") return undefined
    const offered = expression.type === "call" ? byName.get(expression.name) : undefined
    if (expression.type === "call") {
      if (offered === undefined) return problem(expression, "name", missing(expression.name, functions))
      const [least, most, given] = [leastArguments(offered), offered.parameters.length, expression.args.length]
      if (given < least || given > most)
        return problem(
          expression,
          "arguments",
          `${expression.name} takes ${least === most ? least : `${least} to ${most}`} argument${most === 1 ? "" : "s"}, and got ${given}. Expected ${usageOf(offered)}.`
        )
    }
    for (const part of partsOf(expression)) {
      const found = look(part)
      if (found !== undefined) return found
    }
    if (expression.type !== "call" || offered === undefined) return undefined
    ready.push({ call: expression, offered })
    return ready.length > mostCalls
      ? problem(expression, "limit", `the program has more than ${mostCalls} calls. Put fewer into one program.`)
      : undefined
  }

  const found = look(program)
  return found === undefined ? Result.succeed(ready) : Result.fail(found)
}

const partsOf = (expression: Exclude<Expression, { readonly type: "atom" }>): ReadonlyArray<Expression> =>
  expression.type === "call"
    ? expression.args
    : expression.type === "array"
      ? expression.items
      : expression.members.map(([, value]) => value)

/** Names what there is; at first what differs in case or by its end only. */
const missing = (name: string, functions: ReadonlyArray<DialectFunction>): string => {
  const asked = name.toLowerCase()
  const near = functions.find((one) => {
    const known = one.name.toLowerCase()
    return known.startsWith(asked) || asked.startsWith(known)
  })
  const meant = near === undefined ? "" : ` Did you mean ${near.name}?`
  return `there is no function ${name.slice(0, 60)}.${meant} Expected one of: ${functions.map((one) => one.name).join(", ")}.`
}

/** What an expression comes to, when its calls are answered. */
const valueOf = (expression: Expression, values: ReadonlyMap<Call, Value>): Value => {
  switch (expression.type) {
    case "atom":
      return expression.value
    case "call":
      return values.get(expression)
    case "array":
      return expression.items.map((item) => valueOf(item, values))
    case "object":
      return Object.fromEntries(expression.members.map(([key, value]) => [key, valueOf(value, values)]))
  }
}

const bytesOf = (value: Value): number => Buffer.byteLength(JSON.stringify(value) ?? "")

const inProgram = (source: string, call: Call, { message, reason }: FunctionFailure): ProgramError.ProgramError =>
  ProgramError.at(source, call.at, reason, `${call.name}: ${message}`)
