/** The component ide-operations and its adapter, as people name them in a chain. */
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as Result from "effect/Result"
import type { BuiltInComponent } from "../../BuiltInComponent.ts"
import * as LateRun from "../../LateRun.ts"
import * as Settings from "./Settings.ts"

const adapter: BuiltInComponent = {
  name: "ide-adapter",
  summary: "Answers IDE operations by language servers, where the client offers none",
  usage: Settings.usage,
  offersServers: false,
  make: ({ args }) =>
    Result.map(Settings.of(args), (settings) => LateRun.hosted(() => import("./IdeAdapter.ts"), settings))
}

export const ideOperations: BuiltInComponent = {
  name: "ide-operations",
  summary: "Gives the agent tools that know definitions, references, types and errors, as an editor does",
  usage: Settings.usage,
  offersServers: true,
  // Its arguments are those of the adapter, too: each checks them.
  adapter: { primitive: IdeOperation.capability, component: adapter },
  make: ({ args }) =>
    Result.map(Settings.of(args), (settings) => LateRun.of(() => import("./IdeOperations.ts"), settings))
}

export const ideAdapter = adapter
