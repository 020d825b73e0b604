/** Another version of the protocol, spoken for a client that is written for version 1. */
import type * as JsonRpcPeer from "./JsonRpcPeer.ts"

export interface Dialect {
  readonly version: number
  /** A peer that takes and gives messages of version 1, and exchanges those of the other version. */
  readonly make: typeof JsonRpcPeer.make
}
