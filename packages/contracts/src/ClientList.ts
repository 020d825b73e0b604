/** The clients of a server: pages and programs that were let in, and invitations that nobody has used yet. */
import * as Schema from "effect/Schema"
import { ClientScope } from "./ClientScope.ts"
import { Timestamp } from "./Ids.ts"

/** Names a client, or an invitation, for people. It lets nobody in. */
export const ClientId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}$/)).pipe(Schema.brand("ClientId"))
export type ClientId = typeof ClientId.Type

/** A name of a client: 1 to 64 characters on one line, all visible. */
export const ClientName = Schema.String.check(
  Schema.isPattern(/^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,62}[^\p{C}\p{Z}])?$/u)
)

/** `page`: comes by a cookie. `program`: comes by a token of its own. */
export const ClientKind = Schema.Literals(["page", "program"])
export type ClientKind = typeof ClientKind.Type

/** What a client and an invitation have in common. */
const granted = {
  id: ClientId,
  name: Schema.optionalKey(ClientName),
  scope: ClientScope,
  /** When it was let in, or invited. */
  since: Timestamp
}

const KnownClient = Schema.Struct({
  ...granted,
  kind: ClientKind,
  /** Exact to one hour. */
  lastHereAt: Timestamp,
  /** The end that was set when it was added. Without one, a page ends 30 days after it was last here. */
  expiresAt: Schema.optionalKey(Timestamp)
})
export type KnownClient = typeof KnownClient.Type

/** An invitation lets in one page. It ends when it is used, or at `expiresAt`. */
const Invitation = Schema.Struct({ ...granted, expiresAt: Timestamp })
export type Invitation = typeof Invitation.Type

export const ClientsReport = Schema.Struct({
  clients: Schema.Array(KnownClient),
  invitations: Schema.Array(Invitation),
  /** Those that are connected now. */
  connected: Schema.Array(ClientId)
})
export type ClientsReport = typeof ClientsReport.Type

/** The client of one connection. Without an id: the holder of the server's own token. */
export const ThisClient = Schema.Struct({
  id: Schema.optionalKey(ClientId),
  kind: ClientKind,
  name: Schema.optionalKey(ClientName),
  scope: ClientScope
})
export type ThisClient = typeof ThisClient.Type

const day = 24 * 60 * 60 * 1000

/** How long an invitation may last, in milliseconds: the default and the most. */
export const invitationLasts = { usual: day, most: 30 * day } as const

export const NewInvitation = Schema.Struct({
  scope: ClientScope,
  name: Schema.optionalKey(ClientName),
  /** In milliseconds. */
  lasts: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1000, maximum: invitationLasts.most })))
})
export type NewInvitation = typeof NewInvitation.Type

/** `token`: shown once, and kept by nobody. */
export const Invited = Schema.Struct({ invitation: Invitation, token: Schema.String })
export type Invited = typeof Invited.Type
