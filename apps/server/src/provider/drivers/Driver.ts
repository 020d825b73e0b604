/**
 * What Signalbox knows of one kind of agent, as a value. Each kind has a folder here and one line in the list of `Drivers`;
 * nobody else asks which kind an agent is.
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

/** The services that a driver may use to look at the machine. */
export type DriverNeeds = FileSystem.FileSystem | Path.Path | ChildProcessSpawner

/** What a look at an agent has found. */
export type Findings = Pick<ProviderStatus, "state" | "path" | "version" | "checks" | "problem">

/** How a tape tells what people did, in requests that only agents of this kind make. */
export interface RecordedActions {
  /** Whether a method puts something to people. */
  readonly asks: (method: string) => boolean
  /** What people had answered when the method gave this result; undefined where it was nobody's answer. */
  readonly responseIn: (method: string, result: unknown) => RequestResponse | undefined
}

/** A program that is to be started as an agent. */
export interface Program {
  /** Absolute; as it was found. */
  readonly path: string
  /** The path with symbolic links followed, absolute. */
  readonly realPath: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
}

/** How an agent is started, as people are shown it. */
export interface Shown {
  /** The command line as one would type it, without secrets. */
  readonly commandLine?: string | undefined
  /** The names of the variables that it is given on purpose. */
  readonly variables?: ReadonlyArray<string>
}

/** Variables of an environment, by name. */
export type Variables = Readonly<Record<string, string>>

export interface Driver {
  readonly kind: ProviderKind
  /** The entries of the public registry that are agents of this kind. */
  readonly registryIds?: ReadonlyArray<string>
  /**
   * Whether this program is an agent of this kind: by what it is on the disk, and by a short run of it where its name gives reason to.
   * Bounded in time and output. Absent: such agents can't be told by their programs.
   */
  readonly recognises?: (program: Program) => Effect.Effect<boolean, never, DriverNeeds>
  /** How its processes and sessions are run. */
  readonly profile: Effect.Effect<AgentProfile, never, DriverNeeds>
  /** Looks an agent over as people would. Starts no session. */
  readonly check: (provider: ProviderRef, options: ProviderOptions) => Effect.Effect<Findings, never, DriverNeeds>
  /** What the agent is made of, on the disk and in the settings. It is text that changes when any of it does. */
  readonly fingerprint: (options: ProviderOptions) => Effect.Effect<string, never, DriverNeeds>
  /** Asks an agent that has no session for its models; undefined where its build lists none. Absent: such agents list none before one. */
  readonly listModels?: (
    client: Pick<AcpClient, "extRequest">
  ) => Effect.Effect<AgentModels | undefined, RequestFailure>
  readonly recorded: RecordedActions
  readonly shown: (options: ProviderOptions) => Shown
  /** The options with one more, by the name that it has in the settings. Fails with why there is none, in one sentence. */
  readonly withOption: (options: ProviderOptions, name: string, value: string) => Result.Result<ProviderOptions, string>
  /** The options with these variables over those that stand there. Fails with why it can have none, in one sentence. */
  readonly withVariables: (options: ProviderOptions, variables: Variables) => Result.Result<ProviderOptions, string>
}
