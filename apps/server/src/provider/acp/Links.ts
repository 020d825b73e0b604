/** Addresses in what agents write. They are shown, and neither fetched nor opened by us. */

/** Longer ones are no use to people. */
const maxLength = 4096

const candidate = /https?:\/\/[^\s"'<>`|\\^{}]+/g
/** What more likely ends the sentence than the address. */
const trailing = /[.,;:!?)\]]+$/

/** In plain text, in order. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(candidate)].flatMap(([found]) => {
    // Looked at first: the time that the end takes grows with the square of the length.
    if (found.length > maxLength) return []
    const url = found.replace(trailing, "")
    return URL.canParse(url) ? [url] : []
  })
