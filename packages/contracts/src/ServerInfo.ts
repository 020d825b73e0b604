/** Which server answers, and how it speaks. */
import * as Schema from "effect/Schema"
import { ThisClient } from "./ClientList.ts"
import { BootId } from "./Ids.ts"

/** Increased when a page and a server of different builds can no longer work together. */
export const protocolVersion = 5

export const ServerInfo = Schema.Struct({
  name: Schema.Literal("signalbox"),
  version: Schema.String,
  protocolVersion: Schema.Int,
  /** Changes with every start of the server. */
  bootId: BootId,
  /** The folder where the server was started, and the person's home: the first places of the folder picker. */
  cwd: Schema.String,
  home: Schema.String,
  /** The client that asks, and what it may do. */
  client: ThisClient,
  /** The server's clock at the answer, in milliseconds since 1970. */
  now: Schema.Finite
})
export type ServerInfo = typeof ServerInfo.Type
