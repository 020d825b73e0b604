/** The address of an attachment. It has only the name, since browsers hide a file's path from pages. */
export const attachmentUri = (name: string): string => `attachment:${encodeURIComponent(name)}`

/** Lines of a file, as editors write them behind its address: `file:///a/b.ts#L3-L7`. */
const lines = /^file:\/\/.*?([^/]+)#L(\d+)(?:-L(\d+))?$/

/** The name in the address of an attachment, or of lines of a file: `b.ts 3–7`. Any other address is unchanged. */
export const nameIn = (uri: string): string => {
  try {
    const [, file, first, last] = lines.exec(uri) ?? []
    if (file !== undefined && first !== undefined)
      return `${decodeURIComponent(file)} ${last === undefined || last === first ? first : `${first}–${last}`}`
    return uri.startsWith("attachment:") ? decodeURIComponent(uri.slice("attachment:".length)) : uri
  } catch {
    return uri
  }
}
