/** The address of an attachment. It has only the name, since browsers hide a file's path from pages. */
export const attachmentUri = (name: string): string => `attachment:${encodeURIComponent(name)}`

/** The name in the address of an attachment. Any other address is unchanged. */
export const nameIn = (uri: string): string => {
  if (!uri.startsWith("attachment:")) return uri
  try {
    return decodeURIComponent(uri.slice("attachment:".length))
  } catch {
    return uri
  }
}
