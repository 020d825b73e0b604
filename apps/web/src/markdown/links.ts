/** Which addresses a page may offer to open. Agents write them, so only what opens a page or a letter passes. */

const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"])

/** The address, if it is absolute and of an allowed scheme and carries no name or password. */
export const openable = (address: string): URL | undefined => {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return schemes.has(url.protocol) && url.username === "" && url.password === "" ? url : undefined
}
