/** The address of an attachment. Browsers don't tell pages the path of a file: the name is all there is. */
export const attachmentUri = (name: string): string => `attachment:${encodeURIComponent(name)}`

/** The name in the address of an attachment; any other address as it is. */
export const nameIn = (uri: string): string => {
  if (!uri.startsWith("attachment:")) return uri
  try {
    return decodeURIComponent(uri.slice("attachment:".length))
  } catch {
    return uri
  }
}
