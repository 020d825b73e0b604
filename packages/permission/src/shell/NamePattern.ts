/** Patterns for file names, as shells read them: `*`, `?` and brackets. They are taken for a little wider than they are. */

/** A bracket stands for one character, whichever it is. Where its end is not clear, it stands for any text. */
const widened = (glob: string): string => {
  const first = glob.indexOf("[")
  if (first === -1) return glob
  const plain = /^[^[]*\[[^\][!^]+\][^[\]]*$/.test(glob)
  const before = glob.slice(0, first)
  return plain ? `${before}?${glob.slice(glob.indexOf("]", first) + 1)}` : `${before}*`
}

/** Whether a shell may take this name for the pattern. A leading dot has to be written, unless options of the shell say otherwise. */
export const mayName = (glob: string, name: string): boolean => {
  if (name.startsWith(".") && !glob.startsWith(".")) return false
  return overlap(widened(glob), name, false)
}

/**
 * Whether one name may be as both patterns say.
 *
 * @param rule a pattern of a rule, in which brackets stand for themselves
 */
export const mayBeBoth = (rule: string, glob: string): boolean => {
  if (rule.startsWith(".") && !glob.startsWith(".")) return false
  return overlap(widened(glob), rule, true)
}

/** Whether two texts with `*` and `?` may be one text. It takes as many steps as one is long, times the length of the other. */
const overlap = (one: string, other: string, isOtherPattern: boolean): boolean => {
  const isStar = (text: string, at: number, isPattern: boolean) => isPattern && text[at] === "*"
  /** Places of `other` that can be reached with the beginning of `one`. */
  const start = (row: Array<boolean>) => {
    for (let at = 0; at < other.length; at += 1)
      if (row[at] === true && isStar(other, at, isOtherPattern)) row[at + 1] = true
    return row
  }
  let row = start(Array.from({ length: other.length + 1 }, (_, at) => at === 0))
  for (let index = 0; index < one.length; index += 1) {
    const sign = one[index]
    const next = Array.from({ length: other.length + 1 }, () => false)
    if (sign === "*") {
      let isReached = false
      for (let at = 0; at <= other.length; at += 1) {
        isReached ||= row[at] === true
        next[at] = isReached
      }
    } else
      for (let at = 0; at < other.length; at += 1) {
        if (row[at] !== true) continue
        const wanted = other[at]
        if (isStar(other, at, isOtherPattern)) next[at] = true
        else if (sign === "?" || sign === wanted || (isOtherPattern && wanted === "?")) next[at + 1] = true
      }
    row = start(next)
  }
  return row[other.length] === true
}
