/** Decides which addresses we download from: those with TLS, and those of this machine. */

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Why an address is refused, in one sentence. Undefined if it is allowed. */
export const refusal = (address: string): string | undefined => {
  if (!URL.canParse(address)) return `${address} is no address.`
  const { hostname, protocol } = new URL(address)
  if (protocol === "https:" || (protocol === "http:" && loopback.test(hostname))) return undefined
  return `Nothing is loaded from ${address}: it is not https.`
}
