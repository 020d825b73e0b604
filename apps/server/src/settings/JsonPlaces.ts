/**
 * Finds the lines of values and faults in a JSON text, for people who wrote it by hand. `JSON.parse` names no line for
 * most faults and for no value. It doesn't report duplicate names.
 */
import type { JsonPath } from "@signalbox/contracts/JsonIssues"

/** From 1. */
export interface JsonPlace {
  readonly line: number
  readonly column: number
}

export interface JsonPlaces {
  /** The fault that makes the text unreadable: `JSON.parse` would throw, or would keep only one of two equal names. */
  readonly fault: (JsonPlace & { readonly expected: string }) | undefined
  /** The place of the value at a path, or of the nearest value. */
  readonly at: (path: JsonPath) => JsonPlace
}

/** The deepest nesting. Nobody writes deeper JSON by hand. */
const maxDepth = 64

const blank = /[ \t\r\n]*/y
// oxlint-disable-next-line no-control-regex -- JSON forbids just these in texts
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

export const scan = (source: string): JsonPlaces => {
  const starts = new Map<string, number>()
  let index = 0

  const eat = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = index
    const found = pattern.exec(source)?.[0]
    index += found?.length ?? 0
    return found
  }
  const sign = (character: string): boolean => {
    eat(blank)
    if (source[index] !== character) return false
    index += 1
    return true
  }

  /** These functions return what was expected at `index`, or undefined if all is well. */
  const value = (path: JsonPath): string | undefined => {
    eat(blank)
    starts.set(JSON.stringify(path), index)
    if (path.length > maxDepth) return "less depth"
    if (sign("{")) return members(path)
    if (sign("[")) return elements(path)
    return (eat(text) ?? eat(plain)) === undefined ? "a value" : undefined
  }
  const members = (path: JsonPath): string | undefined => {
    if (sign("}")) return undefined
    for (;;) {
      eat(blank)
      const start = index
      const name = eat(text)
      if (name === undefined) return "a name in double quotes"
      const member = [...path, String(JSON.parse(name))]
      if (starts.has(JSON.stringify(member))) {
        index = start
        return `only one ${name}`
      }
      if (!sign(":")) return "a colon"
      const wrong = value(member)
      if (wrong !== undefined) return wrong
      if (sign("}")) return undefined
      if (!sign(",")) return "a comma or }"
    }
  }
  const elements = (path: JsonPath): string | undefined => {
    if (sign("]")) return undefined
    for (let position = 0; ; position++) {
      const wrong = value([...path, position])
      if (wrong !== undefined) return wrong
      if (sign("]")) return undefined
      if (!sign(",")) return "a comma or ]"
    }
  }

  const placeOf = (offset: number): JsonPlace => {
    const before = source.slice(0, offset).split("\n")
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
  const wrong = value([]) ?? (eat(blank), index < source.length ? "nothing more" : undefined)
  return {
    fault: wrong === undefined ? undefined : { ...placeOf(index), expected: wrong },
    at: (path) => {
      for (let length = path.length; length > 0; length--) {
        const start = starts.get(JSON.stringify(path.slice(0, length)))
        if (start !== undefined) return placeOf(start)
      }
      return placeOf(0)
    }
  }
}
