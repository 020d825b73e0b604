/** A text in which `*` stands for any characters. */

/**
 * Whether a text is as a pattern says. Linear in practice, and never worse than pattern × text: the last star only is tried again.
 *
 * @param single a character that stands for any one character; none by default
 */
export const matches = (pattern: string, text: string, single = ""): boolean => {
  if (pattern === text) return true
  if (single === "" && !pattern.includes("*")) return false
  let at = 0
  let from = 0
  let star = -1
  let mark = 0
  while (from < text.length) {
    if (pattern[at] === "*") {
      star = at++
      mark = from
    } else if (at < pattern.length && (pattern[at] === text[from] || pattern[at] === single)) {
      at++
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++mark
    } else return false
  }
  while (pattern[at] === "*") at++
  return at === pattern.length
}
