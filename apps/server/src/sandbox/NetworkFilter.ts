/**
 * The way out of a sandbox without network: a proxy on a Unix socket. It decides by the name of the host, and
 * looks the name up itself. Then it connects to the very address that it has checked. So no name can lead to this machine or its network.
 */
import type { Refused } from "@signalbox/contracts/Refused"
import { messageOf } from "@signalbox/system/SystemError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { lookup } from "node:dns/promises"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import type { Duplex } from "node:stream"
import { noSandbox } from "./SandboxRefused.ts"
import { allows, isPublic, type Target, targetOf } from "./NetworkRules.ts"

// An import would load undici, as in `packages/loopback/src/Listener.ts`.
const { createServer, request } = process.getBuiltinModule("node:http")

/** How names are looked up, and addresses reached. */
export interface Outside {
  readonly lookup: (host: string) => Promise<ReadonlyArray<string>>
  readonly connect: (address: string, port: number) => Socket
}

/** The real network, except in tests. */
export const Outside = Context.Reference<Outside>("@signalbox/server/sandbox/NetworkFilter/Outside", {
  defaultValue: () => ({
    lookup: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
    connect: (address, port) => connect({ host: address, port })
  })
})

/** Most connections at once. A browser has fewer. */
const mostConnections = 512
/** Milliseconds until a connection has to be there. */
const patience = 30_000

/** Listens until the scope closes. `socket`: the absolute path of the Unix socket that it makes. */
export const listen = Effect.fn("NetworkFilter.listen")(function* (
  socket: string,
  hosts: ReadonlyArray<string>
): Effect.fn.Return<void, Refused, Scope.Scope> {
  const outside = yield* Outside
  const open = new Set<Duplex>()
  const server = createServer()
  server.maxConnections = mostConnections
  server.on("connection", (client) => keep(open, client))
  server.on("connect", (asked, client, head) => {
    keep(open, client)
    void reached(asked.url ?? "", hosts, outside, targetOf(asked.url ?? "")).then((way) => {
      if (client.destroyed) return way.type === "refused" ? undefined : way.remote.destroy()
      if (way.type === "refused") return client.end(headOf(way) + way.words)
      keep(open, way.remote)
      client.write("HTTP/1.1 200 Connection established\r\n\r\n")
      if (head.length > 0) way.remote.write(head)
      return joined(client, way.remote)
    })
  })
  server.on("request", (asked, answer) => void passedOn(asked, answer, hosts, outside, open))
  server.on("clientError", (_, client) => client.destroy())
  yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => once(server.listen(socket), "listening"),
      catch: (error) => noSandbox(`Its way to the network can't be opened: ${messageOf(error)}.`, { path: socket }, [])
    }),
    () =>
      Effect.promise(() => {
        for (const one of open) one.destroy()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      })
  )
})

const keep = (open: Set<Duplex>, one: Duplex): void => {
  if (open.has(one)) return
  open.add(one)
  one.on("error", () => one.destroy())
  one.once("close", () => open.delete(one))
}

const joined = (one: Duplex, other: Duplex): void => {
  one.pipe(other).pipe(one)
  one.once("close", () => other.destroy())
  other.once("close", () => one.destroy())
}

interface Refusal {
  readonly type: "refused"
  readonly status: "400 Bad Request" | "403 Forbidden" | "502 Bad Gateway"
  readonly words: string
}

type Way = Refusal | { readonly type: "reached"; readonly remote: Socket }

const refusal = (status: Refusal["status"], words: string): Refusal => ({
  type: "refused",
  status,
  words: `${words}\n`
})

const headOf = ({ status, words }: Refusal): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(words)}\r\nConnection: close\r\n\r\n`

/** Connects to a target, if it may be reached. */
const reached = async (
  asked: string,
  hosts: ReadonlyArray<string>,
  { connect, lookup }: Outside,
  target: Target | undefined
): Promise<Way> => {
  if (target === undefined)
    return refusal("400 Bad Request", `Signalbox's sandbox does not understand the address ${asked.slice(0, 200)}.`)
  const { host, port } = target
  if (!allows(hosts, target))
    return refusal(
      "403 Forbidden",
      `Signalbox's sandbox does not let this agent reach ${host}:${port}. Its settings name ${hosts.join(", ")}.`
    )
  const addresses = await lookup(host).catch(() => [])
  const [address] = addresses
  if (address === undefined) return refusal("502 Bad Gateway", `Signalbox's sandbox found no address of ${host}.`)
  const own = new Set(Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)))
  const inner = addresses.find((one) => !isPublic(one) || own.has(one))
  if (inner !== undefined)
    return refusal(
      "403 Forbidden",
      `Signalbox's sandbox does not let this agent reach ${host}: its name leads to ${inner}, in this machine or a private network.`
    )
  return new Promise((resolve) => {
    const remote = connect(address, port)
    const failed = (why: string) => {
      remote.destroy()
      resolve(refusal("502 Bad Gateway", `Signalbox's sandbox could not reach ${host}:${port}: ${why}.`))
    }
    remote.once("error", ({ message }) => failed(message))
    remote.setTimeout(patience, () => failed("there was no answer in time"))
    remote.once("connect", () => {
      remote.setTimeout(0)
      resolve({ type: "reached", remote })
    })
  })
}

/** Headers between a program and its proxy. They mean nothing to the host. */
const hopByHop: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host".split(
    " "
  )
)

/** Passes a request of plain HTTP on, and its answer back. */
const passedOn = async (
  asked: IncomingMessage,
  answer: ServerResponse,
  hosts: ReadonlyArray<string>,
  outside: Outside,
  open: Set<Duplex>
): Promise<void> => {
  const url = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : undefined
  const port = url === undefined || url.port === "" ? 80 : Number(url.port)
  const target = url?.protocol === "http:" ? { host: url.hostname.replace(/^\[|\]$/g, ""), port } : undefined
  const way = await reached(asked.url ?? "", hosts, outside, target)
  if (url === undefined || way.type === "refused")
    return refuse(answer, way.type === "refused" ? way : refusal("400 Bad Request", "This is no address."))
  const { remote } = way
  keep(open, remote)
  const headers = Object.entries(asked.headers).filter(([name]) => !hopByHop.has(name))
  const passed = request({
    createConnection: () => remote,
    method: asked.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), host: url.host, connection: "close" }
  })
  passed.once("response", (response) => {
    const given = Object.entries(response.headers).filter(([name]) => !hopByHop.has(name))
    try {
      answer.writeHead(response.statusCode ?? 502, Object.fromEntries(given))
    } catch (error) {
      // Node reads more than it writes, such as the status 099. An error that is thrown here would end the server.
      const words = `Signalbox's sandbox can't pass on the answer of ${url.hostname}: ${messageOf(error)}.`
      refuse(answer, refusal("502 Bad Gateway", words))
      return
    }
    response.once("error", () => answer.destroy())
    response.pipe(answer)
  })
  passed.once("error", () => answer.destroy())
  // Without an answer, such as after a change of the protocol.
  passed.once("close", () => {
    if (!answer.headersSent) answer.destroy()
  })
  answer.once("close", () => remote.destroy())
  asked.pipe(passed)
}

const refuse = (answer: ServerResponse, { status, words }: Refusal): void => {
  answer.writeHead(Number(status.slice(0, 3)), { "content-type": "text/plain; charset=utf-8", connection: "close" })
  answer.end(words)
}
