/** Addresses in what agents write. They are shown, and neither fetched nor opened by us. */

/** Longer ones are no use to people. */
const maxLength = 4096

const candidate = /https?:\/\/[^\s"'<>`|\\^{}]+/g
/** What more likely ends the sentence than the address. */
const trailing = /[.,;:!?)\]]+$/

/** In plain text, in order. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(candidate)].flatMap(([found]) => {
    const url = found.replace(trailing, "")
    return url.length <= maxLength && URL.canParse(url) ? [url] : []
  })
