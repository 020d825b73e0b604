/** The address of an attachment. It has only the name, since browsers hide a file's path from pages. */
export const attachmentUri = (name: string): string => `attachment:${encodeURIComponent(name)}`

/** The lines of a file behind its address, as editors write them. */
const lines = /^#L(\d{1,9})(?:-L(\d{1,9}))?$/

/** `b.ts 3–7` for `file:///a/b.ts#L3-L7`. Undefined for other addresses. */
const linesIn = (uri: string): string | undefined => {
  const end = uri.startsWith("file://") ? uri.lastIndexOf("#") : -1
  const [, first, last] = end < 0 ? [] : (lines.exec(uri.slice(end)) ?? [])
  if (first === undefined) return undefined
  const file = decodeURIComponent(uri.slice(uri.lastIndexOf("/", end) + 1, end))
  return `${file} ${last === undefined || last === first ? first : `${first}–${last}`}`
}

/** The name in the address of an attachment, or of lines of a file. Any other address is unchanged. */
export const nameIn = (uri: string): string => {
  try {
    const named = linesIn(uri)
    if (named !== undefined) return named
    return uri.startsWith("attachment:") ? decodeURIComponent(uri.slice("attachment:".length)) : uri
  } catch {
    return uri
  }
}
