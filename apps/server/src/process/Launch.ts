/** How an agent is started or reached: the command or the address, and the time that it gets to end. */
import type * as Duration from "effect/Duration"
import type { Inheritance } from "../base/ChildEnvironment.ts"

/** The address of an agent that runs elsewhere. */
export interface Remote {
  /** http, https, ws or wss. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A process to start: an argument vector, never a shell line. */
export interface Launch {
  /** It runs elsewhere: it is connected to, and nothing is started. `command` is its address. */
  readonly remote?: Remote
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Added to our own environment; `undefined` takes a variable out of it (as `env` with `extendEnv` of `ChildProcess` does). */
  readonly env: Readonly<Record<string, string | undefined>>
  /** How much of our own environment the process inherits: all of it unless given. */
  readonly environment?: Inheritance
  /** The version of the protocol that is spoken to it; 1 unless given. */
  readonly protocol?: 1 | 2
  /** The folder where it starts, absolute; the session's folder unless given. */
  readonly cwd?: string
  /** The method to authenticate with, where people have chosen one. */
  readonly methodId?: string
  /** Names of programs that it starts and that go on when it ends, such as a build daemon: they are told, and not ended. */
  readonly keeps?: ReadonlyArray<string>
  /** The version that the agent's `--version` said just now, if it has one. */
  readonly version?: string
}

/** How long each step of a polite end may take. */
export interface StopGrace {
  /** After closing stdin, before SIGTERM. */
  readonly closeInput: Duration.Input
  /** After SIGTERM to the group, before SIGKILL to it. */
  readonly terminate: Duration.Input
}
