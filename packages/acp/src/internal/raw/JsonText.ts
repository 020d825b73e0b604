/** Finds the members of a JSON object in its text. Each can be passed on unchanged: digits, spaces and order of members. */

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** The members of one object, by name, each as the text that stands there. A name that comes twice counts the last time, as in `JSON.parse`. */
export type Members = Map<string, string>

/**
 * The members of the object that `json` is. Looks at each character once.
 *
 * @param json a text that `JSON.parse` has accepted, and that holds an object
 */
export const members = (json: string): Members => {
  const found: Members = new Map()
  let at = json.indexOf("{") + 1
  for (;;) {
    const nameStart = json.indexOf('"', at)
    // Spaces only may stand before a name. What else could come first is the end of an object without further members.
    if (nameStart === -1) return found
    const nameEnd = endOfString(json, nameStart)
    const valueStart = skipSpaces(json, json.indexOf(":", nameEnd) + 1)
    const valueEnd = endOfValue(json, valueStart)
    found.set(nameOf(json, nameStart, nameEnd), json.slice(valueStart, valueEnd))
    at = skipSpaces(json, valueEnd)
    if (json.charCodeAt(at) !== comma) return found
    at += 1
  }
}

/** The text of a JSON object with these members. */
export const object = (members: Members): string =>
  `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`

const nameOf = (json: string, start: number, end: number): string => {
  const name = json.slice(start + 1, end - 1)
  return name.includes("\\") ? String(JSON.parse(json.slice(start, end))) : name
}

const skipSpaces = (json: string, from: number): number => {
  let at = from
  while (json.charCodeAt(at) <= 32) at += 1
  return at
}

/** The place behind the closing quote of the string that begins at `start`. */
const endOfString = (json: string, start: number): number => {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  return json.length
}

/** The place behind the value that begins at `start`. */
const endOfValue = (json: string, start: number): number => {
  const first = json.charCodeAt(start)
  if (first === quote) return endOfString(json, start)
  if (first === openBrace || first === openBracket) return endOfNested(json, start)
  let at = start
  for (;;) {
    const code = json.charCodeAt(at)
    if (code <= 32 || code === comma || code === closeBrace || Number.isNaN(code)) return at
    at += 1
  }
}

const endOfNested = (json: string, start: number): number => {
  let depth = 0
  let at = start
  for (;;) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = endOfString(json, at)
      continue
    }
    at += 1
    if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1
      if (depth === 0) return at
    } else if (Number.isNaN(code)) return json.length
  }
}
