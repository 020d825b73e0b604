/** The members of a tool's input, taken one by one. The remaining ones are known, so they can be shown unchanged. */
import * as Predicate from "effect/Predicate"
import { compact, isEmpty, isRecord, type JsonObject } from "./Json.ts"

/**
 * A part of an input that Signalbox does not understand. `name` is empty if the input is no object. `value` is compact
 * JSON.
 */
export interface UnreadMember {
  readonly name: string
  readonly value: string
}

export interface InputMembers {
  /** Whether the input has one of these members, even an empty one. */
  readonly names: (...names: ReadonlyArray<string>) => boolean
  /** Whether one of these members has content and was not taken. */
  readonly has: (...names: ReadonlyArray<string>) => boolean
  /** The first of these members with content, without taking it. */
  readonly peek: (...names: ReadonlyArray<string>) => unknown
  readonly take: (...names: ReadonlyArray<string>) => void
  /** The first of these members that is a text. Others with an equal text are taken with it. */
  readonly text: (...names: ReadonlyArray<string>) => string | undefined
  /** The first members that nobody took, at most `mostListed`. */
  readonly unread: () => ReadonlyArray<UnreadMember>
  /** The number of further members. */
  readonly unlisted: () => number
}

/** Most members that are listed: people can't read more, and a card can't show them. */
export const mostListed = 1_000

/** The list, if it has at least one item and all are texts. */
export const textsOf = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string") ? value : undefined

export const make = (input: unknown): InputMembers => {
  const members: JsonObject = isRecord(input) ? input : isEmpty(input) ? {} : { "": input }
  const taken = new Set<string>()
  /** The content of a member that was not taken. Members are read on demand, since there may be a hundred thousand. */
  const left = (name: string): unknown => {
    const value = taken.has(name) || !Object.hasOwn(members, name) ? undefined : members[name]
    return isEmpty(value) ? undefined : value
  }
  return {
    names: (...names) => isRecord(input) && names.some((name) => Object.hasOwn(input, name)),
    has: (...names) => names.some((name) => left(name) !== undefined),
    peek: (...names) => names.map(left).find((value) => value !== undefined),
    take: (...names) => {
      for (const name of names) taken.add(name)
    },
    text: (...names) => {
      const text = names.map(left).find(Predicate.isString)
      if (text !== undefined) for (const name of names) if (left(name) === text) taken.add(name)
      return text
    },
    unread: () => {
      const listed: Array<UnreadMember> = []
      for (const name in members) {
        if (listed.length === mostListed) break
        const value = left(name)
        if (value !== undefined) listed.push({ name, value: compact(value) })
      }
      return listed
    },
    unlisted: () => {
      let count = 0
      for (const name in members) if (left(name) !== undefined) count += 1
      return Math.max(0, count - mostListed)
    }
  }
}
