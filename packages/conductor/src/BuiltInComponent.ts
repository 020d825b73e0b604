/** A proxy that comes with the program: people name it in a chain, and need no program of their own. */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Scope from "effect/Scope"

/** What a component gets when it is made. */
export interface Options {
  /** The words after the component's name, as the arguments of a program. */
  readonly args: ReadonlyArray<string>
  /** Says one line to the people who run the chain. It reaches neither the client nor the agent. */
  readonly log: (line: string) => void
}

/** Speaks over the link until the connection is over. The scope closes then, or when the component is stopped. */
export type Run = (link: MessageLink) => Effect.Effect<void, never, Scope.Scope>

export interface BuiltInComponent {
  /** How people name it: lower-case letters, digits and hyphens. */
  readonly name: string
  /** What it does and which arguments it takes, in one line of help. */
  readonly summary: string
  /** Whether it declares MCP servers over ACP. A chain in front of an agent then gets a bridge, if the agent needs one. */
  readonly offersServers: boolean
  /** Checks the arguments, and touches nothing else. Fails with a sentence that says what is wrong with them. */
  readonly make: (options: Options) => Result.Result<Run, string>
}
