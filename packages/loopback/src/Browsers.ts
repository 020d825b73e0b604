/**
 * The browsers that were let in. They stay signed in over restarts of the server. A file in the state folder has the
 * digest of each cookie and the time of its last use. Deleting the file shuts all of them out, even from a running
 * server.
 */
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { codeOf, messageOf } from "@signalbox/system/SystemError"

export interface Browsers {
  /** Unique for this state folder: browsers send the cookies of 127.0.0.1 to every port. */
  readonly cookieName: string
  /** Lets a browser in. Returns the value of its cookie. */
  readonly admit: (now: number) => string
  /** The browser with this cookie. Undefined if there is none, or it has expired. */
  readonly entryOf: (cookie: string | undefined, now: number) => Digest | undefined
  /** Whether this browser is still in. */
  readonly isIn: (digest: Digest, now: number) => boolean
}

/** SHA-256 of a cookie, in hex. */
export const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("Digest"))
export type Digest = typeof Digest.Type

const Entry = Schema.Struct({ digest: Digest, lastHereAt: Schema.Finite })
type Entry = typeof Entry.Type

const Content = Schema.Struct({
  server: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/)),
  browsers: Schema.Array(Entry)
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Content))

const day = 24 * 60 * 60 * 1000

/** Milliseconds without use after which a browser must be let in again. */
export const expiresAfter = 30 * day

/** Most browsers. Beyond that, the one with the oldest use must be let in again. */
const most = 256

/** Most bytes of the file: more than `most` entries need. */
const mostBytes = 64 * 1024

const digestOf = (cookie: string): Digest => Digest.make(createHash("sha256").update(cookie).digest("hex"))

/** Compares in constant time, since digests have one length. */
const same = (one: Digest, other: Digest): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Opens the file at `path`. `warn` is called with its faults. */
export const open = (path: string, warn: (message: string) => void): Browsers => {
  let entries: ReadonlyArray<Entry> = []
  /** The version of the file that `entries` come from. */
  let known = ""

  /** Reads the file if it has changed. Returns the name of the server in it. */
  const load = (): string | undefined => {
    const version = versionOf(path)
    if (version === known) return undefined
    known = version
    const content = version === "" ? undefined : read(path)
    if (version !== "" && content === undefined)
      warn(`${path} can't be read: browsers that were let in need the link again.`)
    entries = content?.browsers ?? []
    return content?.server
  }

  const keep = (next: ReadonlyArray<Entry>): void => {
    entries = next.toSorted((one, other) => other.lastHereAt - one.lastHereAt).slice(0, most)
    try {
      write(path, `${JSON.stringify({ server, browsers: entries })}\n`)
      known = versionOf(path)
    } catch (error) {
      warn(`${path} can't be written, so that browsers need the link again after a restart: ${messageOf(error)}`)
    }
  }

  const entryOf = (digest: Digest, now: number): Entry | undefined => {
    load()
    // All entries are compared, so that the time does not reveal whether a cookie exists.
    let entry: Entry | undefined
    for (const candidate of entries) if (same(candidate.digest, digest)) entry = candidate
    return entry === undefined || now - entry.lastHereAt >= expiresAfter ? undefined : entry
  }

  const isIn = (digest: Digest, now: number): boolean => {
    const entry = entryOf(digest, now)
    if (entry !== undefined && now - entry.lastHereAt >= day)
      keep(entries.map((other) => (other === entry ? { ...entry, lastHereAt: now } : other)))
    return entry !== undefined
  }

  const server = load() ?? randomBytes(8).toString("hex")
  return {
    cookieName: `signalbox-${server}`,
    admit: (now) => {
      load()
      const cookie = randomBytes(32).toString("base64url")
      const valid = entries.filter(({ lastHereAt }) => now - lastHereAt < expiresAfter)
      keep([{ digest: digestOf(cookie), lastHereAt: now }, ...valid])
      return cookie
    },
    entryOf: (cookie, now) => {
      if (cookie === undefined) return undefined
      const digest = digestOf(cookie)
      return isIn(digest, now) ? digest : undefined
    },
    isIn
  }
}

/** The browsers in the file that have not expired, with their last use, the latest first. */
export const listed = (path: string, now: number): ReadonlyArray<Pick<Entry, "lastHereAt">> =>
  (read(path)?.browsers ?? []).filter(({ lastHereAt }) => now - lastHereAt < expiresAfter)

/** Shuts all browsers out, connected ones within seconds. A running server notices that the file is gone. */
export const shutOut = (path: string): Effect.Effect<void, Refused> =>
  Effect.try({
    try: () => rmSync(path, { force: true }),
    catch: (error) =>
      new Refused({
        problem: {
          code: "storage",
          title: "The browsers could not be shut out.",
          cause: `Their file can't be deleted: ${messageOf(error)}.`,
          evidence: { path },
          nextSteps: [{ action: "check-again", label: "Make its folder writable, then try again" }]
        }
      })
  })

/** Text that changes with the file. Empty if the file is missing, and the system's error code if it can't be read. */
const versionOf = (path: string): string => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  } catch (error) {
    return codeOf(error) ?? messageOf(error)
  }
}

const read = (path: string): typeof Content.Type | undefined => {
  try {
    const found = lstatSync(path)
    if (!found.isFile() || found.size > mostBytes) return undefined
    return Option.getOrUndefined(decode(readFileSync(path, "utf8")))
  } catch {
    return undefined
  }
}

/** Writes the file. Readers never see a partial file, and others can't read it. */
const write = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const file = openSync(draft, "wx", 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
