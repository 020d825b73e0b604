/** A program as it is started, and the time that it gets to end. */
import type * as Duration from "effect/Duration"
import type { Inheritance } from "./ChildEnvironment.ts"

/** A process to start: an argument vector, never a shell line. */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Added to our own environment; `undefined` takes a variable out of it (as `env` with `extendEnv` of `ChildProcess` does). */
  readonly env: Readonly<Record<string, string | undefined>>
  /** How much of our own environment the process inherits: all of it unless given. */
  readonly environment?: Inheritance
  /** Names of programs that it starts and that go on when it ends, such as a build daemon: they are reported, and not ended. */
  readonly keeps?: ReadonlyArray<string>
}

/** How long each step of a polite end may take. */
export interface StopGrace {
  /** After closing stdin, before SIGTERM. */
  readonly closeInput: Duration.Input
  /** After SIGTERM to the group, before SIGKILL to it. */
  readonly terminate: Duration.Input
}
