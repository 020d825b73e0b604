/** Scripts of sed. Only the commands that change or print lines are known here; all else may run programs or open files. */

/** Whether a script only changes and prints lines. */
export const onlyEdits = (script: string): boolean => {
  let at = 0
  /** Goes on behind what fits here. */
  const skip = (form: RegExp): boolean => {
    form.lastIndex = at
    const found = form.exec(script)
    if (found === null) return false
    at += found[0].length
    return true
  }
  /** Goes on behind text that ends with this sign. A bracket in it may hold the sign, and versions of sed differ there. */
  const behind = (sign: string): boolean => {
    for (; at < script.length; at += 1) {
      const next = script[at]
      if (next === "\\") at += 1
      else if (next === sign) {
        at += 1
        return true
      } else if (next === "[" || next === "\n") {
        const end = next === "\n" ? undefined : endOfBracket(script, at)
        if (end === undefined) return false
        at = end
      }
    }
    return false
  }
  const address = (): boolean => {
    if (skip(/\d+(?:~\d+)?|\$/y)) return true
    if (!skip(/\//y)) return false
    return behind("/") && skip(/[IM]*/y)
  }
  const substitution = (): boolean => {
    const sign = script[at]
    if (sign === undefined || /[\\\n[\]\w\s]/.test(sign)) return false
    at += 1
    return behind(sign) && behind(sign)
  }
  while (at < script.length) {
    if (skip(/[\s;]+/y)) continue
    if (skip(/#[^\n]*/y)) continue
    const begins = address()
    if (!begins && script[at] === "/") return false
    if (begins) {
      skip(/\s+/y)
      if (skip(/,/y)) {
        skip(/\s+/y)
        if (!skip(/[+~]\d+/y) && !address()) return false
      }
    }
    skip(/[\s!]+/y)
    if (skip(/[{}]/y)) continue
    if (skip(/s/y)) {
      if (!substitution() || !skip(/[gpiI\d]*/y)) return false
    } else if (skip(/y/y)) {
      if (!substitution()) return false
    } else if (!skip(/[=dDgGhHnNpPxz]|[qQ]\d*/y)) return false
    // Whatever stands directly behind a command is not known here.
    skip(/[^\S\n]+/y)
    if (at < script.length && !";}#\n".includes(script.charAt(at))) return false
  }
  return true
}

/** The place of the sign that ends the bracket at a place. Undefined if there is none, or if versions of sed differ about it. */
const endOfBracket = (script: string, at: number): number | undefined => {
  let place = at + 1
  if (script[place] === "^") place += 1
  if (script[place] === "]") place += 1
  for (; place < script.length; place += 1) {
    const sign = script.charAt(place)
    if (sign === "]") return place
    if ("\n/\\".includes(sign)) return undefined
  }
  return undefined
}
