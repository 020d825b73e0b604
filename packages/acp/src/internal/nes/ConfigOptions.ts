/** Options of a session for suggestions. Its first draft wrote `enum` for `select`, and `label` for `name`. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SessionConfigOption } from "../generated/v1.ts"
import * as Lenient from "../schema/Lenient.ts"
import * as Wire from "../schema/Wire.ts"

const readOptions = Lenient.reader(Schema.Struct({ configOptions: Wire.skipInvalid(SessionConfigOption) }))

/** The options in a result or an update. Undefined if it says nothing of options. */
export const read = (value: unknown): ReadonlyArray<SessionConfigOption> | undefined => {
  if (!Predicate.isObject(value) || !Array.isArray(value["configOptions"])) return undefined
  const reading = readOptions({ configOptions: value["configOptions"].map(standardOption) })
  return Result.isSuccess(reading) ? reading.success.value.configOptions : undefined
}

const standardOption = (option: unknown): unknown => {
  if (!Predicate.isObject(option)) return option
  const { options, type } = option
  return {
    ...named(option),
    ...(type === "enum" && { type: "select" }),
    ...(Array.isArray(options) && { options: options.map(standardChoice) })
  }
}

/** A choice, or a group of them. */
const standardChoice = (choice: unknown): unknown => {
  if (!Predicate.isObject(choice)) return choice
  const { options } = choice
  return { ...named(choice), ...(Array.isArray(options) && { options: options.map(named) }) }
}

const named = (value: unknown): {} => {
  if (!Predicate.isObject(value)) return {}
  const { label, name } = value
  return name === undefined && typeof label === "string" ? { ...value, name: label } : value
}
