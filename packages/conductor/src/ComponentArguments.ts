/** Reads the arguments of a component, and says in one sentence what is wrong with them. */
import * as Result from "effect/Result"
import type { Options, Run } from "./BuiltInComponent.ts"

/** What `read` returns, or what it throws, with the arguments that there are. */
export const read = <A>(usage: string, read: () => A): Result.Result<A, string> =>
  Result.try({
    try: read,
    catch: (error) => `${error instanceof Error ? error.message : String(error)} Its arguments are: ${usage}`
  })

/** A number above 0. `unit`: what it counts, as "seconds". Throws what is wrong. */
export const numberIn = (flag: string, text: string, most: number, unit?: string): number => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= most) return value
  throw new Error(`${flag} is a number${unit === undefined ? "" : ` of ${unit}`} above 0, and at most ${most}.`)
}

/** Makes a component that takes no arguments. */
export const none =
  (run: Run) =>
  ({ args }: Pick<Options, "args">): Result.Result<Run, string> =>
    args.length === 0 ? Result.succeed(run) : Result.fail("It takes no arguments.")
