/** Reads from a request what the request guard needs. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { IncomingMessage } from "node:http"
import type { RequestHead } from "./RequestGuard.ts"

type Request = HttpServerRequest.HttpServerRequest

/** All values of a header. Node itself keeps only the first of several. */
const valuesIn = (message: Pick<IncomingMessage, "rawHeaders">, name: string): ReadonlyArray<string> =>
  message.rawHeaders.filter((_, index, raw) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)

/** All values of a header, which is named in small letters. */
export const valuesOf = (request: Request, name: string): ReadonlyArray<string> =>
  valuesIn(NodeHttpServerRequest.toIncomingMessage(request), name)

/**
 * Whether a request asks for an upgrade. Node treats it as one exactly if `Connection` says so, and only then hands
 * over its socket.
 */
export const asksForUpgrade = (request: Request): boolean =>
  request.headers["upgrade"] !== undefined && /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(request.headers["connection"] ?? "")

/** @param bearer whether its `Authorization` header has the token */
export const of = (request: Request, bearer: boolean): RequestHead => {
  const message = NodeHttpServerRequest.toIncomingMessage(request)
  return {
    method: message.method ?? "",
    target: message.url ?? "",
    hosts: valuesIn(message, "host"),
    origins: valuesIn(message, "origin"),
    secFetchSite: request.headers["sec-fetch-site"],
    upgrade: asksForUpgrade(request),
    bearer
  }
}
