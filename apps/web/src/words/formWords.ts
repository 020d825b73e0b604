/** Forms and addresses in words, and what was typed as the values that are sent. Pure. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { type FormContent, type FormField, type FormValue, valueOf } from "@signalbox/contracts/Elicitation"

type Asked<Type extends AgentRequest["type"]> = Extract<AgentRequest, { readonly type: Type }>

export const formTitle = (agent: string, { during }: Asked<"form">): string =>
  `${agent} asks you to fill in a form${before(during)}`

export const addressTitle = (agent: string, { during }: Asked<"url">): string =>
  `${agent} asks you to open an address${before(during)}`

/** Asked for while the agent still starts. */
const before = (method: string | undefined): string =>
  method === undefined ? "" : method === "authenticate" ? ", to sign in" : ", before it can start"

/** What stands in the fields. Numbers are kept as they were typed. */
export type Typed = Readonly<Record<string, FormValue>>

export const typedOf = (fields: ReadonlyArray<FormField>, content: FormContent): Typed =>
  Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      const value = valueOf(content, name)
      return value === undefined ? [] : [[name, type === "number" ? String(value) : value] as const]
    })
  )

/** What would be sent. A number that is none stays as it was typed, and is found to be wrong. */
export const contentOf = (fields: ReadonlyArray<FormField>, typed: Typed): FormContent =>
  Object.fromEntries(
    fields.flatMap(({ name, type }): ReadonlyArray<readonly [string, FormValue]> => {
      const value = valueOf(typed, name)
      if (value === undefined || value === "") return []
      if (type !== "number" || typeof value !== "string") return [[name, value]]
      const number = Number(value.trim())
      return [[name, value.trim() === "" || Number.isNaN(number) ? value : number]]
    })
  )

/** A value as people saw it when they gave it; undefined when they gave none. */
export const valueWords = (field: FormField, value: FormValue | undefined): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value === "boolean") return value ? "Yes" : "No"
  const labelOf = (text: string) =>
    "options" in field ? (field.options.find((option) => option.value === text)?.label ?? text) : text
  return typeof value === "object" ? value.map(labelOf).join(", ") : labelOf(String(value))
}

/** What a field takes, where it says so. */
export const ruleOf = (field: FormField): string | undefined => {
  switch (field.type) {
    case "text":
      return range(field.minLength, field.maxLength, " characters")
    case "number": {
      const bounds = range(field.minimum, field.maximum, "")
      if (!field.integer) return bounds
      return bounds === undefined ? "a whole number" : `a whole number, ${bounds}`
    }
    case "choices":
      return range(field.minItems, field.maxItems, " of them")
    case "boolean":
    case "choice":
      return undefined
  }
}

const range = (from: number | undefined, to: number | undefined, noun: string): string | undefined => {
  if (from !== undefined && to !== undefined) return `${from} to ${to}${noun}`
  if (from !== undefined) return `at least ${from}${noun}`
  return to === undefined ? undefined : `at most ${to}${noun}`
}
