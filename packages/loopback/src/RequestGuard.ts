/**
 * Decides which requests are let in, before any route, static file or WebSocket upgrade. No page of another site can
 * reach this server: neither from its own origin (cross-site requests, WebSocket hijacking), nor by a name that points
 * to 127.0.0.1 (DNS rebinding). Pure: takes the head of a request, and returns a refusal or nothing.
 */

/** The names of this server. A request with any other name is foreign. */
export interface Names {
  /** Values of the `Host` header, exact: `127.0.0.1:4177`. */
  readonly hosts: ReadonlySet<string>
  /** Values of the `Origin` header, exact: `http://127.0.0.1:4177`. */
  readonly origins: ReadonlySet<string>
  /** The address to show people. */
  readonly url: string
}

/** The parts of a request that the guard needs. */
export interface RequestHead {
  readonly method: string
  /** The request target, as it is on the request line. */
  readonly target: string
  /** All values of the header, so that a second one can't hide behind the first. */
  readonly hosts: ReadonlyArray<string>
  readonly origins: ReadonlyArray<string>
  readonly secFetchSite: string | undefined
  /** Whether it asks for another protocol on this connection. */
  readonly upgrade: boolean
  /** Whether its `Authorization` header has the token. No page can send that across origins. */
  readonly bearer: boolean
}

export interface Refusal {
  readonly status: 400 | 403 | 405 | 421
  readonly text: string
}

/** The addresses that the server may listen on: only this machine's own. */
export type LoopbackAddress = "127.0.0.1" | "::1"

/**
 * The loopback address that a `--host` value names. Undefined for any other address, which other machines could reach.
 */
export const loopbackAddress = (host: string): LoopbackAddress | undefined => {
  if (host === "127.0.0.1" || host === "localhost") return "127.0.0.1"
  return host === "::1" || host === "[::1]" ? "::1" : undefined
}

/** The names of a server that listens at `address` and `port`. Browsers leave port 80 out of both headers. */
export const namesOf = (address: LoopbackAddress, port: number): Names => {
  const literal = address === "::1" ? "[::1]" : address
  const hosts = [literal, "localhost"].map((name) => (port === 80 ? name : `${name}:${port}`))
  return {
    hosts: new Set(hosts),
    origins: new Set(hosts.map((host) => `http://${host}`)),
    url: `http://${hosts[0]}`
  }
}

const usualMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"])

/** Methods that only look. */
const looks: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** The reason for refusing a request. Undefined lets it in. */
export const refusal = (
  names: Names,
  head: RequestHead,
  methods: ReadonlySet<string> = usualMethods
): Refusal | undefined => {
  const [host] = head.hosts
  if (head.hosts.length !== 1 || host === undefined || !names.hosts.has(host) || !head.target.startsWith("/")) {
    return { status: 421, text: `This server answers at ${names.url} and under no other name.` }
  }
  if (!methods.has(head.method)) return { status: 405, text: `${head.method} is not a method of this server.` }

  const foreign = head.origins.length > 1 || head.origins.some((origin) => !names.origins.has(origin))
  if (foreign) return { status: 403, text: `Only pages of ${names.url} may talk to this server.` }

  const changesState = head.upgrade || !looks.has(head.method)
  if (!changesState) return undefined
  if (head.origins.length === 0 && !head.bearer) {
    return { status: 403, text: "A request without an Origin needs the token in its Authorization header." }
  }
  // Older browsers do not send this header. In newer ones, a page can't forge it.
  if (head.secFetchSite !== undefined && head.secFetchSite !== "same-origin" && head.secFetchSite !== "none") {
    return { status: 403, text: `Only pages of ${names.url} may talk to this server.` }
  }
  return undefined
}
