/**
 * Which driver an agent needs that people have given by its command line: by its entry in the public registry, or by the program that
 * it is. What an agent says of itself is not asked: anything may call itself anything.
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

/** What is known of an agent besides its options. */
export interface Origin {
  /** Its entry in the public registry, where it was installed from there. */
  readonly registryId?: string | undefined
  /** The folder where its process starts, absolute, if that is known already. */
  readonly cwd?: string | undefined
}

/** An agent whose kind may not be known yet. */
export interface Agent {
  readonly provider: ProviderRef
  readonly options: ProviderOptions
}

/** The kind of an agent with these options. Takes the time of one short run of its program at most, and that once for each file. */
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

/** The program as it would be started; undefined where it can't be found, or is another in each thread's folder. */
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
      // Why it can't be started is told by whoever starts it.
      return undefined
    }
  })
})

/** Gives an agent the kind that it needs. */
export const chosen = Effect.fnUntraced(function* <A extends Agent>(
  agent: A,
  origin: Origin = {}
): Effect.fn.Return<A, never, DriverNeeds> {
  if (agent.provider.kind !== general.kind) return agent
  const kind = yield* kindOf(agent.options, origin)
  return kind === agent.provider.kind ? agent : { ...agent, provider: { ...agent.provider, kind } }
})
