/** How an agent is started or reached: the program or the address. */
import type { Program } from "@signalbox/process/Program"

/** The address of an agent that runs elsewhere. */
export interface Remote {
  /** http, https, ws or wss. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An agent to start, or to connect to. */
export interface Launch extends Program {
  /** It runs elsewhere: it is connected to, and nothing is started. `command` is its address. */
  readonly remote?: Remote
  /** The version of the protocol that is spoken to it; 1 unless given. */
  readonly protocol?: 1 | 2
  /** The folder where it starts, absolute; the session's folder unless given. */
  readonly cwd?: string
  /** The method to authenticate with, where people have chosen one. */
  readonly methodId?: string
  /** The version that the agent's `--version` said just now, if it has one. */
  readonly version?: string
}
