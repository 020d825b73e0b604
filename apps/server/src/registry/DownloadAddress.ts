/** From where we load anything: over TLS, or from this machine. */

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Why nothing is loaded from there, in one sentence. */
export const refusal = (address: string): string | undefined => {
  if (!URL.canParse(address)) return `${address} is no address.`
  const { hostname, protocol } = new URL(address)
  if (protocol === "https:" || (protocol === "http:" && loopback.test(hostname))) return undefined
  return `Nothing is loaded from ${address}: it is not https.`
}
