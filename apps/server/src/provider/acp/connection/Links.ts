/** Finds addresses in an agent's text. Signalbox shows them, and neither fetches nor opens them. */

/** Longest address. Longer ones are of no use to people. */
const maxLength = 4096

/** Slightly longer than `maxLength`, and bounded: V8 throws on a match of millions of characters. */
const candidate = /https?:\/\/[^\s"'<>`|\\^{}]{1,4100}/g
/** Characters that more likely end the sentence than the address. */
const trailing = ".,;:!?)]"

const withoutTrailing = (address: string): string => {
  let end = address.length
  while (end > 0 && trailing.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** The addresses in plain text, in order. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(candidate)].flatMap(([found]) => {
    if (found.length > maxLength) return []
    const url = withoutTrailing(found)
    return URL.canParse(url) ? [url] : []
  })
