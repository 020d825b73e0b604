/** The members of a tool's input, taken one by one. What nobody has taken is known, and can be shown as it was sent. */
import * as Predicate from "effect/Predicate"
import { compact, isEmpty, isRecord } from "./Json.ts"

/** A part of an input that Signalbox does not understand. `name` is empty for an input that is no object. `value` is compact JSON. */
export interface UnreadMember {
  readonly name: string
  readonly value: string
}

export interface InputMembers {
  /** Whether the input has one of these members, be it empty. */
  readonly names: (...names: ReadonlyArray<string>) => boolean
  /** Whether one of these says something and was not taken. */
  readonly has: (...names: ReadonlyArray<string>) => boolean
  /** The first of these members that says something. It is not taken. */
  readonly peek: (...names: ReadonlyArray<string>) => unknown
  readonly take: (...names: ReadonlyArray<string>) => void
  /** The first of these members that is a text. Those of the others that say the same are taken with it. */
  readonly text: (...names: ReadonlyArray<string>) => string | undefined
  readonly unread: () => ReadonlyArray<UnreadMember>
}

/** The list, if it holds texts only, at least one. */
export const textsOf = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string") ? value : undefined

export const make = (input: unknown): InputMembers => {
  const left = new Map<string, unknown>(isRecord(input) ? Object.entries(input) : isEmpty(input) ? [] : [["", input]])
  for (const [name, value] of left) if (isEmpty(value)) left.delete(name)
  return {
    names: (...names) => isRecord(input) && names.some((name) => Object.hasOwn(input, name)),
    has: (...names) => names.some((name) => left.has(name)),
    peek: (...names) => names.map((name) => left.get(name)).find((value) => value !== undefined),
    take: (...names) => {
      for (const name of names) left.delete(name)
    },
    text: (...names) => {
      const text = names.map((name) => left.get(name)).find(Predicate.isString)
      if (text !== undefined) for (const name of names) if (left.get(name) === text) left.delete(name)
      return text
    },
    unread: () => [...left].map(([name, value]) => ({ name, value: compact(value) }))
  }
}
