/**
 * Decides which requests are let in. It runs before any route, static files and the WebSocket upgrade included. So no page of another site
 * reaches this server: neither by its own origin (cross-site requests, WebSocket hijacking), nor under a name that points to 127.0.0.1 (DNS
 * rebinding). Pure: the head of a request in, a refusal or nothing out.
 */

/** The names that this server is reached by. Everything else is somebody else's. */
export interface Names {
  /** Values of the `Host` header, exact: `127.0.0.1:4177`. */
  readonly hosts: ReadonlySet<string>
  /** Values of the `Origin` header, exact: `http://127.0.0.1:4177`. */
  readonly origins: ReadonlySet<string>
  /** The one to tell people. */
  readonly url: string
}

/** What the guard needs of a request. */
export interface RequestHead {
  readonly method: string
  /** The request target as it stands on the request line. */
  readonly target: string
  /** All values of the header, for a second one must not hide behind the first. */
  readonly hosts: ReadonlyArray<string>
  readonly origins: ReadonlyArray<string>
  readonly secFetchSite: string | undefined
  /** Asks to speak another protocol on this connection. */
  readonly upgrade: boolean
  /** Carries the token in its `Authorization` header: no page can do that across origins. */
  readonly bearer: boolean
}

export interface Refusal {
  readonly status: 400 | 403 | 405 | 421
  readonly text: string
}

/** The addresses that we listen on: this machine's own, and no other. */
export type LoopbackAddress = "127.0.0.1" | "::1"

/** The loopback address that a `--host` value names; undefined for any other, which other machines could reach. */
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

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"])

/** Why this request is not let in; `undefined` lets it in. */
export const refusal = (names: Names, head: RequestHead): Refusal | undefined => {
  const [host] = head.hosts
  if (head.hosts.length !== 1 || host === undefined || !names.hosts.has(host) || !head.target.startsWith("/")) {
    return { status: 421, text: `This server answers at ${names.url} and under no other name.` }
  }
  if (!methods.has(head.method)) return { status: 405, text: `${head.method} is not a method of this server.` }

  const foreign = head.origins.length > 1 || head.origins.some((origin) => !names.origins.has(origin))
  if (foreign) return { status: 403, text: `Only pages of ${names.url} may talk to this server.` }

  const changesState = head.upgrade || head.method === "POST"
  if (!changesState) return undefined
  if (head.origins.length === 0 && !head.bearer) {
    return { status: 403, text: "A request without an Origin needs the token in its Authorization header." }
  }
  // Older browsers do not send it; those that do cannot be made to lie by a page.
  if (head.secFetchSite !== undefined && head.secFetchSite !== "same-origin" && head.secFetchSite !== "none") {
    return { status: 403, text: `Only pages of ${names.url} may talk to this server.` }
  }
  return undefined
}
