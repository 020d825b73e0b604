/** Handlers of the page's calls about the registry of agents. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { AgentInstaller } from "../registry/AgentInstaller.ts"
import { Registry } from "../registry/Registry.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "listRegistry" | "refreshRegistry" | "installAgent"
>

export const make = Effect.gen(function* () {
  const registry = yield* Registry
  const installer = yield* AgentInstaller
  return {
    listRegistry: () => registry.list,
    refreshRegistry: () => registry.refresh,
    installAgent: installer.install
  } satisfies Handlers
})
