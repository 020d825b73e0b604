/** The program or the address of an agent. */
import type { Program } from "@signalbox/process/Program"

/** The address of a remote agent. */
export interface Remote {
  /** http, https, ws or wss. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An agent to start, or to connect to. */
export interface Launch extends Program {
  /** The address of a remote agent. Signalbox connects to it and starts nothing; `command` is the address, too. */
  readonly remote?: Remote
  /** The protocol version; 1 by default. */
  readonly protocol?: 1 | 2
  /** The absolute folder where the process starts. By default the session's folder. */
  readonly cwd?: string
  /** The authentication method, if people have chosen one. */
  readonly methodId?: string
  /** The version that `--version` has just reported, if it did. */
  readonly version?: string
}
