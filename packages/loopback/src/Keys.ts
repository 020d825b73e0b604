/**
 * The token of the server: one for each start of the server, traded by a page for a cookie (`Clients`). It is 256
 * random bits, and ends with the server.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Takes the same time for every wrong guess: compares digests, which have one length. */
const same = (expected: Buffer, given: string): boolean => timingSafeEqual(expected, digest(given))

/** The token that a value of an `Authorization` header carries. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1]

export interface Keys {
  /** To be put into the link. */
  readonly token: string
  readonly isToken: (given: string) => boolean
  /** Whether this value of an `Authorization` header carries the token. */
  readonly isBearer: (authorization: string | undefined) => boolean
}

export const make = (): Keys => {
  const token = randomBytes(32).toString("base64url")
  const tokenDigest = digest(token)
  const isToken = (given: string) => same(tokenDigest, given)
  return {
    token,
    isToken,
    isBearer: (authorization) => {
      const given = bearerIn(authorization)
      return given !== undefined && isToken(given)
    }
  }
}
