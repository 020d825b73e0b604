/** URIs of one file that are written in different ways: programs differ in what they escape. */

/** Equal for URIs that name the same file. No URI itself. */
const keyOf = (uri: string): string => {
  try {
    const { hash, host, pathname, protocol, search } = new URL(uri)
    return JSON.stringify([protocol, host, decodeURIComponent(pathname).replace(/^\/[A-Z]:/, lowered), search, hash])
  } catch {
    return uri
  }
}

/** The letter of a drive. */
const lowered = (text: string): string => text.toLowerCase()

/** Finds the known URI that names the same file, if there is one. */
export const among = (known: Iterable<string>): ((uri: string) => string | undefined) => {
  const uris = new Set(known)
  let byKey: Map<string, string> | undefined
  return (uri) => {
    if (uris.has(uri)) return uri
    byKey ??= new Map([...uris].map((one) => [keyOf(one), one] as const).toReversed())
    return byKey.get(keyOf(uri))
  }
}
