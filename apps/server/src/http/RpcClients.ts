/** Identifies the client of a connection by the way it was let in. What the client itself says does not count. */
import type { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import { ClientId, type ThisClient } from "@signalbox/contracts/ClientList"
import type { Client } from "@signalbox/loopback/Clients"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { ClientRegistry } from "./ClientRegistry.ts"

/**
 * The header that marks the client. Each call carries the connection's headers and headers of the client, but the
 * client can't know this name.
 */
const header = `signalbox-client-${randomUUID()}`

/** The mark of a connection with the server's own token. No id of a client looks like it. */
const own = "server"

const decode = Schema.decodeUnknownOption(ClientId)

/** The holder of the server's own token. */
const whole: ThisClient = { kind: "program", scope: "admin" }

/** Marks the headers of a connection. Without a client, it has the server's own token. */
export const mark = (headers: Headers.Headers, client: Client | undefined): Headers.Headers =>
  Headers.set(headers, header, client?.id ?? own)

const markIn = (headers: Headers.Headers): string | undefined => Option.getOrUndefined(Headers.get(headers, header))

/** The id of the client of a connection, whether it is still let in or not. */
export const idOf = (headers: Headers.Headers): ClientId | undefined => Option.getOrUndefined(decode(markIn(headers)))

/**
 * The client of the connection that a call came on, as it is now. Undefined if it was revoked meanwhile, or the
 * connection has no mark.
 */
export const of = (
  { clients }: Pick<ClientRegistry["Service"], "clients">,
  headers: Headers.Headers,
  now: number
): ThisClient | undefined => {
  if (markIn(headers) === own) return whole
  const id = idOf(headers)
  const client = id === undefined ? undefined : clients.present(id, now)
  if (client === undefined) return undefined
  const { kind, name, scope } = client
  return { id: client.id, kind, ...(name !== undefined && { name }), scope }
}

export const answering = ({ id, kind, name }: ThisClient): AnsweringClient => ({
  kind,
  ...(id !== undefined && { id }),
  ...(name !== undefined && { name })
})
