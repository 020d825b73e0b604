/** Takes credentials out of a repository's address. */

/** `scheme://`, who signs in, the host, and the path. A query and a fragment are left out: tokens stand there, too. */
const withScheme = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)/
/** A port, or none. Anything else behind the colon is the beginning of a password with a slash in it. */
const host = /^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/
/** `user@host:path`, as programs for copying write it. */
const withoutScheme = /^([^/@]*)@([^/@]*:.*)$/s

/** `helper::address`: whatever the helper takes, also a line for a shell. */
const withHelper = /^[A-Za-z0-9+.-]*::/

/** The address without credentials. Undefined if nobody can say what is a credential in it. */
export const withoutCredentials = (url: string): string | undefined => {
  const trimmed = url.trim()
  if (withHelper.test(trimmed)) return undefined
  const parts = withScheme.exec(trimmed)
  if (parts !== null) {
    const [, scheme = "", , authority = "", path = ""] = parts
    return host.test(authority) && !namesSomebody(path) ? `${scheme}${authority}${path}` : undefined
  }
  const copied = withoutScheme.exec(trimmed)
  if (copied === null) return trimmed.includes("@") ? undefined : trimmed
  const [, user = "", rest = ""] = copied
  if (namesSomebody(rest.slice(rest.indexOf(":") + 1))) return undefined
  return user.includes(":") ? rest : `${user}@${rest}`
}

/** Whether there may be a password in a path. That of a mirror ends with another address. */
const namesSomebody = (path: string): boolean => {
  const colon = path.indexOf(":")
  return colon !== -1 && colon < path.lastIndexOf("@")
}
