/** Handlers of the page's calls about rules. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { RulesDesk } from "../rules/RulesDesk.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchRules" | "addRule" | "removeRule" | "trustProject" | "untrustProject" | "explainCommand"
>

export const make = Effect.map(
  RulesDesk,
  (rules) =>
    ({
      watchRules: ({ folders }) => rules.changes(folders),
      addRule: rules.add,
      removeRule: ({ rule }) => rules.remove(rule),
      trustProject: ({ hash, path }) => rules.trust(path, hash),
      untrustProject: ({ path }) => rules.untrust(path),
      explainCommand: rules.explain
    }) satisfies Handlers
)
