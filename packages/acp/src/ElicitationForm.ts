/** Forms that an agent asks people to fill in: what there is to fill in, and what is wrong with an answer (ACP v1, elicitation). */
import type { ElicitationContentValue, ElicitationPropertySchema, ElicitationSchema } from "./AcpSchema.ts"

export type Content = { readonly [name: string]: ElicitationContentValue }

/** A property of a kind that the protocol knows. */
export type Property = Extract<
  ElicitationPropertySchema,
  { readonly type: "string" | "number" | "integer" | "boolean" | "array" }
>

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly property: Property
}

export interface Form {
  /** In the order of the schema. */
  readonly fields: ReadonlyArray<Field>
  /** Properties of a kind that nobody here knows: they are not shown as another, and stay out of the answer. */
  readonly unknown: ReadonlyArray<{ readonly name: string; readonly type: string; readonly required: boolean }>
  /** False when something is required that can't be asked for: all one can do is decline. */
  readonly answerable: boolean
}

export interface Mistake {
  readonly name: string
  /** For people, without the name: "has to be at least 3". */
  readonly message: string
}

const kinds: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "array"])

const isKnown = (property: ElicitationPropertySchema): property is Property =>
  kinds.has(property.type) && (property.type !== "array" || choicesOf(property) !== undefined)

export const read = ({ properties = {}, required }: ElicitationSchema): Form => {
  const isRequired = (name: string) => required?.includes(name) === true
  const all = Object.entries(properties)
  const fields = all.flatMap(([name, property]) =>
    isKnown(property) ? [{ name, required: isRequired(name), property }] : []
  )
  const unknown = all.flatMap(([name, property]) =>
    isKnown(property) ? [] : [{ name, type: property.type, required: isRequired(name) }]
  )
  const named = new Set(fields.map(({ name }) => name))
  return { fields, unknown, answerable: (required ?? []).every((name) => named.has(name)) }
}

/** What the form is filled in with at first. */
export const defaults = ({ fields }: Form): Content =>
  Object.fromEntries(
    fields.flatMap(({ name, property }) => {
      const value = property.default
      return value === undefined || value === null ? [] : [[name, value]]
    })
  )

/** The values that may be chosen; undefined when any may be written, or when there is no telling. */
export const choicesOf = (
  property: Property
): ReadonlyArray<{ readonly value: string; readonly title: string; readonly description?: string }> | undefined => {
  if (property.type === "string") return property.oneOf?.map(titled) ?? property.enum?.map(plain)
  if (property.type !== "array") return undefined
  const { items } = property
  if ("anyOf" in items && Array.isArray(items.anyOf)) {
    const options: ReadonlyArray<Titled> = items.anyOf
    return options.map(titled)
  }
  return "enum" in items && Array.isArray(items.enum) ? items.enum.map(plain) : undefined
}

interface Titled {
  readonly const: string
  readonly title: string
  readonly description?: string | null
}

const titled = ({ const: value, description, title }: Titled) => ({
  value,
  title,
  ...(typeof description === "string" && { description })
})
const plain = (value: string) => ({ value, title: value })

/**
 * What is wrong with an answer, by field; nothing when it may be sent. A `pattern` is left to the agent: an expression that
 * somebody else wrote can take for ever to try.
 */
export const mistakes = (form: Form, content: Content): ReadonlyArray<Mistake> => {
  const named = new Set(form.fields.map(({ name }) => name))
  const strangers = Object.keys(content).filter((name) => !named.has(name))
  return [
    ...form.fields.flatMap(({ name, property, required }) => {
      const value = Object.hasOwn(content, name) ? content[name] : undefined
      const message = value === undefined ? (required ? "has to be filled in" : undefined) : mistake(property, value)
      return message === undefined ? [] : [{ name, message }]
    }),
    ...strangers.map((name) => ({ name, message: "was not asked for" }))
  ]
}

const mistake = (property: Property, value: ElicitationContentValue): string | undefined => {
  switch (property.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "has to be yes or no"
    case "number":
    case "integer":
      return mistakeInNumber(property, value)
    case "string":
      return mistakeInText(property, value)
    case "array":
      return mistakeInChoice(property, value)
  }
}

const mistakeInNumber = (
  { maximum, minimum, type }: Extract<Property, { readonly type: "number" | "integer" }>,
  value: ElicitationContentValue
) => {
  if (typeof value !== "number" || !Number.isFinite(value)) return "has to be a number"
  if (type === "integer" && !Number.isInteger(value)) return "has to be a whole number"
  if (typeof minimum === "number" && value < minimum) return `has to be at least ${minimum}`
  return typeof maximum === "number" && value > maximum ? `has to be at most ${maximum}` : undefined
}

const mistakeInText = (property: Extract<Property, { readonly type: "string" }>, value: ElicitationContentValue) => {
  if (typeof value !== "string") return "has to be text"
  const choices = choicesOf(property)
  if (choices !== undefined && !choices.some((choice) => choice.value === value)) return "has to be one of the choices"
  const { format, maxLength, minLength } = property
  // Characters as people count them, as JSON Schema does.
  const length = Array.from(value).length
  if (typeof minLength === "number" && length < minLength) return `has to have at least ${minLength} characters`
  if (typeof maxLength === "number" && length > maxLength) return `has to have at most ${maxLength} characters`
  return format === undefined || format === null || formats[format](value) ? undefined : `is no ${format}`
}

const formats = {
  email: (value: string) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value: string) => URL.canParse(value),
  date: (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  "date-time": (value: string) => /^\d{4}-\d\d-\d\d[Tt ]/.test(value) && !Number.isNaN(Date.parse(value))
}

const mistakeInChoice = (property: Extract<Property, { readonly type: "array" }>, value: ElicitationContentValue) => {
  if (typeof value !== "object") return "has to be a list"
  const choices = choicesOf(property) ?? []
  if (!value.every((each) => choices.some((choice) => choice.value === each))) return "has to be among the choices"
  const { maxItems, minItems } = property
  if (typeof minItems === "number" && value.length < minItems) return `has to have at least ${minItems} choices`
  return typeof maxItems === "number" && value.length > maxItems ? `has to have at most ${maxItems} choices` : undefined
}
