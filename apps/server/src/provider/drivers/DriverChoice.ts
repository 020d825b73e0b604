/**
 * Chooses the driver for an agent that people gave by its command line: by its entry in the public registry, or by its
 * program. The agent's own description does not count, since it could use any name.
 */
import type { ProviderKind, ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { isAbsolute } from "node:path"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import type { DriverNeeds, Program } from "./Driver.ts"
import { Drivers, general } from "./Drivers.ts"
import { HostEnvironment } from "./HostEnvironment.ts"

/** Information about an agent beside its options. */
export interface Origin {
  /** The agent's entry in the public registry, if it was installed from there. */
  readonly registryId?: string | undefined
  /** The absolute folder where its process starts, if it is known already. */
  readonly cwd?: string | undefined
}

/** An agent whose kind may not be known yet. */
export interface Agent {
  readonly provider: ProviderRef
  readonly options: ProviderOptions
}

/**
 * The kind of an agent with these options. Takes at most the time of one short run of its program, once for each file.
 */
export const kindOf = Effect.fn("DriverChoice.kindOf")(function* (
  options: ProviderOptions,
  { cwd, registryId }: Origin = {}
): Effect.fn.Return<ProviderKind, never, DriverNeeds> {
  const drivers = yield* Drivers
  if (options.acp?.command === undefined) return general.kind
  const listed = drivers.find(({ registryIds = [] }) => registryId !== undefined && registryIds.includes(registryId))
  if (listed !== undefined) return listed.kind
  const program = yield* programOf(options, cwd)
  if (program === undefined) return general.kind
  for (const { kind, recognises } of drivers) if (recognises && (yield* recognises(program))) return kind
  return general.kind
})

/** The program that would be started. Undefined if it is not found, or depends on each thread's folder. */
const programOf = Effect.fnUntraced(function* ({ acp = {} }: ProviderOptions, folder: string | undefined) {
  const { command = "", env = {}, environment } = acp
  const cwd = acp.cwd === undefined || acp.cwd === "project" ? folder : acp.cwd
  if (command.includes("/") && !isAbsolute(command) && cwd === undefined) return undefined
  const variables = ChildEnvironment.of(yield* HostEnvironment, env, environment)
  return yield* Effect.promise(async (): Promise<Program | undefined> => {
    try {
      const path = await ProgramFile.find(command, cwd ?? "/", variables["PATH"])
      return { path, realPath: await realpath(path), env: variables }
    } catch {
      // The error is shown when somebody starts the agent.
      return undefined
    }
  })
})

/** Sets the kind that the agent needs. */
export const chosen = Effect.fnUntraced(function* <A extends Agent>(
  agent: A,
  origin: Origin = {}
): Effect.fn.Return<A, never, DriverNeeds> {
  if (agent.provider.kind !== general.kind) return agent
  const kind = yield* kindOf(agent.options, origin)
  return kind === agent.provider.kind ? agent : { ...agent, provider: { ...agent.provider, kind } }
})
