/** Addresses in what agents write. They are shown, and neither fetched nor opened by us. */

/** Longer ones are no use to people. */
const maxLength = 4096

/** Bounded, and a little longer than the longest of use: V8 throws where a pattern goes on for millions of characters. */
const candidate = /https?:\/\/[^\s"'<>`|\\^{}]{1,4100}/g
/** What more likely ends the sentence than the address. */
const trailing = ".,;:!?)]"

const withoutTrailing = (address: string): string => {
  let end = address.length
  while (end > 0 && trailing.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** In plain text, in order. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(candidate)].flatMap(([found]) => {
    if (found.length > maxLength) return []
    const url = withoutTrailing(found)
    return URL.canParse(url) ? [url] : []
  })
