/** `${env:NAME}` in the settings stands for a variable of our own environment. So secrets need not be in a file. */
import * as Result from "effect/Result"

const reference = /\$\{env:([^}]{0,256})\}/g

export interface Resolved {
  readonly text: string
  /** The values that replaced references. */
  readonly values: ReadonlyArray<string>
}

/** Replaces the references in a text. Fails with the name of the first variable that is unset or empty. */
export const resolve = (
  text: string,
  env: Readonly<Record<string, string | undefined>>
): Result.Result<Resolved, string> => {
  const values: Array<string> = []
  let missing: string | undefined
  const whole = text.replace(reference, (_, name: string) => {
    const value = env[name] ?? ""
    if (value === "") missing ??= name
    values.push(value)
    return value
  })
  return missing === undefined ? Result.succeed({ text: whole, values }) : Result.fail(missing)
}
