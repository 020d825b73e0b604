/**
 * What opens the door: one token for each start of the server, traded by a page for a cookie of its own. Both are 256 random
 * bits, live in memory only and end with the server.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Browsers that may be in at once; beyond it the one that came first has to come in again. */
const maxSessions = 256

const random = (): string => randomBytes(32).toString("base64url")

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Takes the same time for every wrong guess: compares digests, which have one length. */
const same = (expected: Buffer, given: string): boolean => timingSafeEqual(expected, digest(given))

export interface Keys {
  /** To be put into the link. */
  readonly token: string
  readonly isToken: (given: string) => boolean
  /** Whether this value of an `Authorization` header carries the token. */
  readonly isBearer: (authorization: string | undefined) => boolean
  /** The value of a new cookie. */
  readonly openSession: () => string
  readonly isSession: (cookie: string | undefined) => boolean
}

export const make = (): Keys => {
  const token = random()
  const tokenDigest = digest(token)
  const sessions: Array<Buffer> = []
  const isToken = (given: string) => same(tokenDigest, given)
  return {
    token,
    isToken,
    isBearer: (authorization) => {
      const match = /^Bearer +(\S+)$/i.exec(authorization ?? "")
      return match?.[1] !== undefined && isToken(match[1])
    },
    openSession: () => {
      const cookie = random()
      if (sessions.push(digest(cookie)) > maxSessions) sessions.shift()
      return cookie
    },
    isSession: (cookie) => {
      if (cookie === undefined) return false
      // No early end: the time does not tell how many browsers are in.
      return sessions.filter((session) => same(session, cookie)).length > 0
    }
  }
}
