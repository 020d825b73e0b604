/** Removes the secret values of an environment from what its programs write. */
import * as Predicate from "effect/Predicate"
import * as SecretValues from "./SecretValues.ts"
import * as Spans from "./Spans.ts"
import * as ValueSearch from "./ValueSearch.ts"

export interface Secrets {
  /** The places of secrets in a text, in any form. They are in order, and none touches another. */
  readonly spansIn: (text: string) => ReadonlyArray<Spans.Span>
  /** Removes the secrets from a text. */
  readonly hide: (text: string) => string
  /**
   * Removes the secrets from a text that was cut or goes on. Also removes what may be the beginning of a secret at its
   * end.
   */
  readonly hideCut: (text: string) => string
  /** How many of the last characters may be the beginning of a secret. 0 if they are fewer than four. */
  readonly begun: (text: string) => number
  /** Removes the secrets anywhere in a JSON text. The result is JSON too. */
  readonly without: (json: string) => string
  /** Whether there are no secrets. */
  readonly isEmpty: boolean
}

/** The notice about secrets that stands in every export. */
export const notice =
  "Secrets of the environment and keys of known forms are taken out. No rule knows every secret: prompts, what the agent said and files may hold more. Look it over before you pass it on."

/** The secrets of an environment, and `given` values that are known to be secret. */
export const of = (env: SecretValues.Environment, given: ReadonlyArray<string> = []): Secrets => {
  const wanted = SecretValues.formsOf([...SecretValues.ofEnvironment(env), ...given])
  const key = JSON.stringify(wanted)
  const known = kept.get(key)
  if (known !== undefined) return known
  const secrets = made(wanted)
  if (kept.size >= mostKept) for (const oldest of kept.keys()) if (kept.size >= mostKept) kept.delete(oldest)
  kept.set(key, secrets)
  return secrets
}

/** Searches by their secrets. Sessions of one agent have the same secrets, so their search is built once. */
const kept = new Map<string, Secrets>()
const mostKept = 8

/** Shorter beginnings occur everywhere. */
const leastBegun = 4

const made = (wanted: ReadonlyArray<ValueSearch.Wanted>): Secrets => {
  // Long and short secrets are searched separately, since short ones take more steps.
  const isLong = ({ text }: ValueSearch.Wanted) => text.length > ValueSearch.longestWord
  const searches = [wanted.filter(isLong), wanted.filter((each) => !isLong(each))]
    .filter(({ length }) => length > 0)
    .map((some) => ValueSearch.make(some))
  const spansIn = (text: string) => {
    let found: ReadonlyArray<Spans.Span> = []
    for (const search of searches) {
      const more = search.find(text)
      if (more.length > 0) found = found.concat(more)
    }
    return found.length === 0 ? found : Spans.joined(found)
  }
  const hide = (text: string) => Spans.without(text, spansIn(text))
  const begun = (text: string) => {
    const length = Math.max(0, ...searches.map((search) => search.begun(text)))
    return length < leastBegun ? 0 : length
  }

  const hideIn = (value: unknown): unknown => {
    if (typeof value === "string") return hide(value)
    if (typeof value === "number") return spansIn(String(value)).length > 0 ? Spans.redacted : value
    if (Array.isArray(value)) return value.map(hideIn)
    if (!Predicate.isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [hide(key), hideIn(member)]))
  }

  return {
    spansIn,
    hide,
    hideCut: (text) => {
      const open = begun(text)
      const spans = spansIn(text)
      return Spans.without(
        text,
        open === 0 ? spans : Spans.joined([...spans, { start: text.length - open, end: text.length }])
      )
    },
    begun,
    without: (json) => {
      if (spansIn(json).length === 0) return json
      try {
        return JSON.stringify(hideIn(JSON.parse(json)))
      } catch (error) {
        // The JSON is nested too deep to be read, so it is kept as a text.
        if (error instanceof RangeError) return JSON.stringify(hide(json))
        throw error
      }
    },
    isEmpty: searches.length === 0
  }
}
