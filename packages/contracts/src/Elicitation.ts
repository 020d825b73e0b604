/**
 * The forms and addresses of agents: forms with a few kinds of fields. The page and the server check answers with this
 * one code. No answer is sent that the agent does not accept (ACP v1, elicitation).
 */
import * as Schema from "effect/Schema"

/** The part of `URL` that browsers and Node share. This package uses the type library of neither. */
declare const URL: {
  readonly canParse: (address: string) => boolean
  new (address: string): Readonly<Record<"host" | "hostname" | "password" | "protocol" | "username", string>>
}

const common = {
  /** The key of the value in the answer. */
  name: Schema.String,
  /** The agent's label. Without one, the name is shown. */
  label: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  required: Schema.Boolean
}

export const FormOption = Schema.Struct({
  value: Schema.String,
  label: Schema.String,
  description: Schema.optionalKey(Schema.String)
})
export type FormOption = typeof FormOption.Type

export const TextFormat = Schema.Literals(["email", "uri", "date", "date-time"])
export type TextFormat = typeof TextFormat.Type

/** One value to fill in. `initial`: the value before anybody has typed. Limits are inclusive. */
export const FormField = Schema.Union([
  Schema.Struct({
    type: Schema.tag("text"),
    ...common,
    /** Counted in code points. */
    minLength: Schema.optionalKey(Schema.Int),
    maxLength: Schema.optionalKey(Schema.Int),
    /** A regular expression that must match somewhere in the text. */
    pattern: Schema.optionalKey(Schema.String),
    format: Schema.optionalKey(TextFormat),
    initial: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    type: Schema.tag("number"),
    ...common,
    integer: Schema.Boolean,
    minimum: Schema.optionalKey(Schema.Finite),
    maximum: Schema.optionalKey(Schema.Finite),
    initial: Schema.optionalKey(Schema.Finite)
  }),
  Schema.Struct({ type: Schema.tag("boolean"), ...common, initial: Schema.optionalKey(Schema.Boolean) }),
  /** One of the options. */
  Schema.Struct({
    type: Schema.tag("choice"),
    ...common,
    options: Schema.Array(FormOption),
    initial: Schema.optionalKey(Schema.String)
  }),
  /** Any of the options, each at most once. */
  Schema.Struct({
    type: Schema.tag("choices"),
    ...common,
    options: Schema.Array(FormOption),
    minItems: Schema.optionalKey(Schema.Int),
    maxItems: Schema.optionalKey(Schema.Int),
    initial: Schema.optionalKey(Schema.Array(Schema.String))
  })
]).pipe(Schema.toTaggedUnion("type"))
export type FormField = typeof FormField.Type

export const FormValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)])
export type FormValue = typeof FormValue.Type

/** The values of a form by the names of their fields. Empty fields are missing. */
export const FormContent = Schema.Record(Schema.String, FormValue)
export type FormContent = typeof FormContent.Type

/** The value of a field. Safe for every name: agents may call a field `constructor`. */
export const valueOf = (content: FormContent, name: string): FormValue | undefined =>
  Object.hasOwn(content, name) ? content[name] : undefined

/** The reason why a value is not accepted: a sentence about the field. */
export interface FormFault {
  readonly name: string
  readonly message: string
}

/** Whether a text matches a pattern. Undefined if it is unknown: patterns come from the agent and may run forever. */
export type PatternTest = (pattern: string, text: string) => boolean | undefined

/** Skips the test of patterns, for callers that must not block. */
export const untested: PatternTest = () => undefined

/** The initial values of a form, as far as they are valid. */
export const initialContent = (fields: ReadonlyArray<FormField>): FormContent =>
  Object.fromEntries(
    fields.flatMap((field): ReadonlyArray<readonly [string, FormValue]> => {
      const { initial, name } = field
      return initial === undefined || faultOf(field, initial, untested) !== undefined ? [] : [[name, initial]]
    })
  )

/** The faults in an answer, in the order of the fields. Empty if the answer may be sent. */
export const faultsIn = (
  fields: ReadonlyArray<FormField>,
  content: FormContent,
  matches: PatternTest
): ReadonlyArray<FormFault> => [
  ...fields.flatMap((field) => {
    const message = faultOf(field, valueOf(content, field.name), matches)
    return message === undefined ? [] : [{ name: field.name, message }]
  }),
  ...Object.keys(content).flatMap((name) =>
    fields.some((field) => field.name === name) ? [] : [{ name, message: "This was not asked for." }]
  )
]

/** The first fault, as a sentence that names its field. */
export const refusalOf = (
  fields: ReadonlyArray<FormField>,
  content: FormContent,
  matches: PatternTest
): string | undefined => {
  const [fault] = faultsIn(fields, content, matches)
  if (fault === undefined) return undefined
  const field = fields.find(({ name }) => name === fault.name)
  return `“${field?.label ?? fault.name}”: ${fault.message}`
}

/** Whether a value counts as missing: empty texts and lists do. */
const isEmpty = (value: FormValue | undefined): boolean =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

const faultOf = (field: FormField, value: FormValue | undefined, matches: PatternTest): string | undefined => {
  if (value === undefined || isEmpty(value)) {
    if (field.required && !(field.type === "choices" && value !== undefined && !field.minItems)) return "It is needed."
    return undefined
  }
  switch (field.type) {
    case "text":
      return typeof value === "string" ? textFault(field, value, matches) : "It has to be a text."
    case "number":
      return typeof value === "number" ? numberFault(field, value) : "It has to be a number."
    case "boolean":
      return typeof value === "boolean" ? undefined : "It is either yes or no."
    case "choice":
      return field.options.some((option) => option.value === value) ? undefined : "It has to be one of the options."
    case "choices":
      return Array.isArray(value) ? choicesFault(field, value) : "It has to be a list of options."
  }
}

type FieldOf<Type extends FormField["type"]> = Extract<FormField, { readonly type: Type }>

const textFault = (field: FieldOf<"text">, text: string, matches: PatternTest): string | undefined => {
  const { format, maxLength, minLength, pattern } = field
  const length = Array.from(text).length
  if (minLength !== undefined && length < minLength) return `It needs at least ${count(minLength, "character")}.`
  if (maxLength !== undefined && length > maxLength) return `It takes at most ${count(maxLength, "character")}.`
  if (format !== undefined && !formats[format].fits(text)) return `It has to be ${formats[format].words}.`
  if (pattern !== undefined && matches(pattern, text) === false) return `It has to match ${pattern}.`
  return undefined
}

const numberFault = ({ integer, maximum, minimum }: FieldOf<"number">, value: number): string | undefined => {
  if (!Number.isFinite(value)) return "It has to be a number."
  if (integer && !Number.isInteger(value)) return "It has to be a whole number."
  if (minimum !== undefined && value < minimum) return `It has to be at least ${minimum}.`
  if (maximum !== undefined && value > maximum) return `It has to be at most ${maximum}.`
  return undefined
}

const choicesFault = (field: FieldOf<"choices">, values: ReadonlyArray<string>): string | undefined => {
  const { maxItems, minItems, options } = field
  if (values.some((value) => !options.some((option) => option.value === value))) return "It takes the options only."
  if (new Set(values).size !== values.length) return "It takes each option once."
  if (minItems !== undefined && values.length < minItems) return `Choose at least ${minItems}.`
  if (maxItems !== undefined && values.length > maxItems) return `Choose at most ${maxItems}.`
  return undefined
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

const isMoment = (text: string): boolean => {
  const date = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(text)?.[1]
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(text))
}

const formats: Readonly<Record<TextFormat, { readonly words: string; readonly fits: (text: string) => boolean }>> = {
  email: { words: "an e-mail address", fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { words: "a whole address, as in https://example.com", fits: (text) => URL.canParse(text) },
  date: { words: "a date, as in 2026-11-30", fits: isDate },
  "date-time": { words: "a time, as in 2026-11-30T18:00:00Z", fits: isMoment }
}

/** What people should see of an address before they open it. */
export interface AddressFacts {
  /** The host that a browser will use. Names in other scripts are in ASCII (`xn--…`). */
  readonly host: string
  /** Why the address may deceive people, or lets others read the traffic. */
  readonly warnings: ReadonlyArray<string>
}

/** The facts of an address. Undefined if browsers don't open it: only http and https count. */
export const addressFacts = (address: string): AddressFacts | undefined => {
  if (!URL.canParse(address)) return undefined
  const { host, hostname, password, protocol, username } = new URL(address)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  const labels = hostname.split(".")
  const local = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname)
  const numbers = /^[\d.]+$/.test(hostname) || hostname.startsWith("[")
  return {
    host,
    warnings: [
      ...(labels.some((label) => label.startsWith("xn--"))
        ? ["The name of this site is written in other letters than the Latin ones; it may only look like one you know."]
        : []),
      ...(username !== "" || password !== ""
        ? [`What stands before the @ is no site: this address leads to ${host}.`]
        : []),
      ...(numbers && !local ? ["The site is given by numbers instead of by a name."] : []),
      ...(protocol === "http:" && !local ? ["The connection to it is not encrypted."] : [])
    ]
  }
}
