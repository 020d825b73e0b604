/** What the rules say of files, programs and addresses that an agent asks Signalbox for. It only narrows what the settings grant. */
import type * as Effect from "effect/Effect"
import type { PathRefused } from "../../../workspace/Containment.ts"

export interface GuardedProgram {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
  /** Whether a shell reads the command. */
  readonly isLine: boolean
}

export interface AccessGuard {
  /** The path without links that was let pass. Undefined where it can't be known. */
  readonly read: (path: string) => Effect.Effect<string | undefined, PathRefused>
  /** Decides on a read for a question about code. Many come about one file, so an answer of people counts for a while. */
  readonly question: (path: string) => Effect.Effect<string | undefined, PathRefused>
  readonly write: (path: string, content: string) => Effect.Effect<string | undefined, PathRefused>
  readonly run: (program: GuardedProgram) => Effect.Effect<void, PathRefused>
  /** Why an address is not put to people. Undefined if it is. */
  readonly refusalOf: (url: string) => Effect.Effect<string | undefined>
}
