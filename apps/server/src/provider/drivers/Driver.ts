/**
 * All knowledge about one kind of agent, as a value. Each kind has a folder here and one line in the list of `Drivers`.
 * No other code asks for an agent's kind.
 */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type { AgentModels } from "@signalbox/contracts/AgentModel"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { ProviderKind, ProviderOptions, ProviderRef, ProviderStatus } from "@signalbox/contracts/Provider"
import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Result from "effect/Result"
import type { AgentProfile } from "../acp/profile/AgentProfile.ts"

/** The services that a driver may use to examine the machine. */
export type DriverNeeds = FileSystem.FileSystem | Path.Path | ChildProcessSpawner

/** The result of an agent's check. */
export type Findings = Pick<ProviderStatus, "state" | "path" | "version" | "checks" | "problem">

/** Reads people's answers from a tape, for requests that only agents of this kind make. */
export interface RecordedActions {
  /** Whether a method asks people. */
  readonly asks: (method: string) => boolean
  /** The people's answer that led to this result of the method. Undefined if the result was nobody's answer. */
  readonly responseIn: (method: string, result: unknown) => RequestResponse | undefined
}

/** A program that may be started as an agent. */
export interface Program {
  /** The absolute path at which it was found. */
  readonly path: string
  /** The path with symbolic links followed, absolute. */
  readonly realPath: string
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>
}

/** An agent's start, as people see it. */
export interface Shown {
  /** The command line as people type it, without secrets. */
  readonly commandLine?: string | undefined
  /** The names of the variables that the options set. */
  readonly variables?: ReadonlyArray<string>
}

/** Variables of an environment, by name. */
export type Variables = Readonly<Record<string, string>>

export interface Driver {
  readonly kind: ProviderKind
  /** The entries of the public registry that are agents of this kind. */
  readonly registryIds?: ReadonlyArray<string>
  /**
   * Whether a program is an agent of this kind: by its file, or by a short run if its name suggests it. Limited in time
   * and output. Undefined if such agents can't be recognised by their programs.
   */
  readonly recognises?: (program: Program) => Effect.Effect<boolean, never, DriverNeeds>
  /** The profile, which runs the agent's processes and sessions. */
  readonly profile: Effect.Effect<AgentProfile, never, DriverNeeds>
  /** Checks an agent as people would. Starts no session. */
  readonly check: (provider: ProviderRef, options: ProviderOptions) => Effect.Effect<Findings, never, DriverNeeds>
  /** A text that changes whenever the agent's files or settings change. */
  readonly fingerprint: (options: ProviderOptions) => Effect.Effect<string, never, DriverNeeds>
  /**
   * Asks an agent without a session for its models. Returns undefined if this build lists none. The member is undefined
   * if no build does.
   */
  readonly listModels?: (
    client: Pick<AcpClient, "extRequest">
  ) => Effect.Effect<AgentModels | undefined, RequestFailure>
  readonly recorded: RecordedActions
  readonly shown: (options: ProviderOptions) => Shown
  /** Sets an option by its name in the settings. Fails with a one-sentence reason if there is no such option. */
  readonly withOption: (options: ProviderOptions, name: string, value: string) => Result.Result<ProviderOptions, string>
  /** Sets variables in addition to the present ones. Fails with a one-sentence reason if the agent can't have any. */
  readonly withVariables: (options: ProviderOptions, variables: Variables) => Result.Result<ProviderOptions, string>
}
