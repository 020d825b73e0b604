/**
 * The clients of a server: pages that come by a cookie and programs that come by a token of their own. They stay over
 * restarts, until they are revoked. Deleting their file revokes all of them, even from a running server.
 */
import { ClientId, type ClientKind, type ClientsReport, type NewInvitation } from "@signalbox/contracts/ClientList"
import { invitationLasts } from "@signalbox/contracts/ClientList"
import { type ClientScope, covers } from "@signalbox/contracts/ClientScope"
import * as Struct from "effect/Struct"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { rmSync } from "node:fs"
import { messageOf } from "@signalbox/system/SystemError"
import * as ClientsFile from "./ClientsFile.ts"
import type { Content, Digest, Entry, Invited } from "./ClientsFile.ts"

export type Client = Omit<Entry, "digest">
export type Invitation = ClientsReport["invitations"][number]

/** What lets a new client in. The secret is a cookie's value or a token, and stored nowhere. */
export interface LetIn {
  readonly client: Client
  readonly secret: string
}

/** What a client is given. */
interface Granted {
  readonly scope: ClientScope
  readonly name?: string | undefined
}

/** Methods that change something throw the error of the operating system if the file can't be written. */
export interface Clients {
  /** Unique for this state folder: browsers send the cookies of 127.0.0.1 to every port. */
  readonly cookieName: string
  /** The page with this cookie. Undefined if there is none, it was revoked, or it has expired. */
  readonly ofCookie: (cookie: string | undefined, now: number) => Client | undefined
  /** The program with this token. */
  readonly ofToken: (token: string, now: number) => Client | undefined
  /** The client with this id, as far as it is still let in. Notes that it is here. */
  readonly present: (id: ClientId, now: number) => Client | undefined
  /**
   * Lets a page in with every scope. A page that is `known` gets a new cookie, and keeps its id and name. If the file
   * can't be written, the page is in until the server ends.
   */
  readonly admit: (now: number, known?: Client) => LetIn
  /** Adds a program. */
  readonly add: (granted: Granted, now: number, expiresAt?: number) => LetIn
  readonly invite: (wanted: NewInvitation, now: number) => { readonly invitation: Invitation; readonly token: string }
  /**
   * Lets in the page that has the token of an invitation, which ends. Nothing happens for a page that is `known` and
   * may do as much. Undefined if there is no such invitation.
   */
  readonly accept: (token: string, now: number, known?: Client) => LetIn | "known" | undefined
  /** Changes a name or a scope. A name of null is removed. Returns false if there is no such client. */
  readonly change: (id: ClientId, to: { readonly name?: string | null; readonly scope?: ClientScope }) => boolean
  /** Revokes a client, or withdraws an invitation. Returns false if there is none. */
  readonly revoke: (id: ClientId) => boolean
  /** Those that are let in, the latest first, and the invitations that can be used. */
  readonly list: (now: number) => Omit<ClientsReport, "connected">
}

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Milliseconds without use after which a page must be let in again. */
export const expiresAfter = 30 * day

/** Most clients. Beyond that, the one with the oldest use must be let in again. */
const mostClients = 256

/** Most invitations. Beyond that, the oldest ends. */
const mostInvitations = 64

/** How far a clock may go back before an invitation counts as not yet made. */
const clockSlack = 5 * 60 * 1000

/** Compares in constant time, since digests have one length. */
const same = (one: Digest, other: Digest): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Compares all entries, so that the time does not reveal whether one exists. */
const withDigest = <A extends { readonly digest: Digest }>(
  entries: ReadonlyArray<A>,
  secret: string
): A | undefined => {
  const digest = ClientsFile.digestOf(secret)
  let found: A | undefined
  for (const entry of entries) if (same(entry.digest, digest)) found = entry
  return found
}

/** What begins in the future does not count yet: a clock that went back must not lengthen it. */
const isOpen = ({ expiresAt, since }: Pick<Invited, "expiresAt" | "since">, now: number): boolean =>
  since - clockSlack <= now && now < expiresAt

const isValid = ({ expiresAt, kind, lastHereAt, since }: Entry, now: number): boolean =>
  (kind === "program" || now - lastHereAt < expiresAfter) &&
  (expiresAt === undefined || isOpen({ expiresAt, since }, now))

const withoutDigest = <A extends { readonly digest: Digest }>(entry: A): Omit<A, "digest"> =>
  Struct.omit(entry, ["digest"])

export interface Options {
  /** The file of browsers of an earlier version. */
  readonly earlier?: string
  /** Called with the faults of the file. */
  readonly warn: (message: string) => void
}

/** Opens the file at `path`. */
export const open = (path: string, { earlier, warn }: Options): Clients => {
  if (earlier !== undefined) {
    try {
      ClientsFile.takeOver(path, earlier)
    } catch (error) {
      warn(`The browsers in ${earlier} need the link again. They can't be taken over: ${messageOf(error)}`)
    }
  }
  let content: Content = { server: randomBytes(8).toString("hex"), clients: [], invitations: [] }
  /** The version of the file that `content` comes from. */
  let known = ""

  /** Reads the file if it has changed. The name of the server stays, since pages know it. */
  const load = (): Content => {
    const version = ClientsFile.versionOf(path)
    if (version === known) return content
    known = version
    const found = version === "" ? undefined : ClientsFile.read(path)
    if (version !== "" && found === undefined)
      warn(`${path} can't be read: nobody in it is let in. Pages need the link again, and programs a new token.`)
    return (content = { server, clients: found?.clients ?? [], invitations: found?.invitations ?? [] })
  }

  /** Changes the file under its lock. */
  const change = (to: (before: Content) => Content): void =>
    ClientsFile.locked(path, () => {
      const before = load()
      const changed = to(before)
      if (changed === before) return
      const after = bounded(changed)
      ClientsFile.write(path, after)
      content = after
      known = ClientsFile.versionOf(path)
    })

  /** Changes the file, or if that fails, what this process knows. */
  const changeAtLeastHere = (to: (before: Content) => Content, lost: string): void => {
    try {
      change(to)
    } catch (error) {
      content = bounded(to(load()))
      warn(`${path} can't be written, so ${lost}: ${messageOf(error)}`)
    }
  }

  const seen = (entry: Entry | undefined, now: number): Client | undefined => {
    if (entry === undefined || !isValid(entry, now)) return undefined
    // A time in the future comes from a clock that went wrong.
    if (Math.abs(now - entry.lastHereAt) < hour) return withoutDigest(entry)
    changeAtLeastHere(
      mapped(entry.id, (before) => ({ ...before, lastHereAt: now })),
      "it does not know when clients were here"
    )
    return withoutDigest({ ...entry, lastHereAt: now })
  }

  const of = (kind: ClientKind, secret: string, now: number) =>
    seen(
      withDigest(
        load().clients.filter((client) => client.kind === kind),
        secret
      ),
      now
    )

  const newId = (): ClientId => ClientId.make(randomBytes(4).toString("hex"))

  /** A new client. A page that is known keeps its id. */
  const made = (kind: ClientKind, { name, scope }: Granted, now: number, id = newId()) => {
    const secret = randomBytes(32).toString("base64url")
    const digest = ClientsFile.digestOf(secret)
    const client: Client = { id, kind, ...(name !== undefined && { name }), scope, since: now, lastHereAt: now }
    return { client, secret, entry: { ...client, digest } }
  }

  const server = ClientsFile.read(path)?.server ?? content.server
  load()
  return {
    cookieName: `signalbox-${server}`,
    ofCookie: (cookie, now) => (cookie === undefined ? undefined : of("page", cookie, now)),
    ofToken: (token, now) => of("program", token, now),
    present: (id, now) =>
      seen(
        load().clients.find((client) => client.id === id),
        now
      ),
    admit: (now, before) => {
      const { client, entry, secret } = made("page", { name: before?.name, scope: "admin" }, now, before?.id)
      changeAtLeastHere(withClient(entry), "pages need the link again after a restart")
      return { client, secret }
    },
    add: (granted, now, expiresAt) => {
      const { client, entry, secret } = made("program", granted, now)
      const end = expiresAt === undefined ? {} : { expiresAt }
      change(withClient({ ...entry, ...end }))
      return { client: { ...client, ...end }, secret }
    },
    invite: ({ lasts = invitationLasts.usual, name, scope }, now) => {
      const token = randomBytes(32).toString("base64url")
      const invitation = { id: newId(), ...(name !== undefined && { name }), scope, since: now, expiresAt: now + lasts }
      change((before) => ({
        ...before,
        invitations: [
          { ...invitation, digest: ClientsFile.digestOf(token) },
          ...before.invitations.filter((other) => now < other.expiresAt)
        ]
      }))
      return { invitation, token }
    },
    accept: (token, now, before) => {
      const invitation = withDigest(load().invitations, token)
      if (invitation === undefined || !isOpen(invitation, now)) return undefined
      if (before !== undefined && covers(before.scope, invitation.scope)) return "known"
      const { client, entry, secret } = made("page", invitation, now, before?.id)
      let accepted = false
      change((current) => {
        // Another page may have used it meanwhile.
        accepted = current.invitations.some(({ id }) => id === invitation.id)
        return accepted ? withClient(entry)(withoutInvitation(invitation.id)(current)) : current
      })
      return accepted ? { client, secret } : undefined
    },
    change: (id, { name, scope }) => {
      if (!load().clients.some((client) => client.id === id)) return false
      change(
        mapped(id, (before) => ({
          ...(name === undefined ? before : Struct.omit(before, ["name"])),
          ...(typeof name === "string" && { name }),
          ...(scope !== undefined && { scope })
        }))
      )
      return true
    },
    revoke: (id) => {
      const { clients: known, invitations: open } = load()
      if (![...known, ...open].some((entry) => entry.id === id)) return false
      let found = false
      change((before) => {
        const clients = before.clients.filter((client) => client.id !== id)
        const { invitations } = withoutInvitation(id)(before)
        found = clients.length + invitations.length < before.clients.length + before.invitations.length
        return found ? { ...before, clients, invitations } : before
      })
      return found
    },
    list: (now) => {
      const { clients, invitations } = load()
      return {
        clients: clients.filter((entry) => isValid(entry, now)).map(withoutDigest),
        invitations: invitations.filter((invitation) => isOpen(invitation, now)).map(withoutDigest)
      }
    }
  }
}

const withClient =
  (entry: Entry) =>
  (before: Content): Content => ({
    ...before,
    clients: [entry, ...before.clients.filter(({ id }) => id !== entry.id)]
  })

const withoutInvitation =
  (id: ClientId) =>
  (before: Content): Content => ({ ...before, invitations: before.invitations.filter((other) => other.id !== id) })

/** Changes one client. A client that was revoked meanwhile stays so. */
const mapped =
  (id: ClientId, change: (before: Entry) => Entry) =>
  (before: Content): Content =>
    before.clients.some((client) => client.id === id)
      ? { ...before, clients: before.clients.map((client) => (client.id === id ? change(client) : client)) }
      : before

const bounded = ({ clients, invitations, server }: Content): Content => ({
  server,
  clients: clients.toSorted((one, other) => other.lastHereAt - one.lastHereAt).slice(0, mostClients),
  invitations: invitations.slice(0, mostInvitations)
})

/**
 * Revokes all clients and invitations, connected ones within seconds. A running server notices that the file is gone.
 * Throws the error of the operating system if it stays.
 */
export const revokeAll = (path: string): void => {
  const remove = () => rmSync(path, { force: true })
  try {
    ClientsFile.locked(path, remove)
  } catch {
    // A writer that hangs must not keep anybody in.
    remove()
  }
}
