/** How deep JSON may be nested. What walks over a message recursively would run out of stack on a deeper one. */

/** Lists and objects within one another. Messages of agents have been seen with some twenty. */
export const deepest = 512

const quote = 34
const backslash = 92

/** Whether a text of JSON is nested deeper than that. Costs nothing for short texts, else one look at each character. */
export const isTooDeep = (json: string): boolean => {
  if (json.length <= deepest) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = endOfString(json, at + 1)
    } else if (code === 91 || code === 123) {
      depth++
      if (depth > deepest) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/** The place of the closing quote, or the end of a text that has none. */
const endOfString = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
