/** A proxy that comes with the program: people name it in a chain, and need no program of their own. */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import type { Open } from "@signalbox/ide/servers/SessionIde"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Seal } from "./Seal.ts"

/** What a component gets when it is made. */
export interface Options {
  /** The words after the component's name, as the arguments of a program. */
  readonly args: ReadonlyArray<string>
  /** Says one line to the people who run the chain. It reaches neither the client nor the agent. */
  readonly log: (line: string) => void
}

/** What a component gets from whoever starts its chain. */
export interface Host {
  /** Keeps the programs that the component starts. With it, none of them outlives this process. */
  readonly ledger: ProcessLedger["Service"]
  /** What these programs run for, as the ledger names it. */
  readonly runsFor?: string | undefined
  /**
   * Language servers by people's settings; `open` starts or shares them. Without these, components look for the known ones on this machine.
   */
  readonly languageServers?: { readonly definitions: ReadonlyArray<ServerDefinition>; readonly open?: Open } | undefined
  /** Marks what the component says itself to a client that checks it. */
  readonly seal?: Pick<Seal, "mark"> | undefined
}

/** Speaks over the link until the connection is over. The scope closes then, or when the component is stopped. */
export type Run = (link: MessageLink, host: Host) => Effect.Effect<void, never, Scope.Scope>

export interface BuiltInComponent {
  /** How people name it: lower-case letters, digits and hyphens. */
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** Its arguments, as help shows them. Undefined if it takes none. */
  readonly usage?: string
  /** Whether it declares MCP servers over ACP. A chain in front of an agent then gets a bridge, if the agent needs one. */
  readonly offersServers: boolean
  /** What it stands on, and who offers that where the client does not. The adapter gets the same arguments. */
  readonly adapter?: { readonly primitive: string; readonly component: BuiltInComponent }
  /** Checks the arguments, and touches nothing else. Fails with a sentence that says what is wrong with them. */
  readonly make: (options: Options) => Result.Result<Run, string>
}
