/** Short answers of the server, which nobody may store. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const text = (status: number, body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`${body}\n`, { status, headers: { "cache-control": "no-store" } })

export const empty = (status: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status, headers: { "cache-control": "no-store" } })
