/** A program as it is started, and the time that it gets to end. */
import type * as Duration from "effect/Duration"
import type { Inheritance } from "./ChildEnvironment.ts"
import type { Holder } from "./Holder.ts"

/** A process to start: an argument vector, never a shell line. */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /**
   * Added to the inherited environment. `undefined` removes a variable, as in Effect's `ChildProcess` with `extendEnv`.
   */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The part of the environment that the process inherits. Default: all of it. */
  readonly environment?: Inheritance
  /** Names of its programs that continue after it, such as a build daemon. They are reported, not ended. */
  readonly keeps?: ReadonlyArray<string>
  /** Set if it holds the real program: a request to end then goes to what it holds. */
  readonly holder?: Holder
}

/** Time for each step of a polite end. */
export interface StopGrace {
  /** After closing stdin, before SIGTERM. */
  readonly closeInput: Duration.Input
  /** After SIGTERM to the group, before SIGKILL to it. */
  readonly terminate: Duration.Input
}
