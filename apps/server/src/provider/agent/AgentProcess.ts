/** Starts an agent as our process, or connects to a remote one. */
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import * as PipedProcess from "@signalbox/process/PipedProcess"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Sandbox } from "../../sandbox/Sandbox.ts"
import { type ProviderError, providerErrorOf } from "../../base/ProviderError.ts"
import type { Launch } from "./Launch.ts"
import * as RemoteAgent from "./RemoteAgent.ts"
import type { RunningAgent } from "./RunningAgent.ts"

export interface StartOptions extends Omit<PipedProcess.StartOptions, "program"> {
  readonly launch: Launch
  /** The sandbox that its process runs in: see `AgentSandbox`. */
  readonly sandbox: Sandbox
}

/** Starts the process; closing the scope ends its whole group. */
export const start = Effect.fn("AgentProcess.start")(function* (
  options: StartOptions
): Effect.fn.Return<RunningAgent, ProviderError, Scope.Scope> {
  const { cwd, launch, sandbox } = options
  if (launch.remote !== undefined) return yield* RemoteAgent.connect(launch.remote, options)
  const process = Effect.gen(function* () {
    // The session's folder must exist even if the process starts in another one.
    if (launch.cwd !== undefined) yield* GuardedProcess.checkFolder(cwd)
    return yield* PipedProcess.start({
      ...options,
      ...(yield* sandbox.within({ program: launch, cwd: launch.cwd ?? cwd }))
    })
  })
  return yield* Effect.mapError(process, providerErrorOf)
})
