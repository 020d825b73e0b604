/**
 * The file of clients: who was let in, with which scope, and who is invited. It has digests of cookies and tokens, so
 * nothing in it lets anybody in. The server and the command line write it under one lock.
 */
import { ClientId, ClientKind, ClientName } from "@signalbox/contracts/ClientList"
import { ClientScope } from "@signalbox/contracts/ClientScope"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import * as FileLock from "@signalbox/system/FileLock"
import { codeOf, messageOf } from "@signalbox/system/SystemError"

/** SHA-256 of a cookie or a token, in hex. */
export const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("Digest"))
export type Digest = typeof Digest.Type

export const digestOf = (secret: string): Digest => Digest.make(createHash("sha256").update(secret).digest("hex"))

const granted = {
  id: ClientId,
  digest: Digest,
  name: Schema.optionalKey(ClientName),
  scope: ClientScope,
  since: Schema.Finite
}
const Entry = Schema.Struct({
  ...granted,
  kind: ClientKind,
  lastHereAt: Schema.Finite,
  expiresAt: Schema.optionalKey(Schema.Finite)
})
export type Entry = typeof Entry.Type

const Invited = Schema.Struct({ ...granted, expiresAt: Schema.Finite })
export type Invited = typeof Invited.Type

/** Part of the name of the cookie: browsers send the cookies of 127.0.0.1 to every port. */
const ServerName = Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/))

const Content = Schema.Struct({
  server: ServerName,
  clients: Schema.Array(Entry),
  invitations: Schema.Array(Invited)
})
export type Content = typeof Content.Type
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Content))

/** The file of an earlier version, which had browsers only. */
const Earlier = Schema.Struct({
  server: ServerName,
  browsers: Schema.Array(Schema.Struct({ digest: Digest, lastHereAt: Schema.Finite }))
})
const decodeEarlier = Schema.decodeUnknownOption(Schema.fromJsonString(Earlier))

/** Most bytes of the file: more than the most clients and invitations need. */
const mostBytes = 256 * 1024

/** How long to wait for another writer, in milliseconds. */
const patience = 2000

/** Text that changes with the file. Empty if the file is missing, and the system's error code if it can't be read. */
export const versionOf = (path: string): string => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  } catch (error) {
    return codeOf(error) ?? messageOf(error)
  }
}

const textOf = (path: string): string | undefined => {
  try {
    const found = lstatSync(path)
    return found.isFile() && found.size <= mostBytes ? readFileSync(path, "utf8") : undefined
  } catch {
    return undefined
  }
}

/** Undefined if the file is missing, damaged, or not an ordinary file. */
export const read = (path: string): Content | undefined => Option.getOrUndefined(decode(textOf(path)))

/** Does `work` while no other process writes the file. The system ends the lock with the process, however it ends. */
export const locked = <A>(path: string, work: () => A): A => {
  const release = FileLock.take(path.replace(/(?:\.json)?$/, ".lock"), patience)
  try {
    return work()
  } finally {
    release()
  }
}

/** Writes the file. Readers never see a partial file, and others can't read it. */
export const write = (path: string, content: Content): void => {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const file = openSync(draft, "wx", 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(content)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/**
 * Takes the browsers of an earlier version over, with the scope `admin` that they had, and removes their file. It is
 * not read again, so that those who are revoked stay out. Throws if the file can't be read or removed.
 */
export const takeOver = (path: string, earlierPath: string): void => {
  if (versionOf(earlierPath) === "") return
  const earlier = Option.getOrUndefined(decodeEarlier(textOf(earlierPath)))
  locked(path, () => {
    if (earlier !== undefined && versionOf(path) === "") {
      const clients = earlier.browsers.map(({ digest, lastHereAt }): Entry => {
        // The first part of a digest is no secret: the digest itself lets nobody in.
        const id = ClientId.make(createHash("sha256").update(`client ${digest}`).digest("hex").slice(0, 8))
        return { id, kind: "page", scope: "admin", digest, since: lastHereAt, lastHereAt }
      })
      write(path, { server: earlier.server, clients, invitations: [] })
    }
    rmSync(earlierPath, { force: true })
    if (earlier === undefined) throw new Error("the file is damaged")
  })
}
