/** The sandbox that an agent's settings name, for one session or visit. */
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { providerErrorOf } from "../../base/ProviderError.ts"
import * as Sandbox from "../../sandbox/Sandbox.ts"
import type { Launch } from "./Launch.ts"

export interface Options extends Pick<Sandbox.Options, "folders" | "own"> {
  readonly launch: Launch
  /** The absolute folder of the session. */
  readonly cwd: string
  readonly providerOptions: ProviderOptions
}

/** Makes the sandbox, or the absence of one. Closing the scope ends it. */
export const make = ({ cwd, folders, launch, own, providerOptions }: Options) =>
  Sandbox.make({
    settings: providerOptions.sandbox,
    folders,
    own,
    runsOutside: launch.version !== undefined,
    agent: launch.remote === undefined ? { program: launch, cwd: launch.cwd ?? cwd } : undefined
  }).pipe(Effect.mapError(providerErrorOf))
