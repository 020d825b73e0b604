/**
 * Reads a form of an agent as fields that people fill in. Its format is a small part of JSON Schema (ACP v1,
 * elicitation).
 */
import type { ElicitationPropertySchema, ElicitationSchema, EnumOption } from "@signalbox/acp/AcpSchema"
import type { FormField, FormOption } from "@signalbox/contracts/Elicitation"

export interface ElicitationForm {
  /** The fields in the agent's order. */
  readonly fields: ReadonlyArray<FormField>
  /** Properties of unknown kinds. They are not shown as another kind, and the answer leaves them out. */
  readonly unknown: ReadonlyArray<{ readonly name: string; readonly kind: string }>
  /** Whether a required property can't be asked for, so that people can only decline. */
  readonly unanswerable: boolean
}

export const read = ({ properties = {}, required }: ElicitationSchema): ElicitationForm => {
  const fields: Array<FormField> = []
  const unknown: Array<{ readonly name: string; readonly kind: string }> = []
  for (const [name, property] of Object.entries(properties)) {
    const field = fieldOf(name, property, required?.includes(name) === true)
    if (field === undefined) unknown.push({ name, kind: property.type })
    else fields.push(field)
  }
  const unanswerable = (required ?? []).some((name) => !fields.some((field) => field.name === name))
  return { fields, unknown, unanswerable }
}

const fieldOf = (name: string, property: ElicitationPropertySchema, required: boolean): FormField | undefined => {
  if (property.type === "string") return textOf(name, property, required)
  if (property.type === "number" || property.type === "integer") return numberOf(name, property, required)
  if (property.type === "array") return choicesOf(name, property, required)
  if (property.type !== "boolean") return undefined
  const { default: initial } = property
  return { type: "boolean", ...aboutOf(name, property, required), ...(isGiven(initial) && { initial }) }
}

type PropertyOf<Type extends string> = Extract<ElicitationPropertySchema, { readonly type: Type }>

/** A text field, or a choice if the property has options. */
const textOf = (name: string, property: PropertyOf<"string">, required: boolean): FormField => {
  const { default: initial, format, maxLength, minLength, pattern } = property
  const options = property.oneOf?.map(titled) ?? property.enum?.map(plain)
  const common = { ...aboutOf(name, property, required), ...(isGiven(initial) && { initial }) }
  if (options !== undefined) return { type: "choice", ...common, options }
  return {
    type: "text",
    ...common,
    ...(isGiven(minLength) && { minLength: counted(minLength) }),
    ...(isGiven(maxLength) && { maxLength: counted(maxLength) }),
    ...(isGiven(pattern) && { pattern }),
    ...(isGiven(format) && { format })
  }
}

const numberOf = (name: string, property: PropertyOf<"number" | "integer">, required: boolean): FormField => {
  const { default: initial, maximum, minimum, type } = property
  return {
    type: "number",
    ...aboutOf(name, property, required),
    integer: type === "integer",
    ...(isGiven(minimum) && { minimum }),
    ...(isGiven(maximum) && { maximum }),
    ...(isGiven(initial) && { initial })
  }
}

const choicesOf = (name: string, property: PropertyOf<"array">, required: boolean): FormField | undefined => {
  const { default: initial, items, maxItems, minItems } = property
  const options = optionsOf(items)
  if (options === undefined) return undefined
  return {
    type: "choices",
    ...aboutOf(name, property, required),
    options,
    ...(isGiven(minItems) && { minItems: counted(minItems) }),
    ...(isGiven(maxItems) && { maxItems: counted(maxItems) }),
    ...(isGiven(initial) && { initial })
  }
}

type Items = PropertyOf<"array">["items"]

/** The options of a list. Undefined for items of an unknown kind. */
const optionsOf = (items: Items): ReadonlyArray<FormOption> | undefined => {
  if (items.type === "string") return items.enum.map(plain)
  return isTitled(items) ? items.anyOf.map(titled) : undefined
}

const isTitled = (items: Items): items is Extract<Items, { readonly anyOf: ReadonlyArray<EnumOption> }> =>
  "anyOf" in items && Array.isArray(items.anyOf)

const titled = ({ const: value, description, title }: EnumOption): FormOption => ({
  value,
  label: title,
  ...(isGiven(description) && { description })
})

const plain = (value: string): FormOption => ({ value, label: value })

const aboutOf = (
  name: string,
  { description, title: label }: { readonly title?: string | null; readonly description?: string | null },
  required: boolean
) => ({ name, required, ...(isGiven(label) && { label }), ...(isGiven(description) && { description }) })

/** Limits a bound to the safe integers. No text or list is longer, so the meaning stays. */
const counted = (bound: number): number => Math.min(bound, Number.MAX_SAFE_INTEGER)

/** Whether a member has a value. Null and a missing member mean the same on the wire. */
const isGiven = <Value>(value: Value | null | undefined): value is Value => value !== undefined && value !== null
